// Package plottest compares figures with pictures that a person has checked.
package plottest

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"instanton/plot"
)

// Rasterisers round differently between processors (fused multiply-add), which moves single grey
// levels at the edges of strokes; a moved label or tick changes whole strokes.
const (
	edge    = 48   // levels by which a pixel may differ before it counts as different
	allowed = 1e-4 // fraction of pixels that may differ
	dpi     = 100
)

// Golden compares a figure with the image testdata/NAME.png, or writes that image if update is set.
func Golden(t *testing.T, name string, figure plot.Figure, update bool) {
	t.Helper()
	figure.DPI = dpi
	var b bytes.Buffer
	if err := figure.Encode(&b, "png"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name+".png")
	if update {
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	golden, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run the test with -update to make it)", err)
	}
	want, got := decode(t, golden), decode(t, b.Bytes())
	if want.Bounds() != got.Bounds() {
		t.Fatalf("the figure is %v large, its golden image %v", got.Bounds().Size(), want.Bounds().Size())
	}
	if diff, share := compare(want, got); share > allowed {
		t.Errorf("a fraction %.3g of the pixels differs from %s, at most %.3g is allowed; see %s", share, path, allowed,
			keep(t, name, b.Bytes(), diff))
	}
}

func decode(t *testing.T, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// compare returns an image with the differing pixels in red over the faded picture, and their fraction.
func compare(want, got image.Image) (*image.RGBA, float64) {
	b := want.Bounds()
	diff := image.NewRGBA(b)
	differ := 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			w := color.RGBAModel.Convert(want.At(x, y)).(color.RGBA)
			g := color.RGBAModel.Convert(got.At(x, y)).(color.RGBA)
			fade := 200 + w.G/5
			diff.SetRGBA(x, y, color.RGBA{fade, fade, fade, 255})
			if max(distance(w.R, g.R), distance(w.G, g.G), distance(w.B, g.B)) > edge {
				differ++
				diff.SetRGBA(x, y, color.RGBA{R: 255, A: 255})
			}
		}
	}
	return diff, float64(differ) / float64(b.Dx()*b.Dy())
}

func distance(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// keep writes the picture and the differences to a place that outlives the test, and returns it.
func keep(t *testing.T, name string, got []byte, diff image.Image) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "plot-"+name+"-")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, diff); err != nil {
		t.Fatal(err)
	}
	for file, data := range map[string][]byte{"got.png": got, "diff.png": b.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "diff.png")
}
