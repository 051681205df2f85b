package main

import (
	"math"

	"instanton/contest"
	"instanton/plot"
)

// mixFigure shows, for each sampler, which run is in which mode in the course of time. Runs that started in the same
// place lie side by side.
func mixFigure(r *contest.Contest) plot.Figure {
	last := float64(len(r.Modes) - 1)
	bar := plot.Axis{Limits: plot.Between(0, last)}
	for a, name := range r.Modes {
		if len(r.Modes) <= 12 {
			bar.Ticks = append(bar.Ticks, plot.Tick{Value: float64(a), Label: name})
		}
	}
	var panels []plot.Panel
	for _, row := range r.Rows {
		if row.Error != "" {
			continue
		}
		var z [][]float64
		for start := range r.Starts {
			for run := start; run < len(row.Path); run += len(r.Starts) {
				line := make([]float64, len(row.Path[run]))
				for i, mode := range row.Path[run] {
					line[i] = float64(mode)
					if mode < 0 {
						line[i] = math.NaN()
					}
				}
				z = append(z, line)
			}
		}
		title := row.Sampler
		if !row.Mixed {
			title += " (not mixed)"
		}
		panels = append(panels, plot.Panel{Title: title, Aspect: 0.6,
			X: plot.Axis{Label: "sweep"}, Y: plot.Axis{Label: "run"},
			Series: []plot.Series{plot.Heatmap{Z: z, X: [2]float64{0, float64(row.Sweeps)},
				Y: [2]float64{0.5, float64(len(z)) + 0.5}, Bar: bar}}})
	}
	return plot.Figure{Columns: min(2, len(panels)), Width: plot.TwoColumns, Panels: panels}
}
