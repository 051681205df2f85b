package paper

import "math"

// trace is a run told by block magnetizations, kept as numbers of up spins: small and exact. It holds
// blocks of up to 65535 spins.
type trace struct {
	blocks *blocks
	up     []uint16 // a number for each block, step by step
}

// Len is the number of steps.
func (t *trace) Len() int { return len(t.up) / len(t.blocks.sizes) }

// add appends a step.
func (t *trace) add(m []float64) {
	for c, size := range t.blocks.sizes {
		t.up = append(t.up, uint16(math.Round((m[c]+1)*size/2)))
	}
}

// read sets dst to the magnetizations at a step, as [blocks.read] does.
func (t *trace) read(dst []float64, step int) {
	n := len(t.blocks.sizes)
	for c, up := range t.up[step*n : (step+1)*n] {
		dst[c] = 0
		if size := t.blocks.sizes[c]; size > 0 {
			dst[c] = 2*float64(up)/size - 1
		}
	}
}

// append adds the steps of another trace, in its order or from its end.
func (t *trace) append(other *trace, backwards bool) {
	if !backwards {
		t.up = append(t.up, other.up...)
		return
	}
	n := len(t.blocks.sizes)
	for k := other.Len() - 1; k >= 0; k-- {
		t.up = append(t.up, other.up[k*n:(k+1)*n]...)
	}
}

// rows are the magnetizations at all steps.
func (t *trace) rows() [][]float64 {
	rows := make([][]float64, t.Len())
	for k := range rows {
		rows[k] = make([]float64, len(t.blocks.sizes))
		t.read(rows[k], k)
	}
	return rows
}
