package plot

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// Arrow is an arrow from (X0, Y0) to (X1, Y1), bent to its left by Bend times its length.
type Arrow struct {
	X0, Y0, X1, Y1 float64
	Bend           float64
	Text           string // beside its middle, on the outer side of the bend
	Color          Color  // Auto means Black
	Dash           Dash
	// Width in points; 0 means 0.9.
	Width float64
}

func (a Arrow) check() error { return allFinite("an arrow", a.X0, a.Y0, a.X1, a.Y1, a.Bend) }

func (a Arrow) sketch(s *sketch) {
	from, to := s.at(a.X0, a.Y0), s.at(a.X1, a.Y1)
	along := to.Sub(from)
	left := vg.Point{X: -along.Y, Y: along.X}
	// A quadratic curve whose middle lies Bend·length beside the straight line.
	control := from.Add(along.Scale(0.5)).Add(left.Scale(vg.Length(2 * a.Bend)))
	width := vg.Length(0.9)
	if a.Width > 0 {
		width = vg.Length(a.Width)
	}
	c := orElse(a.Color, Black).rgba()
	tip := to.Sub(control)
	length := vg.Length(math.Hypot(float64(tip.X), float64(tip.Y)))
	if length == 0 {
		return
	}
	tip = tip.Scale(1 / length)
	head := 3 + 2.2*width
	foot := to.Sub(tip.Scale(head * 0.9)) // the line ends inside the head
	var p vg.Path
	p.Move(from)
	p.CubeTo(between(from, control, 2./3), between(foot, control, 2./3), foot)
	s.stroke(p, stroke{width: width, color: c, dash: a.Dash.lengths()})
	side := vg.Point{X: -tip.Y, Y: tip.X}.Scale(head * 0.42)
	back := to.Sub(tip.Scale(head))
	s.fill(polygon(to, back.Add(side), back.Sub(side)), c)
	if a.Text != "" {
		a.label(s, from.Add(along.Scale(0.5)).Add(left.Scale(vg.Length(a.Bend))), left)
	}
}

// label places the text beside the middle of the arrow.
func (a Arrow) label(s *sketch, middle, left vg.Point) {
	t := typeset(a.Text, tickSize*s.size, regular)
	length := vg.Length(math.Hypot(float64(left.X), float64(left.Y)))
	side := left.Scale(1 / length)
	if a.Bend < 0 {
		side = side.Scale(-1)
	}
	at := middle.Add(side.Scale(3))
	// The nearest point of the text is the one placed.
	anchor := anchor{across: 0.5 - 0.5*round(side.X), up: 0.5 - 0.5*round(side.Y)}
	drawHaloed(s, t, at, anchor, orElse(a.Color, Black).rgba())
}

// round is −1, 0 or 1: the side on which the text is placed.
func round(x vg.Length) float64 {
	switch {
	case x > 0.38:
		return 1
	case x < -0.38:
		return -1
	}
	return 0
}

// Words is a text with its middle at (X, Y), or its left end if Left is set.
type Words struct {
	X, Y  float64
	Text  string
	Color Color // Auto means Black
	Left  bool
	Bold  bool
}

func (w Words) check() error { return checkPlace(w.Text, w.X, w.Y) }

func (w Words) sketch(s *sketch) {
	if w.Text == "" {
		return
	}
	a, c := anchor{across: 0.5, up: 0.5}, regular
	if w.Left {
		a = middleLeft
	}
	if w.Bold {
		c = bold
	}
	drawText(s, typeset(w.Text, tickSize*s.size, c), s.at(w.X, w.Y), a, orElse(w.Color, Black).rgba())
}
