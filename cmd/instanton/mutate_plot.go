package main

import (
	"fmt"
	"math"
	"strconv"

	"instanton/plot"
)

// Positions per row of a heat map of mutants.
const mutantColumns = 60

// heatMap shows ΔE of every state (rows, the first at the top) at every position, with dots for the wild type.
func (f *mutateFlags) heatMap(delta [][]float64) plot.Figure {
	figure := plot.Figure{Columns: 1, Width: plot.TwoColumns}
	q, top := len(delta[0]), 0.0
	for _, row := range delta {
		for _, d := range row {
			top = max(top, math.Abs(d))
		}
	}
	var letters []plot.Tick
	for a := range q {
		letters = append(letters, plot.Tick{Value: float64(q - a), Label: f.notation.State(a)})
	}
	width := min(len(delta), mutantColumns)
	for from := 0; from < len(delta); from += width {
		to := min(from+width, len(delta))
		dots := plot.Points{Color: plot.Black, Marker: plot.Disc, Size: 2.2}
		z := make([][]float64, q)
		for a := range z {
			z[a] = make([]float64, to-from)
		}
		var ticks []plot.Tick
		for i := from; i < to; i++ {
			for a, d := range delta[i] {
				z[q-1-a][i-from] = d
			}
			x := float64(f.first + i)
			dots.X, dots.Y = append(dots.X, x), append(dots.Y, float64(q-f.x.Wild[i]))
			if n := f.first + i; n%5 == 0 || i == 0 {
				ticks = append(ticks, plot.Tick{Value: x, Label: strconv.Itoa(n)})
			}
		}
		lo, hi := float64(f.first+from)-0.5, float64(f.first+to)-0.5
		figure.Panels = append(figure.Panels, plot.Panel{
			Label: plot.NoLabel, Legend: plot.LegendNone, Aspect: math.Max(0.2, 1.1*float64(q)/float64(to-from)*0.6),
			X: plot.Axis{Ticks: ticks, Limits: plot.Between(lo, hi)},
			Y: plot.Axis{Ticks: letters, Limits: plot.Between(0.5, float64(q)+0.5)},
			Series: []plot.Series{plot.Heatmap{Z: z, X: [2]float64{lo, hi}, Y: [2]float64{0.5, float64(q) + 0.5},
				Map: plot.Diverging, Bar: plot.Axis{Label: "$ΔE$", Limits: plot.Between(-top, top)}}, dots},
		})
	}
	figure.Panels[len(figure.Panels)-1].X.Label = "position"
	return figure
}

// pairMap shows the strength of the epistasis of each pair of sites.
func (f *mutateFlags) pairMap(strength [][]float64) plot.Figure {
	edges := [2]float64{float64(f.first) - 0.5, float64(f.first+len(strength)) - 0.5}
	axis := plot.Axis{Label: "position", Limits: plot.Between(edges[0], edges[1])}
	return plot.Figure{Width: 11, Panels: []plot.Panel{{X: axis, Y: axis, Series: []plot.Series{
		plot.Heatmap{Z: strength, X: edges, Y: edges, Bar: plot.Axis{Label: "rms epistasis", Limits: plot.From(0)}}}}}}
}

// measuredFigure is a scatter of measurements against the model.
func measuredFigure(minus, values []float64, rho float64) plot.Figure {
	return plot.Figure{Panels: []plot.Panel{{Title: fmt.Sprintf("Spearman's $ρ = %.2f$", rho),
		X: plot.Axis{Label: "$-ΔE$ of the model"}, Y: plot.Axis{Label: "measured effect"},
		Series: []plot.Series{plot.Points{X: minus, Y: values, Color: plot.Blue, Marker: plot.Disc, Size: 2}}}}}
}
