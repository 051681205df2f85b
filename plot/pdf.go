package plot

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"io"

	"gonum.org/v1/plot/vg"
)

// pdfSurface writes PDF 1.4 with one page, paths and images. It replaces gonum's PDF
// canvas, which dates its files, orders images randomly and sets text in fonts without Greek.
type pdfSurface struct {
	width, height vg.Length
	page          bytes.Buffer // the drawing operators
	images        []pdfImage
	words         pdfWords
}

type pdfImage struct {
	width, height int
	rgb           []byte
}

var _ surface = (*pdfSurface)(nil)

func newPDF(w, h vg.Length) *pdfSurface {
	s := &pdfSurface{width: w, height: h}
	s.page.WriteString("1 j\n") // round joins
	return s
}

func (s *pdfSurface) fill(p vg.Path, c color.RGBA) {
	s.color(c, "rg")
	s.path(p)
	s.page.WriteString("f\n")
}

func (s *pdfSurface) stroke(p vg.Path, l stroke) {
	s.color(l.color, "RG")
	s.page.WriteByte('[')
	for _, d := range l.dash {
		s.page.WriteString(number(d) + " ")
	}
	fmt.Fprintf(&s.page, "] 0 d %s w\n", number(l.width))
	s.path(p)
	s.page.WriteString("S\n")
}

func (s *pdfSurface) color(c color.RGBA, operator string) {
	fmt.Fprintf(&s.page, "%.4g %.4g %.4g %s\n", float64(c.R)/255, float64(c.G)/255, float64(c.B)/255, operator)
}

func (s *pdfSurface) path(p vg.Path) {
	point := func(q vg.Point) { s.page.WriteString(number(q.X) + " " + number(q.Y) + " ") }
	for _, c := range p {
		switch c.Type {
		case vg.MoveComp:
			point(c.Pos)
			s.page.WriteString("m\n")
		case vg.LineComp:
			point(c.Pos)
			s.page.WriteString("l\n")
		case vg.CurveComp:
			point(c.Control[0])
			point(c.Control[1])
			point(c.Pos)
			s.page.WriteString("c\n")
		case vg.CloseComp:
			s.page.WriteString("h\n")
		}
	}
}

func (s *pdfSurface) picture(r vg.Rectangle, img image.Image) {
	b := img.Bounds()
	m := pdfImage{width: b.Dx(), height: b.Dy()}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
			m.rgb = append(m.rgb, c.R, c.G, c.B)
		}
	}
	size := r.Size()
	fmt.Fprintf(&s.page, "q %s 0 0 %s %s %s cm /I%d Do Q\n",
		number(size.X), number(size.Y), number(r.Min.X), number(r.Min.Y), len(s.images))
	s.images = append(s.images, m)
}

// WriteTo writes the catalogue, the page tree, the page, its operators and its images as objects
// 1, 2, 3, 4 and 5…, then the table of their offsets.
func (s *pdfSurface) WriteTo(w io.Writer) (int64, error) {
	var out bytes.Buffer
	var offsets []int
	object := func(format string, args ...any) {
		offsets = append(offsets, out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n", len(offsets))
		fmt.Fprintf(&out, format, args...)
		out.WriteString("\nendobj\n")
	}
	out.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	object("<</Type /Catalog /Pages 2 0 R>>")
	object("<</Type /Pages /Kids [3 0 R] /Count 1>>")
	var names bytes.Buffer
	for i := range s.images {
		fmt.Fprintf(&names, "/I%d %d 0 R ", i, 5+i)
	}
	object("<</Type /Page /Parent 2 0 R /MediaBox [0 0 %s %s] /Contents 4 0 R /Resources <</XObject <<%s>>%s>>>>",
		number(s.width), number(s.height), names.String(), s.words.resource(5+len(s.images)))
	page := deflate(s.page.Bytes())
	object("<</Length %d /Filter /FlateDecode>>\nstream\n%s\nendstream", len(page), page)
	for _, m := range s.images {
		data := deflate(m.rgb)
		object("<</Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB /BitsPerComponent 8 "+
			"/Interpolate false /Length %d /Filter /FlateDecode>>\nstream\n%s\nendstream",
			m.width, m.height, len(data), data)
	}
	for _, text := range s.words.objects(5 + len(s.images)) {
		object("%s", text)
	}
	table := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, o := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&out, "trailer\n<</Size %d /Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, table)
	return out.WriteTo(w)
}

// deflate compresses into memory, which cannot fail.
func deflate(data []byte) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write(data)
	z.Close()
	return b.Bytes()
}
