// Package landscape computes the potential that one or two hidden units of a model move in, with the visible units
// summed out: where its minima lie, and what a move between them costs.
package landscape

import (
	"fmt"
	"math"

	"instanton/batch"
	"instanton/internal/special"
	"instanton/latent"
	"instanton/rbm"
)

// Landscape is the potential e(h) = E_eff(h)/N of one or two hidden units, with the others held fixed and the visible
// units summed out. It is shifted so that its minimum is zero.
type Landscape struct {
	Units []int       `json:"units"`
	At    []float64   `json:"at"` // the hidden configuration in which the others are held
	X     []float64   `json:"x"`
	Y     []float64   `json:"y,omitempty"`
	E     [][]float64 `json:"e"` // rows along y, one row for one unit
	// Minima are the local minima, lowest first.
	Minima []Minimum `json:"minima"`
	// DeltaMH is Δe_MH = −(1/N) log[∫_{h>0} e^{−Ne} / ∫_{h<0} e^{−Ne}] of one unit that takes both signs: the cost of
	// the move from − to +; from + to − it is the negative.
	DeltaMH *float64 `json:"delta_e_mh,omitempty"`
}

// Minimum is a local minimum of a landscape.
type Minimum struct {
	H []float64 `json:"h"`
	E float64   `json:"e"`
}

// Points of a landscape along each axis.
const (
	linePoints  = 801
	planePoints = 161
)

// New computes the potential of one or two hidden units of a model at the hidden configuration h.
func New(m *rbm.RBM, units []int, h []float64) (*Landscape, error) {
	spec := m.Hidden.Spec()
	if !m.Visible.Spec().Type.Discrete() {
		return nil, fmt.Errorf("landscapes sum over the visible units, which takes spin, Bernoulli or Potts units: "+
			"the model has %s", m.Visible.Spec())
	}
	if len(units) < 1 || len(units) > 2 || len(units) == 2 && units[0] == units[1] {
		return nil, fmt.Errorf("units %v: expected one or two different hidden units", units)
	}
	for _, mu := range units {
		if mu != 0 && spec.N == 1 {
			return nil, fmt.Errorf("hidden unit %d: the model has one hidden unit, number 0", mu)
		}
		if mu < 0 || mu >= spec.N {
			return nil, fmt.Errorf("hidden unit %d: expected 0 to %d", mu, spec.N-1)
		}
	}
	e, err := batch.New(m, 0)
	if err != nil {
		return nil, err
	}
	l := &Landscape{Units: units, At: h, X: points(m, units, 0), Y: points(m, units, 1)}
	l.compute(e)
	l.findMinima(spec.Type.Discrete())
	if len(units) == 1 {
		l.DeltaMH = barrier(l.X, l.E[0], float64(m.Visible.Spec().N), spec.Type.Discrete())
	}
	return l, nil
}

// compute sets E at all points, row by row of y.
func (l *Landscape) compute(e batch.Engine) {
	m := e.Model()
	width, n := m.Visible.Spec().Width(), float64(m.Visible.Spec().N)
	at := append([]float64(nil), l.At...)
	inputs := make([]float64, len(l.X)*width)
	rows := l.Y
	if rows == nil {
		rows = []float64{math.NaN()}
	}
	least := math.Inf(1)
	for _, y := range rows {
		row, own := make([]float64, len(l.X)), make([]float64, len(l.X))
		for i, value := range l.X {
			at[l.Units[0]] = value
			if l.Y != nil {
				at[l.Units[1]] = y
			}
			own[i] = m.Hidden.Potential(at)
			l.shift(m, inputs, i, at)
		}
		e.CGF(row, batch.Visible, inputs)
		for i := range row {
			row[i] = (own[i] - row[i]) / n
			least = min(least, row[i])
		}
		l.E = append(l.E, row)
	}
	for _, row := range l.E {
		for i := range row {
			row[i] -= least
		}
	}
}

// shift computes the inputs of the visible units at point i of a row, for real units from those at the point before.
func (l *Landscape) shift(m *rbm.RBM, inputs []float64, i int, h []float64) {
	width := m.Visible.Spec().Width()
	at := inputs[i*width : (i+1)*width]
	if i == 0 || m.Hidden.Spec().Type.Discrete() {
		m.Fields(at, h)
		return
	}
	step, mu := l.X[i]-l.X[i-1], l.Units[0]
	for c, x := range inputs[(i-1)*width : i*width] {
		at[c] = x + step*m.Row(c)[mu]
	}
}

// points are the values of a unit at which its potential is computed.
func points(m *rbm.RBM, units []int, which int) []float64 {
	if which >= len(units) {
		return nil
	}
	spec := m.Hidden.Spec()
	if spec.Type.Discrete() {
		var values []float64
		for a := range spec.States() {
			values = append(values, spec.StateValue(a))
		}
		return values
	}
	n := linePoints
	if len(units) == 2 {
		n = planePoints
	}
	lo, hi := latent.Window(m, units[which])
	if lo < 0 && hi > 0 { // a symmetric range, so that zero is one of the points
		reach := max(-lo, hi)
		lo, hi = -reach, reach
	}
	values := make([]float64, n)
	for i := range values {
		values[i] = lo + (hi-lo)*float64(i)/float64(n-1)
	}
	return values
}

// findMinima lists the points that are lower than their neighbours, refined by parabolas.
func (l *Landscape) findMinima(discrete bool) {
	at := func(i, j int) float64 {
		if i < 0 || j < 0 || i >= len(l.X) || j >= len(l.E) {
			return math.Inf(1)
		}
		return l.E[j][i]
	}
	for j := range l.E {
		for i := range l.X {
			if discrete || !lowest(at, i, j) {
				continue
			}
			m := Minimum{H: []float64{refined(l.X, i, func(k int) float64 { return at(k, j) })}, E: at(i, j)}
			if l.Y != nil {
				m.H = append(m.H, refined(l.Y, j, func(k int) float64 { return at(i, k) }))
			}
			l.Minima = append(l.Minima, m)
		}
	}
	for a := range l.Minima { // few: by insertion
		for b := a; b > 0 && l.Minima[b].E < l.Minima[b-1].E; b-- {
			l.Minima[b], l.Minima[b-1] = l.Minima[b-1], l.Minima[b]
		}
	}
}

func lowest(at func(i, j int) float64, i, j int) bool {
	for di := -1; di <= 1; di++ {
		for dj := -1; dj <= 1; dj++ {
			if (di != 0 || dj != 0) && at(i+di, j+dj) < at(i, j) {
				return false
			}
		}
	}
	return true
}

// refined is the minimum of the parabola through a point and its neighbours.
func refined(x []float64, k int, e func(k int) float64) float64 {
	a, b, c := e(k-1), e(k), e(k+1)
	if math.IsInf(a, 1) || math.IsInf(c, 1) || a+c <= 2*b {
		return x[k]
	}
	return x[k] + (x[1]-x[0])*(a-c)/(2*(a+c-2*b))
}

// barrier is Δe_MH, nil for a unit of one sign.
func barrier(x, e []float64, n float64, discrete bool) *float64 {
	var plus, minus []float64
	for i, h := range x {
		w := -n * e[i]
		if !discrete && h == 0 { // half of the trapezoidal weight on either side
			plus, minus = append(plus, w-math.Ln2), append(minus, w-math.Ln2)
		} else if h > 0 {
			plus = append(plus, w)
		} else if h < 0 {
			minus = append(minus, w)
		}
	}
	if x[0] >= 0 || x[len(x)-1] <= 0 {
		return nil
	}
	d := -(special.LogSumExp(plus) - special.LogSumExp(minus)) / n
	return &d
}
