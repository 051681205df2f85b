package main

import (
	"instanton/evaluate"
	"instanton/plot"
)

// maxMomentPoints is the number of points in a panel; of more, every k-th is drawn.
const maxMomentPoints = 5000

// momentFigure draws the moments of the model against those of the data, with the line on which they agree.
func momentFigure(r *evaluate.MomentReport) plot.Figure {
	var f plot.Figure
	for _, m := range []struct{ key, label string }{
		{"v", "⟨$v$⟩"}, {"vv_connected", "⟨$vv$⟩ − ⟨$v$⟩⟨$v$⟩"}, {"h", "⟨$h$⟩"},
		{"vh_connected", "⟨$vh$⟩ − ⟨$v$⟩⟨$h$⟩"},
	} {
		data, model := r.Pairs[m.key][0], r.Pairs[m.key][1]
		if len(data) == 0 {
			continue
		}
		every := (len(data) + maxMomentPoints - 1) / maxMomentPoints
		var x, y []float64
		lo, hi := data[0], data[0]
		for k := range data {
			lo, hi = min(lo, data[k], model[k]), max(hi, data[k], model[k])
			if k%every == 0 {
				x, y = append(x, data[k]), append(y, model[k])
			}
		}
		f.Panels = append(f.Panels, plot.Panel{
			Title: m.label, X: plot.Axis{Label: "data"}, Y: plot.Axis{Label: "model"}, Aspect: 1,
			Legend: plot.LegendNone,
			Series: []plot.Series{
				plot.Line{X: []float64{lo, hi}, Y: []float64{lo, hi}, Color: plot.Black},
				plot.Points{X: x, Y: y, Marker: plot.Disc, Size: 2},
			},
		})
	}
	f.Columns = 2
	return f
}
