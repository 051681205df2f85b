package plot

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// pngSurface rasterises with gonum's image canvas.
type pngSurface struct {
	canvas *vgimg.Canvas
	dpi    int
}

var _ surface = (*pngSurface)(nil)

func (s *pngSurface) keep(string, vg.Point, vg.Length, vg.Length, bool) {} // outlines alone

func newPNG(w, h vg.Length, dpi int) *pngSurface {
	return &pngSurface{vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi)), dpi}
}

func (s *pngSurface) fill(p vg.Path, c color.RGBA) {
	s.canvas.SetColor(c)
	s.canvas.Fill(p)
}

func (s *pngSurface) stroke(p vg.Path, l stroke) {
	s.canvas.SetColor(l.color)
	s.canvas.SetLineWidth(l.width)
	// The rasteriser's time grows with the square of what crosses a row of pixels, so long lines go
	// to it in pieces. Pieces overlap by a segment, which joins them, and carry the dashes on.
	const piece = 60
	if len(p) <= piece || !isPolyline(p) {
		s.canvas.SetLineDash(l.dash, 0)
		s.canvas.Stroke(p)
		return
	}
	var done, period vg.Length
	for _, d := range l.dash {
		period += d
	}
	for i := 0; i < len(p)-1; i += piece - 2 {
		part := append(vg.Path{}, p[i:min(i+piece, len(p))]...)
		part[0].Type = vg.MoveComp
		offset := vg.Length(0)
		if period > 0 {
			offset = vg.Length(math.Mod(float64(done), float64(period)))
		}
		s.canvas.SetLineDash(l.dash, offset)
		s.canvas.Stroke(part)
		for j := i; j < min(i+piece-2, len(p)-1); j++ {
			step := p[j+1].Pos.Sub(p[j].Pos)
			done += vg.Length(math.Hypot(float64(step.X), float64(step.Y)))
		}
	}
}

// isPolyline tells whether a path is one open line of straight segments.
func isPolyline(p vg.Path) bool {
	for i, c := range p {
		if (i == 0) != (c.Type == vg.MoveComp) || i > 0 && c.Type != vg.LineComp {
			return false
		}
	}
	return true
}

// picture copies pixels itself, because the canvas would blur what it magnifies.
func (s *pngSurface) picture(r vg.Rectangle, img image.Image) {
	page, b := s.canvas.Image(), img.Bounds()
	dots := func(l vg.Length) int { return int(math.Round(l.Dots(float64(s.dpi)))) }
	height := page.Bounds().Dy()
	x0, x1 := dots(r.Min.X), max(dots(r.Max.X), dots(r.Min.X)+1)
	y0, y1 := height-dots(r.Max.Y), max(height-dots(r.Min.Y), height-dots(r.Max.Y)+1)
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			page.Set(x, y, img.At(b.Min.X+(x-x0)*b.Dx()/(x1-x0), b.Min.Y+(y-y0)*b.Dy()/(y1-y0)))
		}
	}
}

// WriteTo writes the page with its resolution, so that LaTeX and word processors place it at the
// size it was drawn for.
func (s *pngSurface) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, s.canvas.Image()); err != nil {
		return 0, err
	}
	const header = 8 + 25 // the signature and the IHDR chunk; pHYs must stand before the image data
	out := append([]byte{}, b.Bytes()[:header]...)
	out = append(out, resolutionChunk(s.dpi)...)
	out = append(out, b.Bytes()[header:]...)
	n, err := w.Write(out)
	return int64(n), err
}

// resolutionChunk is the pHYs chunk of a PNG: length, name, pixels per metre twice, unit, checksum.
func resolutionChunk(dpi int) []byte {
	perMetre := uint32(math.Round(float64(dpi) / 0.0254))
	c := binary.BigEndian.AppendUint32(nil, 9)
	c = append(c, "pHYs"...)
	c = binary.BigEndian.AppendUint32(c, perMetre)
	c = binary.BigEndian.AppendUint32(c, perMetre)
	c = append(c, 1)
	return binary.BigEndian.AppendUint32(c, crc32.ChecksumIEEE(c[4:]))
}
