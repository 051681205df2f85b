package main

import (
	"instanton/contest"
	"instanton/plot"
)

// mixFigure shows, for each sampler, which run is in which mode in the course of time. Runs that started in the same
// place lie side by side.
func mixFigure(r *contest.Contest) plot.Figure {
	var panels []plot.Panel
	for _, row := range r.Rows {
		if row.Error != "" {
			continue
		}
		p := plot.Occupation(row.ByPlace(len(r.Starts)), float64(row.Sweeps), r.Modes)
		p.Title = row.Sampler
		if !row.Mixed {
			p.Title += " (not mixed)"
		}
		panels = append(panels, p)
	}
	return plot.Figure{Columns: min(2, len(panels)), Width: plot.TwoColumns, Panels: panels}
}
