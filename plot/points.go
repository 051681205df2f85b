package plot

import "gonum.org/v1/plot/vg"

// Points draws a marker at every (X[i], Y[i]), with an error bar of Y[i] ± YErr[i] if YErr is given.
type Points struct {
	Name       string
	X, Y, YErr []float64
	Color      Color
	Marker     Marker
	// Size of the markers in points; 0 means 3.6.
	Size float64
	// Joined draws a thin line through the points.
	Joined bool
}

// Marker is the shape of a point.
type Marker int

// The shapes. AutoMarker goes with the colour, so that a figure can be printed in black and white.
const (
	AutoMarker Marker = iota
	Disc
	Square
	Triangle
	Diamond
	Circle
	Box
	markers = int(Box) // the number of shapes taken in turn
)

var _ Series = Points{}

func (p Points) kind() string         { return "Points" }
func (p Points) name() string         { return p.Name }
func (p Points) color() (Color, bool) { return p.Color, true }

func (p Points) check() error {
	if err := sameLength("X", p.X, "Y", p.Y); err != nil {
		return err
	}
	if err := checkErrors("YErr", p.YErr, p.Y); err != nil {
		return err
	}
	return someFinite(p.X, p.Y)
}

func (p Points) extend(e *extent) {
	e.padX = true
	for i := range p.X {
		e.add(p.X[i], p.Y[i])
		lo, hi := withError(p.Y, p.YErr, i)
		e.add(p.X[i], lo)
		e.add(p.X[i], hi)
	}
}

func (p Points) paint(a *area, k seriesInk) {
	if p.Joined {
		Line{X: p.X, Y: p.Y, Width: 0.7}.paint(a, k)
	}
	for i := range p.X {
		lo, hi := withError(p.Y, p.YErr, i)
		a.errorBar(p.X[i], lo, hi, stroke{width: 0.7, color: k.color})
	}
	for i := range p.X {
		if at := a.at(p.X[i], p.Y[i]); visible(at) && a.x.inside(p.X[i]) && a.y.inside(p.Y[i]) {
			p.mark(a, at, k)
		}
	}
}

func (p Points) key(s surface, r vg.Rectangle, k seriesInk) {
	if p.Joined {
		Line{Width: 0.7}.key(s, r, k)
	}
	p.mark(s, vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}, k)
}

// mark draws one marker; the factors make the shapes look equally large.
func (p Points) mark(s surface, at vg.Point, k seriesInk) {
	r := vg.Length(1.8)
	if p.Size > 0 {
		r = vg.Length(p.Size / 2)
	}
	shape := p.Marker
	if shape == AutoMarker {
		shape = k.marker + Disc
	}
	corner := func(x, y vg.Length) vg.Point { return vg.Point{X: at.X + r*x, Y: at.Y + r*y} }
	var path vg.Path
	switch shape {
	case Square, Box:
		path = polygon(corner(-.88, -.88), corner(.88, -.88), corner(.88, .88), corner(-.88, .88))
	case Triangle:
		path = polygon(corner(-1.1, -.8), corner(1.1, -.8), corner(0, 1.15))
	case Diamond:
		path = polygon(corner(0, -1.3), corner(1.1, 0), corner(0, 1.3), corner(-1.1, 0))
	default:
		path = circle(at, r)
	}
	if shape == Circle || shape == Box {
		s.fill(path, white)
		s.stroke(path, stroke{width: 0.9, color: k.color})
		return
	}
	s.fill(path, k.color)
}
