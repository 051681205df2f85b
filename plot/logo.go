package plot

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"instanton/internal/special"

	"gonum.org/v1/plot/vg"
)

// Logo draws a stack of letters at each position of a sequence, the tallest on top. The height of a letter is its
// value; letters with values below zero hang down from zero. Amino acids are coloured by their chemistry, bases each
// in their own colour.
type Logo struct {
	Name string
	// Letters are those of the columns of Heights. Gaps are not drawn unless Gaps is set, and then as grey blocks.
	Letters string
	Gaps    bool
	// Heights has a row for each position and a column for each letter.
	Heights [][]float64
	// First is the x coordinate of the first row; the others follow in steps of 1.
	First int
}

var _ Series = Logo{}

func (l Logo) kind() string         { return "Logo" }
func (l Logo) name() string         { return l.Name }
func (l Logo) color() (Color, bool) { return Black, false }

func (l Logo) check() error {
	if len(l.Heights) == 0 {
		return fmt.Errorf("it has no position")
	}
	for i, row := range l.Heights {
		if len(row) != len(l.Letters) {
			return fmt.Errorf("position %d has %d heights, expected one for each letter of %q", i+1, len(row),
				l.Letters)
		}
		for a, h := range row {
			if !special.Finite(h) {
				return fmt.Errorf("the height of %q at position %d is %g, expected a finite number", l.Letters[a], i+1,
					h)
			}
		}
	}
	return nil
}

func (l Logo) extend(e *extent) {
	e.floor = true
	for i, row := range l.Heights {
		var up, down float64
		for a, h := range row {
			if l.draws(a) {
				up, down = up+max(0, h), down+min(0, h)
			}
		}
		x := float64(l.First + i)
		e.add(x-0.5, up)
		e.add(x+0.5, down)
	}
}

// letterShare is the fraction of the width of a position that letters fill.
const letterShare = 0.94

const gapSign = '-'

// draws tells whether letter c is drawn.
func (l Logo) draws(c int) bool { return l.Gaps || l.Letters[c] != gapSign }

func (l Logo) paint(a *area, _ seriesInk) {
	glyphs := make([]glyph, len(l.Letters))
	colors := letterColors(l.Letters)
	for c := range glyphs {
		glyphs[c] = newGlyph(rune(l.Letters[c]))
	}
	order := make([]int, len(l.Letters))
	for i, row := range l.Heights {
		for c := range order {
			order[c] = c
		}
		slices.SortStableFunc(order, func(b, c int) int { return compare(math.Abs(row[b]), math.Abs(row[c])) })
		x := float64(l.First + i)
		var up, down float64
		for _, c := range order {
			h := row[c]
			if h == 0 || !l.draws(c) {
				continue
			}
			foot := &up
			if h < 0 {
				foot = &down
			}
			from, to := a.at(x-letterShare/2, *foot), a.at(x+letterShare/2, *foot+h)
			*foot += h
			box := vg.Rectangle{Min: vg.Point{X: from.X, Y: min(from.Y, to.Y)},
				Max: vg.Point{X: to.X, Y: max(from.Y, to.Y)}}
			if visible(from) && visible(to) && box.Max.X <= a.rect.Max.X+1 && box.Min.X >= a.rect.Min.X-1 {
				a.fill(glyphs[c].filling(box), colors[c])
			}
		}
	}
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (l Logo) key(s surface, r vg.Rectangle, _ seriesInk) {
	s.fill(newGlyph('A').filling(r), ink)
}

// glyph is the outline of a letter and the box around it.
type glyph struct {
	path vg.Path
	box  vg.Rectangle
}

func newGlyph(r rune) glyph {
	p := &pen{}
	p.glyph(r, bold, 100, 0)
	g := glyph{path: p.path, box: vg.Rectangle{Min: vg.Point{X: 1e9, Y: 1e9}, Max: vg.Point{X: -1e9, Y: -1e9}}}
	var here vg.Point
	for _, c := range p.path {
		switch c.Type {
		case vg.CurveComp:
			for t := vg.Length(0.125); t < 1; t += 0.125 { // curves bulge beyond their ends
				g.reach(cubic(here, c, t))
			}
			fallthrough
		case vg.MoveComp, vg.LineComp:
			g.reach(c.Pos)
			here = c.Pos
		}
	}
	return g
}

func (g *glyph) reach(p vg.Point) {
	g.box.Min = vg.Point{X: min(g.box.Min.X, p.X), Y: min(g.box.Min.Y, p.Y)}
	g.box.Max = vg.Point{X: max(g.box.Max.X, p.X), Y: max(g.box.Max.Y, p.Y)}
}

// cubic is the point at t of a curve that starts at p.
func cubic(p vg.Point, c vg.PathComp, t vg.Length) vg.Point {
	q := [4]vg.Point{p, c.Control[0], c.Control[len(c.Control)-1], c.Pos}
	for n := 3; n > 0; n-- {
		for k := range n {
			q[k] = between(q[k], q[k+1], t)
		}
	}
	return q[0]
}

// fullWidth is the width, at size 100, above which letters are stretched to the whole box; an I stays narrow.
const fullWidth = 40

// filling is the outline stretched to fill the box.
func (g glyph) filling(box vg.Rectangle) vg.Path {
	natural := g.box.Size()
	if natural.X <= 0 || natural.Y <= 0 {
		return nil
	}
	size := box.Size()
	width := size.X * min(1, natural.X/fullWidth)
	left := box.Min.X + (size.X-width)/2
	move := func(p vg.Point) vg.Point {
		return vg.Point{
			X: left + (p.X-g.box.Min.X)/natural.X*width,
			Y: box.Min.Y + (p.Y-g.box.Min.Y)/natural.Y*size.Y,
		}
	}
	out := make(vg.Path, len(g.path))
	for k, c := range g.path {
		c.Pos = move(c.Pos)
		c.Control = slices.Clone(c.Control)
		for j := range c.Control {
			c.Control[j] = move(c.Control[j])
		}
		out[k] = c
	}
	return out
}

// letterColors are the colours of amino acids by chemistry: hydrophobic, polar, amides, basic,
// acidic; or those of the bases.
func letterColors(letters string) []color.RGBA {
	groups := map[Color]string{Black: "AVLIPWFM", Green: "GSTYC", Purple: "NQ", Blue: "KRH", Vermilion: "DE"}
	if strings.Trim(letters, "ACGTU-") == "" {
		groups = map[Color]string{Green: "A", Blue: "C", Orange: "G", Vermilion: "TU"}
	}
	colors := make([]color.RGBA, len(letters))
	for k, c := range []byte(letters) {
		colors[k] = palette[Grey]
		for color, members := range groups {
			if strings.IndexByte(members, c) >= 0 {
				colors[k] = palette[color]
			}
		}
	}
	return colors
}
