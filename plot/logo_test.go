package plot_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"instanton/plot"
	"instanton/plot/plottest"
)

// logo has a column of every amino acid, conserved and even ones, and heights below zero.
func logo() plot.Figure {
	const letters = "-ACDEFGHIKLMNPQRSTVWY"
	l := plot.Logo{Letters: letters, First: 1}
	for i := range 24 {
		heights := make([]float64, len(letters))
		for a := range heights {
			heights[a] = 0.15 * math.Abs(math.Sin(float64(3*i+5*a)))
		}
		if i < 21 {
			heights[i] = 3
		}
		l.Heights = append(l.Heights, heights)
	}
	l.Heights[22] = make([]float64, len(letters))
	for a := range 6 {
		l.Heights[22][a+8], l.Heights[23][a+2] = -float64(a)/5, -float64(a)/10
	}
	return plot.Figure{Width: plot.TwoColumns, Panels: []plot.Panel{{
		Aspect: 0.25, X: plot.Axis{Label: "column"}, Y: plot.Axis{Label: "bits"}, Series: []plot.Series{l},
	}}}
}

func TestGoldenLogo(t *testing.T) { plottest.Golden(t, "logo", logo(), *update) }

func TestLogoRefuses(t *testing.T) {
	for want, l := range map[string]plot.Logo{
		"has no position":           {Letters: "AC"},
		"position 1 has 1 heights":  {Letters: "AC", Heights: [][]float64{{1}}},
		"expected a finite number":  {Letters: "AC", Heights: [][]float64{{1, math.NaN()}}},
		"'C' at position 2 is +Inf": {Letters: "AC", Heights: [][]float64{{1, 1}, {1, math.Inf(1)}}},
	} {
		err := plot.Figure{Panels: []plot.Panel{{Series: []plot.Series{l}}}}.Encode(&bytes.Buffer{}, "svg")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
