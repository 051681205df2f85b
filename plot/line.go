package plot

import "gonum.org/v1/plot/vg"

// Line joins the points (X[i], Y[i]) in order.
type Line struct {
	Name  string
	X, Y  []float64
	Color Color
	Dash  Dash
	// Width in points; 0 means 1.1.
	Width float64
}

var _ Series = Line{}

func (l Line) kind() string         { return "Line" }
func (l Line) name() string         { return l.Name }
func (l Line) color() (Color, bool) { return l.Color, true }

func (l Line) check() error {
	if err := sameLength("X", l.X, "Y", l.Y); err != nil {
		return err
	}
	return someFinite(l.X, l.Y)
}

func (l Line) extend(e *extent) {
	for i := range l.X {
		e.add(l.X[i], l.Y[i])
	}
}

func (l Line) stroke(k seriesInk) stroke {
	w := lineWidth
	if l.Width > 0 {
		w = vg.Length(l.Width)
	}
	return stroke{width: w, color: k.color, dash: l.Dash.lengths()}
}

func (l Line) paint(a *area, k seriesInk) {
	pts := make([]vg.Point, len(l.X))
	for i := range l.X {
		pts[i] = a.at(l.X[i], l.Y[i])
	}
	for _, part := range runs(pts) {
		if len(part) == 1 { // a point between two gaps would vanish
			if a.x.from <= part[0].X && part[0].X <= a.x.to && a.y.from <= part[0].Y && part[0].Y <= a.y.to {
				a.fill(circle(part[0], l.stroke(k).width/2), k.color)
			}
			continue
		}
		a.strokeClipped(part, l.stroke(k))
	}
}

func (l Line) key(s surface, r vg.Rectangle, k seriesInk) {
	y := (r.Min.Y + r.Max.Y) / 2
	s.stroke(polyline(vg.Point{X: r.Min.X, Y: y}, vg.Point{X: r.Max.X, Y: y}), l.stroke(k))
}
