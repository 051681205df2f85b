package plot

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Band shades the region between Lo[i] and Hi[i] along X, for instance a confidence interval. Put
// it before the line it belongs to; a line of the same Name and colour Auto shares its colour.
type Band struct {
	Name      string
	X, Lo, Hi []float64
	Color     Color
}

var _ Series = Band{}

func (b Band) kind() string         { return "Band" }
func (b Band) name() string         { return b.Name }
func (b Band) color() (Color, bool) { return b.Color, true }

func (b Band) check() error {
	if err := sameLength("X", b.X, "Lo", b.Lo); err != nil {
		return err
	}
	if err := sameLength("X", b.X, "Hi", b.Hi); err != nil {
		return err
	}
	if err := someFinite(b.X, b.Lo); err != nil {
		return err
	}
	return someFinite(b.X, b.Hi)
}

func (b Band) extend(e *extent) {
	for i := range b.X {
		e.add(b.X[i], b.Lo[i])
		e.add(b.X[i], b.Hi[i])
	}
}

func (b Band) paint(a *area, k seriesInk) {
	var lower, upper []vg.Point
	flush := func() {
		slices.Reverse(lower)
		c := draw.Canvas{Rectangle: a.rect}
		if shape := c.ClipPolygonXY(append(upper, lower...)); len(upper) > 1 && len(shape) > 2 {
			a.fill(polygon(shape...), tint(k.color, 0.25))
		}
		lower, upper = nil, nil
	}
	for i := range b.X {
		lo, hi := a.at(b.X[i], b.Lo[i]), a.at(b.X[i], b.Hi[i])
		if a.y.log && b.Lo[i] <= 0 {
			lo = vg.Point{X: a.x.at(b.X[i]), Y: a.rect.Min.Y}
		}
		if !visible(lo) || !visible(hi) {
			flush()
			continue
		}
		lower, upper = append(lower, lo), append(upper, hi)
	}
	flush()
}

func (b Band) key(s surface, r vg.Rectangle, k seriesInk) {
	s.fill(rectangle(r), tint(k.color, 0.25))
}
