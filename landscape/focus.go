package landscape

import (
	"math"

	"instanton/batch"
	"instanton/rbm"
)

// Focus computes the landscape again on a window around its minima, where there is something to see: half their
// distance beyond the outermost ones, and everything that lies within ten units of energy above the highest, so that
// the law hardly reaches further. Δe_MH stays that of the whole range. Landscapes of discrete units stay as they are.
func (l *Landscape) Focus(m *rbm.RBM) error {
	if len(l.Minima) == 0 || m.Hidden.Spec().Type.Discrete() {
		return nil
	}
	const reach = 10
	level := reach / float64(m.Visible.Spec().N)
	for _, x := range l.Minima {
		level = max(level, x.E+reach/float64(m.Visible.Spec().N))
	}
	x, y := l.window(0, level), []float64(nil)
	if l.Y != nil {
		y = l.window(1, level)
	}
	e, err := batch.New(m, 0)
	if err != nil {
		return err
	}
	l.X, l.Y, l.E, l.Minima = x, y, nil, nil
	l.compute(e)
	l.findMinima(false)
	return nil
}

// window returns new points along an axis, as many as before.
func (l *Landscape) window(axis int, level float64) []float64 {
	old := l.X
	if axis == 1 {
		old = l.Y
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, m := range l.Minima {
		low, high = min(low, m.H[axis]), max(high, m.H[axis])
	}
	low, high = low-(high-low)/2, high+(high-low)/2
	for j, row := range l.E {
		for i, e := range row {
			if e <= level {
				at := old[[]int{i, j}[axis]]
				low, high = min(low, at), max(high, at)
			}
		}
	}
	low, high = max(low, old[0]), min(high, old[len(old)-1])
	if !(low < high) {
		return old
	}
	points := make([]float64, len(old))
	for k := range points {
		points[k] = low + (high-low)*float64(k)/float64(len(points)-1)
	}
	return points
}
