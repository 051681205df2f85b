package plot

import (
	"math"
	"testing"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/vg"
)

// reach is the box around the points of a path.
func reach(p vg.Path) (r vg.Rectangle) {
	r.Min = vg.Point{X: 1e9, Y: 1e9}
	r.Max = vg.Point{X: -1e9, Y: -1e9}
	for _, c := range p {
		if c.Type == vg.CloseComp {
			continue
		}
		r.Min.X, r.Min.Y = min(r.Min.X, c.Pos.X), min(r.Min.Y, c.Pos.Y)
		r.Max.X, r.Max.Y = max(r.Max.X, c.Pos.X), max(r.Max.Y, c.Pos.Y)
	}
	return r
}

// TestEveryLetterOfTheFieldHasAGlyph checks that none of these is drawn as the box of an unknown letter.
func TestEveryLetterOfTheFieldHasAGlyph(t *testing.T) {
	var b sfnt.Buffer
	for _, r := range "αβγδεζηθικλμνξοπρστυφχψωΓΔΘΛΞΠΣΦΨΩϕ−±×·≈≠≤≥≡∼≪≫→←↔∞∂∇∫∑∏√⟨⟩∥ℓ′†…°–—éü" {
		if _, drawn := signs[r]; drawn {
			continue
		}
		if same, ok := lookAlikes[r]; ok {
			r = same
		}
		for c, f := range typefaces() {
			if i, err := f.GlyphIndex(&b, r); err != nil || i == 0 {
				t.Errorf("cut %d has no %q (%U)", c, r, r)
			}
		}
	}
}

func TestMathNotation(t *testing.T) {
	width := func(s string) float64 { return float64(typeset(s, 100, regular).width) }
	for _, c := range []struct{ a, b string }{
		{"x²", "x$^2$"},          // raised figures of Unicode are scripts
		{"x₀", "x$_0$"},          // and lowered ones
		{"x⁻¹", "x$^{-1}$"},      // with their signs
		{"$a_b^c$", "$a^c_b$"},   // scripts over each other
		{"$-$", "−"},             // the hyphen of mathematics is a minus sign
		{"$eq$", "eq"},           // words stand upright
		{"5 $", "5 " + "$"},      // a lone dollar sign
		{"$x^{2$", "$x^{2}$"},    // a group that never closes
		{"⟨m⟩", "⟨" + "m" + "⟩"}, // signs the typeface lacks
	} {
		if a, b := width(c.a), width(c.b); math.Abs(a-b) > 1e-9 {
			t.Errorf("%q is %g wide and %q is %g", c.a, a, c.b, b)
		}
	}
	if a, b := width("$a_b^c$"), width("$a_{bc}$"); a >= b {
		t.Errorf("scripts over each other are %g wide, side by side %g", a, b)
	}
	if a, b := typeset("$m$", 10, regular), typeset("m", 10, regular); len(a.path) == len(b.path) &&
		a.path[0].Pos == b.path[0].Pos {
		t.Error("a variable does not lean")
	}
}

func TestScriptsStandAboveAndBelow(t *testing.T) {
	base := reach(typeset("x", 10, regular).path)
	if up := reach(typeset("$^2$", 10, regular).path); up.Min.Y <= base.Min.Y+1 {
		t.Errorf("a superscript starts at %g over the line", float64(up.Min.Y))
	}
	if down := reach(typeset("$_2$", 10, regular).path); down.Min.Y >= base.Min.Y-1 {
		t.Errorf("a subscript starts at %g under the line", -float64(down.Min.Y))
	}
}

func TestPlacedText(t *testing.T) {
	at := vg.Point{X: 50, Y: 20}
	text := typeset("HHH", 10, regular)
	centred := reach(text.placed(at, anchor{across: 0.5, up: 0.5}))
	if x, y := (centred.Min.X+centred.Max.X)/2, (centred.Min.Y+centred.Max.Y)/2; math.Abs(float64(x-50)) > 0.1 ||
		math.Abs(float64(y-20)) > 0.1 {
		t.Errorf("the middle of the text is at (%g, %g), expected (50, 20)", x, y)
	}
	turned := reach(text.placed(at, upwardRight))
	if turned.Max.X > at.X || turned.Size().Y < turned.Size().X {
		t.Errorf("the text of a y axis takes %v, expected upwards and left of x = 50", turned)
	}
	if right := reach(text.placed(at, bottomRight)); right.Max.X > at.X || right.Min.Y < at.Y {
		t.Errorf("the text takes %v, expected left of and above (50, 20)", right)
	}
}

func TestPlainText(t *testing.T) {
	if got := plainText("energy $f_{eq}(m^2)$"); got != "energy feq(m2)" {
		t.Errorf("got %q", got)
	}
}
