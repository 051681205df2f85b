package plot

import (
	"fmt"

	"instanton/internal/special"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Steps draws Y[i] as a level between Edges[i] and Edges[i+1], as for a histogram, with error bars
// at the middle of the levels if YErr is given.
type Steps struct {
	Name  string
	Edges []float64
	Y     []float64
	YErr  []float64
	Color Color
	// Fill shades the steps down to zero.
	Fill bool
}

var _ Series = Steps{}

func (s Steps) kind() string         { return "Steps" }
func (s Steps) name() string         { return s.Name }
func (s Steps) color() (Color, bool) { return s.Color, true }

func (s Steps) check() error {
	if len(s.Edges) != len(s.Y)+1 {
		return fmt.Errorf("it has %d edges and %d levels, expected one edge more than levels", len(s.Edges), len(s.Y))
	}
	for i, e := range s.Edges {
		if !special.Finite(e) || i > 0 && e <= s.Edges[i-1] {
			return fmt.Errorf("its Edges[%d] is %g, expected finite edges that increase", i, e)
		}
	}
	if err := checkErrors("YErr", s.YErr, s.Y); err != nil {
		return err
	}
	return someFinite(s.Edges[1:], s.Y)
}

func (s Steps) extend(e *extent) {
	e.floor = true
	for i := range s.Y {
		lo, hi := aboveFloor(s.Y, s.YErr, i)
		for _, y := range []float64{lo, s.Y[i], hi} {
			e.add(s.Edges[i], y)
			e.add(s.Edges[i+1], y)
		}
	}
	e.y.add(e.logY, 0)
}

func (s Steps) paint(a *area, k seriesInk) {
	var outline []vg.Point
	for i, y := range s.Y {
		left, right := a.at(s.Edges[i], y), a.at(s.Edges[i+1], y)
		outline = append(outline, left, right)
	}
	for _, part := range runs(outline) {
		foot := a.floor()
		part = append([]vg.Point{{X: part[0].X, Y: foot}}, append(part, vg.Point{X: part[len(part)-1].X, Y: foot})...)
		if s.Fill {
			c := draw.Canvas{Rectangle: a.rect}
			if shape := c.ClipPolygonXY(part); len(shape) > 2 {
				a.fill(polygon(shape...), tint(k.color, 0.3))
			}
		}
		a.strokeClipped(part, stroke{width: lineWidth, color: k.color})
	}
	for i := range s.Y {
		lo, hi := withError(s.Y, s.YErr, i)
		middle := (s.Edges[i] + s.Edges[i+1]) / 2
		a.errorBar(middle, lo, hi, stroke{width: thinWidth, color: k.color})
	}
}

// floor is the position of zero, or the lower end of an axis without zero.
func (a *area) floor() vg.Length {
	if a.y.log {
		return a.y.from
	}
	return a.y.at(0)
}

// aboveFloor is withError, but the error of a level above zero does not pull the axis below it.
func aboveFloor(y, e []float64, i int) (lo, hi float64) {
	lo, hi = withError(y, e, i)
	if y[i] >= 0 {
		lo = max(lo, 0)
	}
	return lo, hi
}

// standing is the rectangle between two points of the same level and the floor.
func standing(a *area, left, right vg.Point) vg.Rectangle {
	f := a.floor()
	return vg.Rectangle{
		Min: vg.Point{X: min(left.X, right.X), Y: min(f, left.Y)},
		Max: vg.Point{X: max(left.X, right.X), Y: max(f, left.Y)},
	}
}

func (s Steps) key(out surface, r vg.Rectangle, k seriesInk) {
	if s.Fill {
		out.fill(rectangle(r), tint(k.color, 0.3))
	}
	Line{}.key(out, r, k)
}
