package plot

import (
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
)

// A letter fills its box to within a hundredth; an I is narrower and in the middle.
func TestGlyphFillsItsBox(t *testing.T) {
	box := vg.Rectangle{Min: vg.Point{X: 10, Y: 20}, Max: vg.Point{X: 14, Y: 50}}
	for _, letter := range "ACDEFGHIKLMNPQRSTVWYBZX*" {
		got := glyph{path: newGlyph(letter).filling(box)}.around()
		want := box
		if letter == 'I' {
			if left, right := got.Min.X-box.Min.X, box.Max.X-got.Max.X; math.Abs(float64(left-right)) > 0.01 ||
				left < 1 {
				t.Errorf("I leaves %g to the left and %g to the right", left, right)
			}
			want.Min.X, want.Max.X = got.Min.X, got.Max.X
		}
		for _, d := range []vg.Length{got.Min.X - want.Min.X, got.Max.X - want.Max.X, (got.Min.Y - want.Min.Y) / 10,
			(got.Max.Y - want.Max.Y) / 10} {
			if letter != '*' && math.Abs(float64(d)) > 0.04 {
				t.Errorf("%c fills %v of %v", letter, got, want)
			}
		}
	}
}

// around is the box around an outline, from many points of its curves.
func (g glyph) around() vg.Rectangle {
	r := vg.Rectangle{Min: vg.Point{X: 1e9, Y: 1e9}, Max: vg.Point{X: -1e9, Y: -1e9}}
	var here vg.Point
	for _, c := range g.path {
		for t := vg.Length(0); c.Type == vg.CurveComp && t <= 1; t += 0.01 {
			p := cubic(here, c, t)
			r.Min = vg.Point{X: min(r.Min.X, p.X), Y: min(r.Min.Y, p.Y)}
			r.Max = vg.Point{X: max(r.Max.X, p.X), Y: max(r.Max.Y, p.Y)}
		}
		if c.Type != vg.CloseComp {
			r.Min = vg.Point{X: min(r.Min.X, c.Pos.X), Y: min(r.Min.Y, c.Pos.Y)}
			r.Max = vg.Point{X: max(r.Max.X, c.Pos.X), Y: max(r.Max.Y, c.Pos.Y)}
			here = c.Pos
		}
	}
	return r
}
