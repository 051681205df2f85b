package plot

import "gonum.org/v1/plot/vg"

// sign is a sign of mathematics that the typeface lacks: contours of straight lines, in units of the
// size, wound so that an inner contour cuts a hole.
type sign struct {
	advance  vg.Length
	contours [][]vg.Point
}

var signs = map[rune]sign{
	'⟨': {0.333, [][]vg.Point{{{X: .23, Y: .73}, {X: .30, Y: .73}, {X: .14, Y: .26}, {X: .30, Y: -.21},
		{X: .23, Y: -.21}, {X: .07, Y: .26}}}},
	'⟩': {0.333, [][]vg.Point{{{X: .10, Y: .73}, {X: .03, Y: .73}, {X: .19, Y: .26}, {X: .03, Y: -.21},
		{X: .10, Y: -.21}, {X: .26, Y: .26}}}},
	'∇': {0.670, [][]vg.Point{
		{{X: .03, Y: .69}, {X: .64, Y: .69}, {X: .335, Y: 0}},
		{{X: .14, Y: .62}, {X: .335, Y: .16}, {X: .53, Y: .62}},
	}},
	'∥': {0.420, [][]vg.Point{
		{{X: .10, Y: .73}, {X: .16, Y: .73}, {X: .16, Y: -.21}, {X: .10, Y: -.21}},
		{{X: .26, Y: .73}, {X: .32, Y: .73}, {X: .32, Y: -.21}, {X: .26, Y: -.21}},
	}},
	'\u2009': {advance: 0.17}, // thin space
}

// lookAlikes are signs that the typeface has under another code point.
var lookAlikes = map[rune]rune{'∼': '~', '≪': '«', '≫': '»', 'ϕ': 'φ', '⋅': '·'}

// relations get some space on both sides in mathematics.
const relations = "=<>≈≠≤≥≡∼≪≫→↔~"

// sign draws a sign that the typeface lacks, and tells whether r is one.
func (p *pen) sign(r rune, size, rise vg.Length) bool {
	s, ok := signs[r]
	if !ok {
		return false
	}
	for _, contour := range s.contours {
		pts := make([]vg.Point, len(contour))
		for i, q := range contour {
			pts[i] = vg.Point{X: p.x + q.X*size, Y: rise + q.Y*size}
		}
		p.path = append(p.path, polygon(pts...)...)
	}
	p.x += s.advance * size
	p.hasPrev = false
	return true
}
