package dynamics

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// bandMatrix stores the entries |i−j| ≤ band of a square matrix, row by row; a full matrix has band n−1.
type bandMatrix struct {
	n, band, width int
	data           []float64
}

func newBandMatrix(n, band int) *bandMatrix {
	band = min(band, n-1)
	width := min(n, 2*band+1)
	return &bandMatrix{n, band, width, make([]float64, n*width)}
}

// row is the stored part of row i and the column of its first entry.
func (a *bandMatrix) row(i int) ([]float64, int) {
	first := 0
	if a.width < a.n {
		first = i - a.band // entries left of column 0 are padding
	}
	return a.data[i*a.width : (i+1)*a.width], first
}

func (a *bandMatrix) at(i, j int) float64 {
	row, first := a.row(i)
	if j < first || j >= first+len(row) {
		return 0
	}
	return row[j-first]
}

func (a *bandMatrix) set(i, j int, x float64) {
	row, first := a.row(i)
	row[j-first] = x
}

// part is the stored part of row i in columns lo ≤ j < hi, and its first column.
func (a *bandMatrix) part(i, lo, hi int) ([]float64, int) {
	row, first := a.row(i)
	lo, hi = max(lo, first, 0), min(hi, first+len(row))
	if hi <= lo {
		return nil, lo
	}
	return row[lo-first : hi-first], lo
}

// elimination is the factorisation 1 − P = (1 − F)(S − L) of a chain killed in its target states: F strictly upper
// triangular, L strictly lower, S the diagonal of pivots, all non-negative. The pivot of a state is its probability of
// leaving, counted as the sum of where it goes instead of as 1 minus the probability of staying, which is where
// relative accuracy would be lost.
type elimination struct {
	states []int // the states that are not targets
	a      *bandMatrix
	pivot  []float64
}

func (c *Chain) eliminate(target func(i int) bool) *elimination {
	e := &elimination{}
	place := make([]int, c.States())
	for i := range place {
		place[i] = -1
		if !target(i) {
			place[i] = len(e.states)
			e.states = append(e.states, i)
		}
	}
	n := len(e.states)
	e.a = newBandMatrix(max(n, 1), c.p.band)
	e.pivot = make([]float64, n)
	kill := make([]float64, n)
	for k, i := range e.states {
		row, first := c.p.part(i, 0, c.States())
		for d, x := range row {
			if to := place[first+d]; to >= 0 {
				e.a.set(k, to, x)
			} else {
				kill[k] += x
			}
		}
	}
	if block := 64; e.a.band == e.a.n-1 && n > 2*block {
		for hi := n; hi > 0; hi -= block {
			e.panel(max(0, hi-block), hi, kill)
		}
		return e
	}
	for i := n - 1; i >= 0; i-- {
		e.out(i, 0, kill)
	}
	return e
}

// out eliminates state i: what the states below it send there goes on to where i goes. Only columns from first on are
// updated.
func (e *elimination) out(i, first int, kill []float64) {
	low, at := e.a.part(i, 0, i)
	s := kill[i] + floats.Sum(low)
	e.pivot[i] = s
	for k := max(0, i-e.a.band); k < i; k++ {
		f := e.a.at(k, i)
		if f == 0 {
			continue
		}
		f /= s
		e.a.set(k, i, f)
		kill[k] += f * kill[i]
		// rows of the panel are needed whole, those below it only in its columns
		from := at
		if k < first {
			from = max(at, first)
		}
		row, to := e.a.part(k, from, i)
		floats.AddScaled(row, f, low[to-at:to-at+len(row)])
	}
}

// panel eliminates the states lo ≤ i < hi of a full matrix, and then updates the columns before lo of all states below
// by one product of matrices, which is the same sums in a faster order.
func (e *elimination) panel(lo, hi int, kill []float64) {
	for i := hi - 1; i >= lo; i-- {
		e.out(i, lo, kill)
	}
	if lo == 0 {
		return
	}
	whole := mat.NewDense(e.a.n, e.a.n, e.a.data)
	rest := whole.Slice(0, lo, 0, lo).(*mat.Dense)
	var update mat.Dense
	update.Mul(whole.Slice(0, lo, lo, hi), whole.Slice(lo, hi, 0, lo))
	rest.Add(rest, &update)
}

// finite reports whether every state can leave with a probability that a number can hold, after many steps too.
func (e *elimination) finite() bool {
	for _, s := range e.pivot {
		if !(s > 1e-300) {
			return false
		}
	}
	return true
}

// solveRight solves (1 − P) x = b in place.
func (e *elimination) solveRight(b []float64) {
	n := len(b)
	for k := n - 1; k >= 0; k-- { // (1 − F) y = b
		row, first := e.a.part(k, k+1, n)
		if len(row) > 0 {
			b[k] += floats.Dot(row, b[first:first+len(row)])
		}
	}
	for i := range n { // (S − L) x = y
		row, first := e.a.part(i, 0, i)
		if len(row) > 0 {
			b[i] += floats.Dot(row, b[first:first+len(row)])
		}
		b[i] /= e.pivot[i]
	}
}

// solveLeft solves xᵀ (1 − P) = bᵀ in place.
func (e *elimination) solveLeft(b []float64) {
	n := len(b)
	for i := n - 1; i >= 0; i-- {
		b[i] /= e.pivot[i]
		row, first := e.a.part(i, 0, i)
		if len(row) > 0 {
			floats.AddScaled(b[first:first+len(row)], b[i], row)
		}
	}
	for k := range n {
		row, first := e.a.part(k, k+1, n)
		if len(row) > 0 {
			floats.AddScaled(b[first:first+len(row)], b[k], row)
		}
	}
}
