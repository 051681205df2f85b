package plot_test

import (
	"bytes"
	"fmt"
	"math"

	"instanton/plot"
)

// A figure with two panels for a two-column page. The same call with "figure.png" or "figure.svg"
// writes the other formats.
func Example() {
	var m, f []float64
	for x := -1.0; x <= 1; x += 0.01 {
		m = append(m, x)
		f = append(f, x*x*x*x-x*x)
	}
	figure := plot.Figure{Panels: []plot.Panel{
		{
			X: plot.Axis{Label: "magnetisation $m$"}, Y: plot.Axis{Label: "free energy $f(m)$"},
			Series: []plot.Series{
				plot.Line{Name: "$β = 1.2$", X: m, Y: f},
				plot.HLine{At: 0, Label: "barrier"},
			},
		},
		{
			X: plot.Axis{Label: "size $N$", Log: true}, Y: plot.Axis{Label: "rate", Log: true},
			Series: []plot.Series{
				plot.Points{Name: "AGS", X: []float64{10, 100}, Y: []float64{1e-2, 1e-4}, YErr: []float64{1e-3, 2e-5}},
			},
		},
	}}
	var b bytes.Buffer
	if err := figure.Encode(&b, "pdf"); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", b.Bytes()[:8])
	// Output: %PDF-1.4
}

// Errors name the panel and the series that are wrong.
func ExampleFigure_Encode() {
	figure := plot.Figure{Panels: []plot.Panel{{
		Title:  "overlaps",
		Series: []plot.Series{plot.Line{Name: "AGS", X: []float64{0, 1, 2}, Y: []float64{1, math.NaN()}}},
	}}}
	fmt.Println(figure.Encode(&bytes.Buffer{}, "svg"))
	// Output: plot: panel 1 ("overlaps"): series 1, Line ("AGS"): X has 3 values and Y has 2, expected equally many
}

// A configuration of 3 × 3 spins; up is black.
func ExamplePicture() {
	img, err := plot.Picture(3, []int8{1, 1, 1, -1, -1, -1, 1, 1, 1}, -1, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(img.Bounds().Size(), img.At(0, 0), img.At(0, 1))
	// Output: (3,3) {0} {255}
}
