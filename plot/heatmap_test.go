package plot

import (
	"image/color"
	"math"
	"testing"
)

func TestColormapEnds(t *testing.T) {
	for _, c := range []struct {
		m    Colormap
		t    float64
		want color.RGBA
	}{
		{Viridis, 0, color.RGBA{0x44, 0x01, 0x54, 255}},
		{Viridis, 1, color.RGBA{0xfd, 0xe7, 0x25, 255}},
		{Viridis, 7, color.RGBA{0xfd, 0xe7, 0x25, 255}},
		{Diverging, 0.5, color.RGBA{0xf7, 0xf7, 0xf7, 255}},
		{Greys, 0.5, color.RGBA{128, 128, 128, 255}},
		{Greys, -1, color.RGBA{255, 255, 255, 255}},
	} {
		if got := c.m.at(c.t); got != c.want {
			t.Errorf("map %d at %g is %v, expected %v", c.m, c.t, got, c.want)
		}
	}
}

// lightness is L* of CIELAB (D65) for an sRGB colour.
func lightness(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	y := 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
	return 116*math.Cbrt(y) - 16
}

// TestViridisIsEven checks that lightness grows everywhere, and nowhere more than twice as fast as on average.
func TestViridisIsEven(t *testing.T) {
	const n = 40
	mean := (lightness(Viridis.at(1)) - lightness(Viridis.at(0))) / n
	for i := range n {
		step := lightness(Viridis.at(float64(i+1)/n)) - lightness(Viridis.at(float64(i)/n))
		if step <= 0 || step > 2*mean {
			t.Errorf("between %d/%d and %d/%d the lightness grows by %.2f, on average by %.2f", i, n, i+1, n, step,
				mean)
		}
	}
}

func TestDivergingHasZeroInTheMiddle(t *testing.T) {
	lo, hi, err := Heatmap{Z: [][]float64{{-1, 3, math.NaN()}}, Map: Diverging}.colorLimits()
	if err != nil || lo != -3 || hi != 3 {
		t.Errorf("the colours run from %g to %g (error %v), expected −3 to 3", lo, hi, err)
	}
}

func TestCellOf(t *testing.T) {
	edges := [2]float64{-1, 1}
	for v, want := range map[float64]int{-1: 0, -0.51: 0, -0.49: 1, 0.99: 3, 1: -1, -1.01: -1} {
		if got := cellOf(v, edges, 4); got != want {
			t.Errorf("%g lies in cell %d, expected %d", v, got, want)
		}
	}
}

func TestScaleAndItsInverse(t *testing.T) {
	for _, s := range []scale{{lo: -2, hi: 5, to: 1}, {lo: 1e-3, hi: 1e4, log: true, to: 1}} {
		for _, share := range []float64{0, 0.25, 0.9, 1} {
			if got := float64(s.at(s.value(share))); math.Abs(got-share) > 1e-12 {
				t.Errorf("%+v maps the value at %g to %g", s, share, got)
			}
		}
	}
}
