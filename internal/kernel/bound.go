package kernel

import (
	"fmt"
	"math"

	"instanton/internal/special"
)

// bound is the largest absolute value that any field can have. The error says which output has weights that are not
// finite.
func (w *Weights) bound(m View, fields []float64) (float64, error) {
	w.sum(m)
	return w.largestField(m, fields)
}

// sum computes the sums of the absolute weights of every output.
func (w *Weights) sum(m View) {
	if m.Col != 1 {
		for j := range w.sums {
			w.sums[j] = sumAbs(m.from(0, j), w.Rows())
		}
		return
	}
	clear(w.sums)
	for i := range w.Rows() {
		addAbs(w.sums, m.Data[i*m.Row:][:w.Out])
	}
}

// largestField is the bound, given these sums.
func (w *Weights) largestField(m View, fields []float64) (float64, error) {
	sums := w.sums
	for j, s := range sums {
		if fields != nil {
			s += math.Abs(fields[j])
		}
		if !special.Finite(s) {
			return 0, fmt.Errorf("the weights and the field of output %d add up to %g: expected a finite number", j, s)
		}
	}
	if w.States > 1 {
		w.sumOfLargest(m)
	}
	var worst float64
	for j, s := range sums {
		if fields != nil {
			s += math.Abs(fields[j])
		}
		worst = max(worst, s)
	}
	return worst, nil
}

// sumAbs adds the absolute values of the first n rows of a column, in four lanes.
func sumAbs(m View, n int) float64 {
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= n; i += 4 {
		at := m.Data[i*m.Row:]
		s0 += math.Abs(at[0])
		s1 += math.Abs(at[m.Row])
		s2 += math.Abs(at[2*m.Row])
		s3 += math.Abs(at[3*m.Row])
	}
	for ; i < n; i++ {
		s0 += math.Abs(m.Data[i*m.Row])
	}
	return (s0 + s1) + (s2 + s3)
}

// sumOfLargest sums only the largest weight of every Potts unit, since a unit is in only one of its states.
func (w *Weights) sumOfLargest(m View) {
	clear(w.sums)
	for unit := range w.Units {
		clear(w.largest)
		for a := range w.States {
			row := m.from(unit*w.States+a, 0)
			if m.Col == 1 {
				maxAbs(w.largest, row.Data[:w.Out])
				continue
			}
			for j := range w.largest {
				w.largest[j] = max(w.largest[j], math.Abs(row.at(0, j)))
			}
		}
		addAbs(w.sums, w.largest)
	}
}
