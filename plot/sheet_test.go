package plot

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"
)

func TestPicture(t *testing.T) {
	img, err := Picture(2, []float32{-1, 1, 0, float32(math.NaN()), 5, -5}, -1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if img.Bounds() != image.Rect(0, 0, 2, 3) {
		t.Fatalf("the picture is %v", img.Bounds())
	}
	for i, want := range []uint8{255, 0, 128, 128, 0, 255} {
		if got := img.At(i%2, i/2).(color.Gray).Y; got != want {
			t.Errorf("pixel %d is %d, expected %d", i, got, want)
		}
	}
}

func TestPictureErrors(t *testing.T) {
	for _, c := range []struct {
		width, n int
		lo, hi   int8
		want     string
	}{
		{0, 4, 0, 1, "4 values do not fill rows of 0 pixels"},
		{3, 4, 0, 1, "4 values do not fill rows of 3 pixels"},
		{3, 0, 0, 1, "0 values"},
		{2, 4, 1, 1, "white is 1 and black is 1"},
	} {
		if _, err := Picture(c.width, make([]int8, c.n), c.lo, c.hi); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, expected one that says %q", err, c.want)
		}
	}
}

// TestPicturesAreSharp draws a chequerboard and finds only its two colours inside.
func TestPicturesAreSharp(t *testing.T) {
	img, err := Picture(2, []uint8{0, 1, 1, 0}, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	f := Figure{Width: 2, DPI: 100, Panels: []Panel{{Images: &ImageSheet{Rows: []ImageRow{{Images: []image.Image{img,
		nil}}}}}}}
	f, err = f.resolved()
	if err != nil {
		t.Fatal(err)
	}
	lay := f.layout()
	s := newPNG(lay.width, lay.height, f.DPI)
	f.draw(s, lay)
	r := lay.cells[0].frame
	w, h, _ := f.Panels[0].Images.places(r.Size().X)
	dots := func(x float64) int { return int(x / 72 * 100) }
	x0, x1 := dots(float64(r.Min.X))+3, dots(float64(r.Min.X+w))-3
	top := float64(lay.height - r.Max.Y)
	y0, y1 := dots(top)+3, dots(top+float64(h))-3
	seen := map[color.RGBA]int{}
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			seen[color.RGBAModel.Convert(s.canvas.Image().At(x, y)).(color.RGBA)]++
		}
	}
	if len(seen) != 2 || seen[white] == 0 || seen[color.RGBA{A: 255}] == 0 {
		t.Errorf("a chequerboard shows the colours %v, expected black and white", seen)
	}
}
