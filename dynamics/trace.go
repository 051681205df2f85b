package dynamics

import "math"

// Trace is a run told by block magnetizations, kept as numbers of up spins: small and exact. It holds
// blocks of up to 65535 spins.
type Trace struct {
	blocks *Blocks
	up     []uint16 // a number for each block, step by step
}

// NewTrace is an empty trace.
func NewTrace(b *Blocks) *Trace { return &Trace{blocks: b} }

// Len is the number of steps.
func (t *Trace) Len() int { return len(t.up) / len(t.blocks.sizes) }

// Blocks is the number of blocks.
func (t *Trace) Blocks() int { return t.blocks.Len() }

// Add appends a step.
func (t *Trace) Add(m []float64) {
	for c, size := range t.blocks.sizes {
		t.up = append(t.up, uint16(math.Round((m[c]+1)*size/2)))
	}
}

// Read sets dst to the magnetizations at a step, as [Blocks.Read] does.
func (t *Trace) Read(dst []float64, step int) {
	n := len(t.blocks.sizes)
	for c, up := range t.up[step*n : (step+1)*n] {
		dst[c] = 0
		if size := t.blocks.sizes[c]; size > 0 {
			dst[c] = 2*float64(up)/size - 1
		}
	}
}

// append adds the steps of another trace, in its order or from its end.
func (t *Trace) append(other *Trace, backwards bool) {
	if !backwards {
		t.up = append(t.up, other.up...)
		return
	}
	n := len(t.blocks.sizes)
	for k := other.Len() - 1; k >= 0; k-- {
		t.up = append(t.up, other.up[k*n:(k+1)*n]...)
	}
}

// Rows are the magnetizations at all steps.
func (t *Trace) Rows() [][]float64 {
	rows := make([][]float64, t.Len())
	for k := range rows {
		rows[k] = make([]float64, len(t.blocks.sizes))
		t.Read(rows[k], k)
	}
	return rows
}
