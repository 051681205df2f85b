package plot

import (
	"math"

	"instanton/internal/special"

	"gonum.org/v1/plot/vg"
)

// scale maps the values lo…hi of an axis onto the positions from…to on the page.
type scale struct {
	lo, hi   float64
	log      bool
	from, to vg.Length
}

// at is the position of v, or NaN if the axis cannot show it.
func (s scale) at(v float64) vg.Length {
	lo, hi := s.lo, s.hi
	if s.log {
		if v <= 0 {
			return vg.Length(math.NaN())
		}
		lo, hi, v = math.Log10(lo), math.Log10(hi), math.Log10(v)
	}
	t := (v - lo) / (hi - lo)
	// Values far outside would cost the clipper its precision, and are not on the page anyway.
	return s.from + vg.Length(max(-1e3, min(1e3, t)))*(s.to-s.from)
}

// inside tells whether v lies on the axis, with a little room for rounding.
func (s scale) inside(v float64) bool {
	const slack = 1e-9
	if s.log {
		return v >= s.lo*(1-slack) && v <= s.hi*(1+slack)
	}
	room := slack * (s.hi - s.lo)
	return v >= s.lo-room && v <= s.hi+room
}

// area is the inside of a frame: two scales and the surface that series paint on.
type area struct {
	surface
	rect vg.Rectangle
	x, y scale
	size vg.Length // of axis labels
}

func (a *area) at(x, y float64) vg.Point { return vg.Point{X: a.x.at(x), Y: a.y.at(y)} }

func visible(p vg.Point) bool { return special.Finite(float64(p.X)) && special.Finite(float64(p.Y)) }
