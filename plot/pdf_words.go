package plot

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"gonum.org/v1/plot/vg"
)

// pdfWords are the characters of a font without ink. Letters are drawn as outlines, so that every format looks the same
// and Greek needs no font; the words lie over them in this font, whose table of Unicode values lets a reader search and
// copy them.
type pdfWords struct {
	code  map[rune]int
	runes []rune // those of codes 1, 2, …
}

const (
	maxWordCodes = 255
	wordAdvance  = 0.5 // of every character; the line is stretched to the width of its outline
)

// keep sets the words in the font without ink.
func (s *pdfSurface) keep(words string, at vg.Point, size, width vg.Length, turned bool) {
	var codes strings.Builder
	n := 0
	for _, r := range words {
		if c := s.words.codeOf(r); c > 0 {
			fmt.Fprintf(&codes, "%02x", c)
			n++
		}
	}
	if n == 0 || width <= 0 {
		return
	}
	axes := "1 0 0 1"
	if turned {
		axes = "0 1 -1 0"
	}
	stretch := 100 * width / (vg.Length(n) * wordAdvance * size)
	fmt.Fprintf(&s.page, "BT /T %s Tf %s Tz 3 Tr %s %s %s Tm <%s> Tj ET\n", number(size), number(stretch), axes,
		number(at.X), number(at.Y), codes.String())
}

// codeOf is the code of a character, 0 if there is no place left for it.
func (w *pdfWords) codeOf(r rune) int {
	if c, ok := w.code[r]; ok {
		return c
	}
	if len(w.runes) == maxWordCodes {
		return 0
	}
	if w.code == nil {
		w.code = map[rune]int{}
	}
	w.runes = append(w.runes, r)
	w.code[r] = len(w.runes)
	return len(w.runes)
}

// resource names the font, which is object number first; empty if there are no words.
func (w *pdfWords) resource(first int) string {
	if len(w.runes) == 0 {
		return ""
	}
	return fmt.Sprintf(" /Font <</T %d 0 R>>", first)
}

// objects are the font, its only glyph, and the table of Unicode values.
func (w *pdfWords) objects(first int) []string {
	n := len(w.runes)
	if n == 0 {
		return nil
	}
	font := fmt.Sprintf("<</Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /Resources <<>> "+
		"/CharProcs <</g %d 0 R>> /Encoding <</Type /Encoding /Differences [1%s]>> /FirstChar 1 /LastChar %d "+
		"/Widths [%s] /ToUnicode %d 0 R>>", first+1, strings.Repeat(" /g", n), n,
		strings.TrimSpace(strings.Repeat(fmt.Sprint(wordAdvance, " "), n)), first+2)
	glyph := fmt.Sprintf("%v 0 d0", wordAdvance)
	var table strings.Builder
	table.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapType 2 def\n" +
		"/CMapName /Words def\n1 begincodespacerange\n<00> <ff>\nendcodespacerange\n")
	const most = 100 // entries of one part
	for lo := 0; lo < n; lo += most {
		hi := min(lo+most, n)
		fmt.Fprintf(&table, "%d beginbfchar\n", hi-lo)
		for k := lo; k < hi; k++ {
			fmt.Fprintf(&table, "<%02x> <", k+1)
			for _, unit := range utf16.Encode(w.runes[k : k+1]) {
				fmt.Fprintf(&table, "%04x", unit)
			}
			table.WriteString(">\n")
		}
		table.WriteString("endbfchar\n")
	}
	table.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend")
	stream := func(text string) string {
		return fmt.Sprintf("<</Length %d>>\nstream\n%s\nendstream", len(text), text)
	}
	return []string{font, stream(glyph), stream(table.String())}
}
