package plottest

import (
	"image"
	"image/color"
	"testing"
)

// One tick more must fail the comparison.
func TestCompareSeesAMovedStroke(t *testing.T) {
	white := image.NewGray(image.Rect(0, 0, 340, 240))
	for i := range white.Pix {
		white.Pix[i] = 255
	}
	ticked := image.NewGray(white.Bounds())
	copy(ticked.Pix, white.Pix)
	for y := range 12 { // a tick
		ticked.SetGray(100, 20+y, color.Gray{})
	}
	if _, share := compare(white, white); share != 0 {
		t.Errorf("a picture differs from itself by %g", share)
	}
	if _, share := compare(white, ticked); share <= allowed {
		t.Errorf("a stroke of 12 pixels changes a share of %g, which a golden test would let pass", share)
	}
}
