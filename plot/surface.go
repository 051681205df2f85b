package plot

import (
	"image"
	"image/color"
	"io"

	"gonum.org/v1/plot/vg"
)

// surface is a page to draw on, with the origin at the lower left and lengths in points. Text is
// drawn as filled outlines, colours are opaque, and paths have only lines and cubic curves, so every
// format draws the same.
type surface interface {
	fill(p vg.Path, c color.RGBA)
	stroke(p vg.Path, s stroke)
	// picture fills r with img, one sharp-edged rectangle per pixel.
	picture(r vg.Rectangle, img image.Image)
	// keep notes the words of a text whose outline has been drawn, with the start of its baseline, so that they can be
	// found and copied in formats that know of words.
	keep(words string, at vg.Point, size, width vg.Length, turned bool)
	io.WriterTo
}

// stroke is how a path is lined.
type stroke struct {
	width vg.Length
	color color.RGBA
	dash  []vg.Length
}

func rectangle(r vg.Rectangle) (p vg.Path) {
	p.Move(r.Min)
	p.Line(vg.Point{X: r.Max.X, Y: r.Min.Y})
	p.Line(r.Max)
	p.Line(vg.Point{X: r.Min.X, Y: r.Max.Y})
	p.Close()
	return p
}

// polyline is an open path through the points.
func polyline(pts ...vg.Point) (p vg.Path) {
	for i, q := range pts {
		if i == 0 {
			p.Move(q)
		} else {
			p.Line(q)
		}
	}
	return p
}

// polygon is a closed path through the points.
func polygon(pts ...vg.Point) vg.Path {
	p := polyline(pts...)
	p.Close()
	return p
}

// circle is drawn with four cubic curves, which miss it by less than 0.03 % of the radius.
func circle(c vg.Point, r vg.Length) (p vg.Path) {
	const k = 0.5522847498
	at := func(x, y vg.Length) vg.Point { return vg.Point{X: c.X + r*x, Y: c.Y + r*y} }
	p.Move(at(1, 0))
	p.CubeTo(at(1, k), at(k, 1), at(0, 1))
	p.CubeTo(at(-k, 1), at(-1, k), at(-1, 0))
	p.CubeTo(at(-1, -k), at(-k, -1), at(0, -1))
	p.CubeTo(at(k, -1), at(1, -k), at(1, 0))
	p.Close()
	return p
}
