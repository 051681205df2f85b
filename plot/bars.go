package plot

import (
	"math"
	"slices"

	"instanton/internal/special"

	"gonum.org/v1/plot/vg"
)

// Bars draws a bar from zero to Y[i] at X[i], with Y[i] ± YErr[i] if YErr is given. Groups of bars
// side by side are series with shifted X and a smaller Width.
type Bars struct {
	Name       string
	X, Y, YErr []float64
	Color      Color
	// Width in units of x; 0 means 0.7 times the smallest distance of two bars.
	Width float64
}

var _ Series = Bars{}

func (b Bars) kind() string         { return "Bars" }
func (b Bars) name() string         { return b.Name }
func (b Bars) color() (Color, bool) { return b.Color, true }

func (b Bars) check() error {
	if err := sameLength("X", b.X, "Y", b.Y); err != nil {
		return err
	}
	if err := checkErrors("YErr", b.YErr, b.Y); err != nil {
		return err
	}
	return someFinite(b.X, b.Y)
}

func (b Bars) width() float64 {
	if b.Width > 0 && special.Finite(b.Width) {
		return b.Width
	}
	closest := math.Inf(1)
	xs := slices.Sorted(slices.Values(b.X))
	for i := 1; i < len(xs); i++ {
		if d := xs[i] - xs[i-1]; d > 0 {
			closest = min(closest, d)
		}
	}
	if !special.Finite(closest) {
		closest = 1
	}
	return 0.7 * closest
}

func (b Bars) extend(e *extent) {
	e.padX, e.floor = true, true
	w := b.width()
	for i := range b.X {
		lo, hi := aboveFloor(b.Y, b.YErr, i)
		for _, y := range []float64{lo, b.Y[i], hi} {
			e.add(b.X[i]-w/2, y)
			e.add(b.X[i]+w/2, y)
		}
	}
	e.y.add(e.logY, 0)
}

func (b Bars) paint(a *area, k seriesInk) {
	w := b.width()
	for i, x := range b.X {
		left, right := a.at(x-w/2, b.Y[i]), a.at(x+w/2, b.Y[i])
		if !visible(left) || !visible(right) {
			continue
		}
		if r, ok := a.clipped(standing(a, left, right)); ok {
			a.fill(rectangle(r), tint(k.color, 0.55))
			a.stroke(rectangle(r), stroke{width: thinWidth, color: k.color})
		}
		lo, hi := withError(b.Y, b.YErr, i)
		a.errorBar(x, lo, hi, stroke{width: 0.8, color: ink})
	}
}

func (b Bars) key(s surface, r vg.Rectangle, k seriesInk) {
	s.fill(rectangle(r), tint(k.color, 0.55))
	s.stroke(rectangle(r), stroke{width: thinWidth, color: k.color})
}
