package main

import "instanton/plot"

// figure has the map of scores above the diagonal, known contacts below it, and the PPV.
func (f *couplingsFlags) figure() plot.Figure {
	n := len(f.scores)
	edges := [2]float64{0.5, float64(n) + 0.5}
	axis := func(label string) plot.Axis { return plot.Axis{Label: label, Limits: plot.Between(edges[0], edges[1])} }
	z := make([][]float64, n)
	for j := range z {
		z[j] = make([]float64, n)
		for i := range z[j] {
			// Column i, row j from below: the upper triangle is i < j.
			if i < j || f.truth == nil && i != j {
				z[j][i] = max(0, f.scores[i][j])
			}
		}
	}
	series := []plot.Series{plot.Heatmap{Z: z, X: edges, Y: edges, Map: plot.Greys, Bar: plot.Axis{Label: "score"}}}
	figure := plot.Figure{Width: 11}
	if f.truth != nil {
		size := min(5.6, 150/float64(n))
		known := plot.Points{Name: "contacts", Color: plot.Blue, Marker: plot.Square, Size: size}
		for p := range f.ordered() {
			known.X, known.Y = append(known.X, float64(p[1]+1)), append(known.Y, float64(p[0]+1))
		}
		hits := plot.Points{Name: "right", Color: plot.Green, Marker: plot.Circle, Size: size}
		misses := plot.Points{Name: "wrong", Color: plot.Vermilion, Marker: plot.Circle, Size: size}
		for _, p := range f.ranked[:min(len(f.truth), len(f.ranked))] {
			to := &misses
			if f.truth.Has(p.I, p.J) {
				to = &hits
			}
			to.X, to.Y = append(to.X, float64(p.I+1)), append(to.Y, float64(p.J+1))
		}
		series = append(series, known)
		for _, points := range []plot.Points{hits, misses} {
			if len(points.X) > 0 {
				series = append(series, points)
			}
		}
		figure = plot.Figure{Width: plot.TwoColumns, Columns: 2}
	}
	figure.Panels = []plot.Panel{{X: axis("site $i$"), Y: axis("site $j$"), Series: series, Legend: plot.LegendAbove}}
	if f.truth != nil {
		most := min(len(f.ppv), 5*len(f.truth))
		curve := plot.Line{Color: plot.Blue}
		for k, x := range f.ppv[:most] {
			curve.X, curve.Y = append(curve.X, float64(k+1)), append(curve.Y, x)
		}
		chance := float64(len(f.truth)) / float64(len(f.ranked))
		figure.Panels = append(figure.Panels, plot.Panel{
			X: plot.Axis{Label: "number of pairs", Log: true},
			Y: plot.Axis{Label: "PPV", Limits: plot.Between(0, 1.02)},
			Series: []plot.Series{curve, plot.VLine{At: float64(len(f.truth)), Label: "contacts"},
				plot.HLine{At: chance, Label: "chance"}}})
	}
	return figure
}

// ordered runs over the known contacts in order.
func (f *couplingsFlags) ordered() func(yield func([2]int) bool) {
	return func(yield func([2]int) bool) {
		for i := range f.scores {
			for j := i + 1; j < len(f.scores); j++ {
				if f.truth.Has(i, j) && !yield([2]int{i, j}) {
					return
				}
			}
		}
	}
}
