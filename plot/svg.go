package plot

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"io"

	"gonum.org/v1/plot/vg"
)

// svgSurface writes paths and inlined images, and neither text nor fonts nor identifiers, so several
// of its files can be part of one HTML page.
type svgSurface struct {
	height vg.Length
	b      bytes.Buffer
}

var _ surface = (*svgSurface)(nil)

func (s *svgSurface) keep(string, vg.Point, vg.Length, vg.Length, bool) {} // outlines alone

func newSVG(w, h vg.Length, title string) *svgSurface {
	s := &svgSurface{height: h}
	label := ""
	if title != "" {
		label = ` aria-label="` + html.EscapeString(title) + `"`
	}
	fmt.Fprintf(&s.b, `<svg xmlns="http://www.w3.org/2000/svg" role="img"%s width="%spt" height="%spt" `+
		`viewBox="0 0 %s %s">`+"\n",
		label, number(w), number(h), number(w), number(h))
	return s
}

func (s *svgSurface) fill(p vg.Path, c color.RGBA) {
	fmt.Fprintf(&s.b, `<path fill="%s" d="%s"/>`+"\n", hex(c), s.data(p))
}

func (s *svgSurface) stroke(p vg.Path, l stroke) {
	fmt.Fprintf(&s.b, `<path fill="none" stroke="%s" stroke-width="%s"`, hex(l.color), number(l.width))
	if len(l.dash) > 0 {
		s.b.WriteString(` stroke-dasharray="`)
		for _, d := range l.dash {
			s.b.WriteString(number(d) + " ")
		}
		s.b.WriteByte('"')
	}
	fmt.Fprintf(&s.b, ` stroke-linejoin="round" d="%s"/>`+"\n", s.data(p))
}

func (s *svgSurface) picture(r vg.Rectangle, img image.Image) {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return // an image without pixels; the sheet and the heat map refuse those before
	}
	size := r.Size()
	fmt.Fprintf(&s.b, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" `+
		`style="image-rendering:pixelated" href="data:image/png;base64,%s"/>`+"\n",
		number(r.Min.X), number(s.height-r.Max.Y), number(size.X), number(size.Y),
		base64.StdEncoding.EncodeToString(b.Bytes()))
}

// data writes a path with the y axis turned down.
func (s *svgSurface) data(p vg.Path) []byte {
	var d []byte
	for _, c := range p {
		switch c.Type {
		case vg.MoveComp:
			d = s.point(append(d, 'M'), c.Pos)
		case vg.LineComp:
			d = s.point(append(d, 'L'), c.Pos)
		case vg.CurveComp:
			d = s.point(append(d, 'C'), c.Control[0])
			d = s.point(append(d, ' '), c.Control[1])
			d = s.point(append(d, ' '), c.Pos)
		case vg.CloseComp:
			d = append(d, 'Z')
		}
	}
	return d
}

func (s *svgSurface) point(d []byte, p vg.Point) []byte {
	d = appendNumber(d, p.X)
	return appendNumber(append(d, ' '), s.height-p.Y)
}

func (s *svgSurface) WriteTo(w io.Writer) (int64, error) {
	s.b.WriteString("</svg>\n")
	return s.b.WriteTo(w)
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
