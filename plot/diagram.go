package plot

import (
	"fmt"
	"image/color"

	"instanton/internal/special"

	"gonum.org/v1/plot/vg"
)

// Diagram is a drawing of labelled shapes instead of axes, such as a network or a scheme. Its coordinates run from
// (0, 0) at the lower left to (Width, Height), with the same unit in both directions.
type Diagram struct {
	Width, Height float64
	// Shapes are drawn in order, later ones over earlier ones: Node, Tile, Curve, Arrow, Words or Walk.
	Shapes []Shape
}

// Shape is a part of a diagram.
type Shape interface {
	check() error
	sketch(s *sketch)
}

var _, _, _, _, _ Shape = Node{}, Tile{}, Curve{}, Arrow{}, Words{}

// sketch places the plane of a diagram on a page.
type sketch struct {
	surface
	origin vg.Point
	unit   vg.Length // of the plane
	size   vg.Length // of axis labels
}

func (s *sketch) at(x, y float64) vg.Point {
	return vg.Point{X: s.origin.X + vg.Length(x)*s.unit, Y: s.origin.Y + vg.Length(y)*s.unit}
}

func (d *Diagram) check() error {
	if !(d.Width > 0 && d.Height > 0) || !special.Finite(d.Width) || !special.Finite(d.Height) {
		return fmt.Errorf("the diagram is %g by %g, expected positive numbers", d.Width, d.Height)
	}
	if len(d.Shapes) == 0 {
		return fmt.Errorf("the diagram has no shapes")
	}
	for i, shape := range d.Shapes {
		if shape == nil {
			return fmt.Errorf("shape %d of the diagram is nil", i+1)
		}
		if err := shape.check(); err != nil {
			return fmt.Errorf("shape %d of the diagram: %w", i+1, err)
		}
	}
	return nil
}

// draw fits the diagram into r and centres it.
func (d *Diagram) draw(s surface, r vg.Rectangle, size vg.Length) {
	room := r.Size()
	unit := min(room.X/vg.Length(d.Width), room.Y/vg.Length(d.Height))
	free := vg.Point{X: room.X - unit*vg.Length(d.Width), Y: room.Y - unit*vg.Length(d.Height)}
	k := &sketch{surface: s, origin: r.Min.Add(free.Scale(0.5)), unit: unit, size: size}
	for _, shape := range d.Shapes {
		shape.sketch(k)
	}
}

// allFinite checks the numbers of a shape.
func allFinite(what string, vs ...float64) error {
	for _, v := range vs {
		if !special.Finite(v) {
			return fmt.Errorf("%s has a coordinate %g, expected finite numbers", what, v)
		}
	}
	return nil
}

// shade is the fill of a closed shape: pale, so that text on it can be read, or none for Auto.
func shade(c Color) color.RGBA {
	if c == Auto {
		return white
	}
	return tint(c.rgba(), 0.35)
}

// rim is the colour of the rim of a closed shape.
func rim(c Color) color.RGBA {
	if c == Auto {
		return ink
	}
	return c.rgba()
}

// Node is a circle with text in it.
type Node struct {
	X, Y, R float64
	Text    string
	Color   Color // of the rim; the inside is a tint of it, white for Auto
}

func (n Node) check() error {
	if err := allFinite("a node", n.X, n.Y, n.R); err != nil {
		return err
	}
	if n.R <= 0 {
		return fmt.Errorf("a node has the radius %g, expected a positive number", n.R)
	}
	return nil
}

func (n Node) sketch(s *sketch) {
	c := circle(s.at(n.X, n.Y), vg.Length(n.R)*s.unit)
	s.fill(c, shade(n.Color))
	s.stroke(c, stroke{width: 0.9, color: rim(n.Color)})
	Words{X: n.X, Y: n.Y, Text: n.Text}.sketch(s)
}

// Tile is a rectangle with text in it.
type Tile struct {
	X0, Y0, X1, Y1 float64
	Text           string
	Color          Color // of the rim; the inside is a tint of it, white for Auto
}

func (t Tile) check() error { return allFinite("a tile", t.X0, t.Y0, t.X1, t.Y1) }

func (t Tile) sketch(s *sketch) {
	r := rectangle(vg.Rectangle{Min: s.at(t.X0, t.Y0), Max: s.at(t.X1, t.Y1)})
	s.fill(r, shade(t.Color))
	s.stroke(r, stroke{width: 0.9, color: rim(t.Color)})
	Words{X: (t.X0 + t.X1) / 2, Y: (t.Y0 + t.Y1) / 2, Text: t.Text}.sketch(s)
}

// Curve is a line through points, or with Fill the tinted shape inside it.
type Curve struct {
	X, Y  []float64
	Color Color // Auto means Black
	Fill  bool
	Dash  Dash
	// Width in points; 0 means 0.9.
	Width float64
}

func (c Curve) check() error {
	if err := sameLength("X", c.X, "Y", c.Y); err != nil {
		return err
	}
	if len(c.X) < 2 {
		return fmt.Errorf("a curve has %d points, expected at least 2", len(c.X))
	}
	return allFinite("a curve", append(append([]float64{}, c.X...), c.Y...)...)
}

func (c Curve) sketch(s *sketch) {
	pts := make([]vg.Point, len(c.X))
	for i := range pts {
		pts[i] = s.at(c.X[i], c.Y[i])
	}
	if c.Fill {
		s.fill(polygon(pts...), shade(orElse(c.Color, Black)))
		return
	}
	w := vg.Length(0.9)
	if c.Width > 0 {
		w = vg.Length(c.Width)
	}
	s.stroke(polyline(pts...), stroke{width: w, color: orElse(c.Color, Black).rgba(), dash: c.Dash.lengths()})
}
