package plot

import (
	"fmt"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansitalic"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"
)

// cut is one of the three cuts of the typeface, Liberation Sans, which has Greek.
type cut int

const (
	regular cut = iota
	italic
	bold
)

// typefaces are parsed once and never change.
var typefaces = sync.OnceValue(func() (fonts [3]*sfnt.Font) {
	for i, ttf := range [][]byte{liberationsansregular.TTF, liberationsansitalic.TTF, liberationsansbold.TTF} {
		f, err := sfnt.Parse(ttf)
		if err != nil {
			panic(fmt.Sprintf("plot: the built-in font %d does not parse: %v", i, err))
		}
		fonts[i] = f
	}
	return fonts
})

// pen sets glyphs one after another along a baseline. Its position is in points.
type pen struct {
	path    vg.Path
	x       vg.Length
	buffer  sfnt.Buffer
	prev    sfnt.GlyphIndex
	prevCut cut
	hasPrev bool
}

// glyph draws r with the given size, its baseline raised by rise. Asking for a size of one pixel per
// font unit makes sfnt return unrounded font units.
func (p *pen) glyph(r rune, c cut, size, rise vg.Length) {
	if p.sign(r, size, rise) {
		return
	}
	if same, ok := lookAlikes[r]; ok {
		r = same
	}
	f := typefaces()[c]
	em := fixed.Int26_6(f.UnitsPerEm())
	unit := size / vg.Length(em)
	index, err := f.GlyphIndex(&p.buffer, r)
	if err != nil {
		return
	}
	if p.hasPrev && p.prevCut == c {
		if kern, err := f.Kern(&p.buffer, p.prev, index, em, font.HintingNone); err == nil {
			p.x += vg.Length(kern) * unit
		}
	}
	at := func(q fixed.Point26_6) vg.Point {
		return vg.Point{X: p.x + vg.Length(q.X)*unit, Y: rise - vg.Length(q.Y)*unit}
	}
	segments, err := f.LoadGlyph(&p.buffer, index, em, nil)
	if err == nil {
		p.path = append(p.path, outline(segments, at)...)
	}
	if advance, err := f.GlyphAdvance(&p.buffer, index, em, font.HintingNone); err == nil {
		p.x += vg.Length(advance) * unit
	}
	p.prev, p.prevCut, p.hasPrev = index, c, true
}

// outline turns the segments of a glyph into a path of lines and cubic curves: a quadratic curve
// with control point q is the cubic one with controls 2/3 of the way from its ends to q.
func outline(segments sfnt.Segments, at func(fixed.Point26_6) vg.Point) (p vg.Path) {
	var here vg.Point
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if len(p) > 0 {
				p.Close()
			}
			here = at(s.Args[0])
			p.Move(here)
		case sfnt.SegmentOpLineTo:
			here = at(s.Args[0])
			p.Line(here)
		case sfnt.SegmentOpQuadTo:
			q, end := at(s.Args[0]), at(s.Args[1])
			p.CubeTo(between(here, q, 2./3), between(end, q, 2./3), end)
			here = end
		case sfnt.SegmentOpCubeTo:
			here = at(s.Args[2])
			p.CubeTo(at(s.Args[0]), at(s.Args[1]), here)
		}
	}
	if len(p) > 0 {
		p.Close()
	}
	return p
}

// between is the point at the fraction t of the way from a to b.
func between(a, b vg.Point, t vg.Length) vg.Point {
	return vg.Point{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y)}
}
