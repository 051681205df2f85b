package plot

import (
	"fmt"

	"instanton/internal/special"

	"gonum.org/v1/plot/vg"
)

// HLine is a dashed reference line at the height At, with an optional label on the line.
type HLine struct {
	At    float64
	Label string
	Color Color // Auto means Grey
	Dash  Dash  // Solid means Dashed
}

// VLine is a dashed reference line at the abscissa At, with an optional label beside it.
type VLine struct {
	At    float64
	Label string
	Color Color // Auto means Grey
	Dash  Dash  // Solid means Dashed
}

// Note is a short text in a panel, centred on (X, Y).
type Note struct {
	X, Y  float64
	Text  string
	Color Color // Auto means Black
}

var _, _, _ Series = HLine{}, VLine{}, Note{}

func (h HLine) kind() string { return "HLine" }
func (v VLine) kind() string { return "VLine" }
func (n Note) kind() string  { return "Note" }

// Reference lines and notes have their text in the panel and not in the legend.
func (h HLine) name() string { return "" }
func (v VLine) name() string { return "" }
func (n Note) name() string  { return "" }

func (h HLine) color() (Color, bool) { return orElse(h.Color, Grey), false }
func (v VLine) color() (Color, bool) { return orElse(v.Color, Grey), false }
func (n Note) color() (Color, bool)  { return orElse(n.Color, Black), false }

func orElse(c, fallback Color) Color {
	if c == Auto {
		return fallback
	}
	return c
}

func (h HLine) check() error { return checkPlace(h.Label, h.At) }
func (v VLine) check() error { return checkPlace(v.Label, v.At) }
func (n Note) check() error  { return checkPlace(n.Text, n.X, n.Y) }

func checkPlace(label string, at ...float64) error {
	for _, v := range at {
		if !special.Finite(v) {
			return fmt.Errorf("%q has the coordinate %g, expected a finite number", label, v)
		}
	}
	return nil
}

func (h HLine) extend(e *extent) { e.y.add(e.logY, h.At) }
func (v VLine) extend(e *extent) { e.x.add(e.logX, v.At) }
func (n Note) extend(e *extent)  { e.add(n.X, n.Y) }

func referenceStroke(d Dash, k seriesInk) stroke {
	if d == Solid {
		d = Dashed
	}
	return stroke{width: 0.8, color: k.color, dash: d.lengths()}
}

func (h HLine) paint(a *area, k seriesInk) {
	if !a.y.inside(h.At) {
		return
	}
	y := a.y.at(h.At)
	a.stroke(polyline(vg.Point{X: a.rect.Min.X, Y: y}, vg.Point{X: a.rect.Max.X, Y: y}), referenceStroke(h.Dash, k))
}

func (v VLine) paint(a *area, k seriesInk) {
	if !a.x.inside(v.At) {
		return
	}
	x := a.x.at(v.At)
	a.stroke(polyline(vg.Point{X: x, Y: a.rect.Min.Y}, vg.Point{X: x, Y: a.rect.Max.Y}), referenceStroke(v.Dash, k))
}

// caption is put above or below the line: at its right end, at its left end, or between.
func (h HLine) caption(a *area) (setting, []place) {
	t := typeset(h.Label, tickSize*a.size, regular)
	if !a.y.inside(h.At) {
		t = setting{}
	}
	y, left, right := a.y.at(h.At), a.rect.Min.X+5, a.rect.Max.X-5
	places := []place{
		{vg.Point{X: right, Y: y + 1}, bottomRight}, {vg.Point{X: left, Y: y + 1}, bottomLeft},
		{vg.Point{X: right, Y: y - 2}, topRight}, {vg.Point{X: left, Y: y - 2}, topLeft},
	}
	for k := vg.Length(15); k > 0; k-- {
		x := left + k/16*(right-left)
		places = append(places, place{vg.Point{X: x, Y: y + 1}, bottomCentre},
			place{vg.Point{X: x, Y: y - 2}, topCentre})
	}
	return t, places
}

// caption is put to the right or left of the line: at its upper end, at its lower end, or between.
func (v VLine) caption(a *area) (setting, []place) {
	t := typeset(v.Label, tickSize*a.size, regular)
	if !a.x.inside(v.At) {
		t = setting{}
	}
	x, low, high := a.x.at(v.At), a.rect.Min.Y+4, a.rect.Max.Y-5
	places := []place{
		{vg.Point{X: x + 3, Y: high}, topLeft}, {vg.Point{X: x - 3, Y: high}, topRight},
		{vg.Point{X: x + 3, Y: low}, bottomLeft}, {vg.Point{X: x - 3, Y: low}, bottomRight},
	}
	for k := vg.Length(7); k > 0; k-- {
		y := low + k/8*(high-low)
		places = append(places, place{vg.Point{X: x + 3, Y: y}, middleLeft},
			place{vg.Point{X: x - 3, Y: y}, middleRight})
	}
	return t, places
}

func (n Note) paint(a *area, k seriesInk) {
	if a.x.inside(n.X) && a.y.inside(n.Y) {
		drawHaloed(a, typeset(n.Text, 0.9*a.size, regular), a.at(n.X, n.Y), anchor{across: 0.5, up: 0.5}, k.color)
	}
}

func (h HLine) key(surface, vg.Rectangle, seriesInk) {}
func (v VLine) key(surface, vg.Rectangle, seriesInk) {}
func (n Note) key(surface, vg.Rectangle, seriesInk)  {}
