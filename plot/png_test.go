package plot

import (
	"bytes"
	"image/png"
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestPNGTellsItsResolution(t *testing.T) {
	var b bytes.Buffer
	if _, err := newPNG(72, 36, 300).WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	// 300 dots per inch are 11811 = 0x2e23 dots per metre.
	if !bytes.Contains(b.Bytes(), []byte("pHYs\x00\x00\x2e\x23\x00\x00\x2e\x23\x01")) {
		t.Error("the resolution is missing")
	}
	img, err := png.Decode(&b) // checks the checksum of every chunk
	if err != nil || img.Bounds().Dx() != 300 || img.Bounds().Dy() != 150 {
		t.Errorf("the picture does not decode to 300 × 150 dots: %v", err)
	}
}

// TestLongLinesInPieces draws a dashed line in one piece and, with more points on it, in many, and
// compares the pictures.
func TestLongLinesInPieces(t *testing.T) {
	drawn := func(n int) *pngSurface {
		s := newPNG(200, 40, 72)
		var pts []vg.Point
		for i := range n {
			x := vg.Length(i) / vg.Length(n-1)
			pts = append(pts, vg.Point{X: 10 + 180*x, Y: 5 + 30*x})
		}
		s.stroke(polyline(pts...), stroke{width: 2, color: ink, dash: Dashed.lengths()})
		return s
	}
	one, many := drawn(2), drawn(500)
	var differ, dark float64
	for y := range 40 {
		for x := range 200 {
			a, _, _, _ := one.canvas.Image().At(x, y).RGBA()
			b, _, _, _ := many.canvas.Image().At(x, y).RGBA()
			differ += math.Abs(float64(a)-float64(b)) / 0xffff
			dark += 1 - float64(a)/0xffff
		}
	}
	// Both are rounded to 1/64 pixel per point; a wrong phase would shift every dash.
	if differ > 0.1*dark {
		t.Errorf("the pictures differ by %.3g of the ink", differ/dark)
	}
}
