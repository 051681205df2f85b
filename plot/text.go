package plot

import (
	"image/color"
	"strings"
	"unicode"

	"gonum.org/v1/plot/vg"
)

// setting is a line of text as one path, with the start of its baseline at the origin.
type setting struct {
	words           string // without notation
	path            vg.Path
	size, width     vg.Length
	ascent, descent vg.Length
}

// Heights of Liberation Sans in units of its size, read from its glyphs.
const (
	capHeight  = 0.69 // capitals and figures
	ascent     = 0.74 // the tallest letters and brackets
	descent    = 0.21
	scriptSize = 0.7
	superRise  = 0.36
	subRise    = -0.16
)

// typeset sets a line of text; see the package comment for the notation.
func typeset(s string, size vg.Length, c cut) setting {
	t := setter{pen: &pen{}, ascent: ascent * size, descent: descent * size}
	parts := strings.Split(s, "$")
	if len(parts)%2 == 0 { // a lone dollar sign is a dollar sign
		last := len(parts) - 1
		parts = append(parts[:last-1], parts[last-1]+"$"+parts[last])
	}
	for i, part := range parts {
		if i%2 == 1 {
			t.math([]rune(part), size, 0, c)
			continue
		}
		for _, r := range part {
			t.letter(r, size, 0, c)
		}
	}
	return setting{words: plainText(s), path: t.pen.path, size: size, width: t.pen.x, ascent: t.ascent,
		descent: t.descent}
}

// plainText is the text without its notation.
func plainText(s string) string {
	return strings.NewReplacer("$", "", "{", "", "}", "", "_", "", "^", "").Replace(s)
}

// setter follows the notation and moves the pen.
type setter struct {
	pen             *pen
	ascent, descent vg.Length
}

// letter sets one rune; raised and lowered figures of Unicode become scripts like all others.
func (t *setter) letter(r rune, size, rise vg.Length, c cut) {
	if i := strings.IndexRune(superscripts, r); i >= 0 {
		t.script(nth(plainScripts, superscripts, i), size, rise+superRise*size, c)
	} else if i := strings.IndexRune(subscripts, r); i >= 0 {
		t.script(nth(plainScripts, subscripts, i), size, rise+subRise*size, c)
	} else {
		t.pen.glyph(r, c, size, rise)
	}
}

const (
	superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
	subscripts   = "₀₁₂₃₄₅₆₇₈₉₊₋"
	plainScripts = "0123456789+−"
)

// nth is the rune of plain at the position of byte i of the other string.
func nth(plain, other string, i int) rune {
	return []rune(plain)[len([]rune(other[:i]))]
}

func (t *setter) script(r rune, size, rise vg.Length, c cut) {
	t.pen.glyph(r, c, scriptSize*size, rise)
	t.grow(scriptSize*size, rise)
}

func (t *setter) grow(size, rise vg.Length) {
	t.ascent = max(t.ascent, rise+capHeight*size)
	t.descent = max(t.descent, descent*size-rise)
}

// math sets the text between dollar signs. A subscript and a superscript that follow each other are set one above the
// other.
func (t *setter) math(rs []rune, size, rise vg.Length, c cut) {
	var scriptStart, scriptEnd vg.Length
	var before rune // the script mark that was set last, if nothing came after it
	for i := 0; i < len(rs); {
		if r := rs[i]; (r == '_' || r == '^') && i+1 < len(rs) {
			body, next := group(rs, i+1)
			up := vg.Length(subRise)
			if r == '^' {
				up = superRise
			}
			if before != 0 && before != r {
				t.pen.x = scriptStart
			}
			scriptStart = t.pen.x
			t.pen.hasPrev = false
			t.math(body, scriptSize*size, rise+up*size, c)
			t.grow(scriptSize*size, rise+up*size)
			if before != 0 && before != r {
				t.pen.x = max(t.pen.x, scriptEnd)
			}
			scriptEnd, before, i = t.pen.x, r, next
			continue
		}
		before = 0
		i = t.atom(rs, i, size, rise, c)
	}
}

// atom sets a word or a sign of mathematics and returns the index after it.
func (t *setter) atom(rs []rune, i int, size, rise vg.Length, c cut) int {
	end := i
	for end < len(rs) && unicode.IsLetter(rs[end]) && !unicode.Is(unicode.Greek, rs[end]) {
		end++
	}
	switch r := rs[i]; {
	case end-i > 1:
		for _, r := range rs[i:end] {
			t.pen.glyph(r, c, size, rise)
		}
		return end
	case r == '-':
		t.pen.glyph('−', c, size, rise)
	case rise == 0 && i > 0 && strings.ContainsRune(relations, r):
		t.pen.x += 0.15 * size
		t.pen.glyph(r, c, size, rise)
		t.pen.x += 0.15 * size
	case c == regular && (end-i == 1 || unicode.Is(unicode.Greek, r) && unicode.IsLower(r)):
		t.pen.glyph(r, italic, size, rise)
	default:
		t.letter(r, size, rise, c)
	}
	return i + 1
}

// group is the {group} or the single rune at i, and the index after it. A group that never closes
// runs to the end.
func group(rs []rune, i int) (body []rune, next int) {
	if rs[i] != '{' {
		return rs[i : i+1], i + 1
	}
	depth := 0
	for j := i; j < len(rs); j++ {
		switch rs[j] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return rs[i+1 : j], j + 1
			}
		}
	}
	return rs[i+1:], len(rs)
}

// anchor says which point of a text is placed, in fractions of its width and height, and whether it reads upwards.
type anchor struct {
	across, up float64
	turned     bool
}

var (
	topCentre    = anchor{across: 0.5, up: 1}
	topLeft      = anchor{across: 0, up: 1}
	topRight     = anchor{across: 1, up: 1}
	bottomLeft   = anchor{across: 0, up: 0}
	bottomCentre = anchor{across: 0.5, up: 0}
	bottomRight  = anchor{across: 1, up: 0}
	middleLeft   = anchor{across: 0, up: 0.5}
	middleRight  = anchor{across: 1, up: 0.5}
	upwardRight  = anchor{across: 0.5, up: 0, turned: true} // its foot towards the point, for a y axis
	upwardLeft   = anchor{across: 0.5, up: 1, turned: true} // its head towards the point, for a colour bar
)

// placed is the outline of the text with its anchor at the point at. The middle of a text is the
// middle of its figures, so that tick labels are centred on their ticks whatever scripts they have.
func (t setting) placed(at vg.Point, a anchor) vg.Path {
	move := t.mover(at, a)
	out := make(vg.Path, len(t.path))
	for i, c := range t.path {
		c.Pos = move(c.Pos)
		control := make([]vg.Point, len(c.Control))
		for j := range c.Control {
			control[j] = move(c.Control[j])
		}
		c.Control = control
		out[i] = c
	}
	return out
}

// mover takes a point of the text to its place on the page.
func (t setting) mover(at vg.Point, a anchor) func(vg.Point) vg.Point {
	dx, dy := -vg.Length(a.across)*t.width, -t.ascent
	switch a.up {
	case 0:
		dy = t.descent
	case 0.5:
		dy = -capHeight / 2 * t.size
	}
	return func(p vg.Point) vg.Point {
		p = vg.Point{X: p.X + dx, Y: p.Y + dy}
		if a.turned {
			p = vg.Point{X: -p.Y, Y: p.X}
		}
		return p.Add(at)
	}
}

func keepWords(s surface, t setting, at vg.Point, a anchor) {
	s.keep(t.words, t.mover(at, a)(vg.Point{}), t.size, t.width, a.turned)
}

func drawText(s surface, t setting, at vg.Point, a anchor, c color.RGBA) {
	if len(t.path) > 0 && visible(at) {
		s.fill(t.placed(at, a), c)
		keepWords(s, t, at, a)
	}
}

// drawHaloed draws text that stays readable over data: its outline is widened in white first.
func drawHaloed(s surface, t setting, at vg.Point, a anchor, c color.RGBA) {
	if len(t.path) > 0 && visible(at) {
		p := t.placed(at, a)
		s.stroke(p, stroke{width: 2, color: white})
		s.fill(p, c)
		keepWords(s, t, at, a)
	}
}

// height is the distance from the foot to the head of the text.
func (t setting) height() vg.Length { return t.ascent + t.descent }

// widest is the greatest width of the texts.
func widest(texts []string, size vg.Length) (w vg.Length) {
	for _, s := range texts {
		w = max(w, typeset(s, size, regular).width)
	}
	return w
}
