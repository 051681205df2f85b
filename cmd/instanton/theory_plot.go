package main

import (
	"fmt"

	"instanton/dynamics"
	"instanton/plot"
	"instanton/theory"
)

// curieWeissPlot shows the free energy with its states and barrier.
func curieWeissPlot(c theory.CurieWeiss) (plot.Figure, error) {
	star, err := c.Magnetization()
	if err != nil {
		return plot.Figure{}, err
	}
	var m, f []float64
	for k := -500; k <= 500; k++ {
		x := 0.999 * float64(k) / 500
		m, f = append(m, x), append(f, c.FreeEnergy(x))
	}
	return plot.Figure{Panels: []plot.Panel{{
		Label: plot.NoLabel, X: plot.Axis{Label: "magnetization $m$"}, Y: plot.Axis{Label: "free energy $f(m)$"},
		Series: []plot.Series{
			plot.Line{Name: fmt.Sprintf("$w = %g$", c.W), X: m, Y: f},
			plot.Points{Name: "states", X: []float64{-star, star},
				Y: []float64{c.FreeEnergy(star), c.FreeEnergy(star)}},
			plot.Points{Name: "barrier", X: []float64{0}, Y: []float64{c.FreeEnergy(0)}},
		},
	}}}, nil
}

// criticalPlot shows the free energy of critical points by their index.
func criticalPlot(points []theory.CriticalPoint) plot.Figure {
	var x, f []float64
	top := 0
	for _, p := range points {
		x, f = append(x, float64(p.Index)), append(f, p.F)
		top = max(top, p.Index)
	}
	var ticks []plot.Tick
	for k := range top + 1 {
		ticks = append(ticks, plot.Tick{Value: float64(k), Label: fmt.Sprint(k)})
	}
	return plot.Figure{Panels: []plot.Panel{{
		Label: plot.NoLabel,
		X: plot.Axis{Label: "index: descending directions", Ticks: ticks,
			Limits: plot.Between(-0.5, float64(top)+0.5)},
		Y:      plot.Axis{Label: "free energy $f$"},
		Series: []plot.Series{plot.Points{Name: "critical points", X: x, Y: f}},
		Legend: plot.LegendNone,
	}}}
}

// pathPlot shows an optimal path: order parameters, hidden values, action and free energy.
func pathPlot(p *theory.Path) plot.Figure {
	steps := len(p.H)
	t := make([]float64, steps+1)
	for k := range t {
		t[k] = float64(k)
	}
	total := make([]float64, steps+1)
	for k, d := range p.Delta {
		total[k+1] = total[k] + d
	}
	time := plot.Axis{Label: "step $t$"}
	panels := []plot.Panel{
		{X: time, Y: plot.Axis{Label: "magnetization $m_μ$"}, Series: plot.Components(t, p.M, "m")},
		{X: time, Y: plot.Axis{Label: "hidden unit $h_μ$"}, Series: plot.Components(t[1:], p.H, "h")},
		{X: time, Y: plot.Axis{Label: "action"}, Series: []plot.Series{
			plot.Line{Name: "$Φ(t)$", X: t, Y: total}, plot.Line{Name: "$δΦ(t)$", X: t[1:], Y: p.Delta},
		}},
		{X: time, Y: plot.Axis{Label: "free energy $f$"}, Legend: plot.LegendNone,
			Series: []plot.Series{plot.Line{Name: "$f(t)$", X: t, Y: p.F}}},
	}
	return plot.Figure{Panels: panels, Columns: 2, Width: plot.TwoColumns}
}

// perturbationPlot shows how action and first barrier of two hidden units change with their overlap,
// the weight chosen to keep the states: exact, and to first order.
func perturbationPlot(p theory.Perturbation, alpha float64) (plot.Figure, error) {
	const n = 20
	base, err := theory.Pair{W: p.W}.Barriers()
	if err != nil {
		return plot.Figure{}, err
	}
	var a, action, first, actionLine, firstLine []float64
	for k := range n + 1 {
		x := alpha * float64(k) / n
		pair, err := p.At(x)
		if err != nil {
			return plot.Figure{}, err
		}
		b, err := pair.Barriers()
		if err != nil {
			return plot.Figure{}, err
		}
		a, action, first = append(a, x), append(action, b.Action-base.Action), append(first, b.Highest-base.Highest)
		actionLine, firstLine = append(actionLine, p.DAction*x), append(firstLine, p.DBarrier*x)
	}
	return plot.Figure{Panels: []plot.Panel{{
		Label: plot.NoLabel, X: plot.Axis{Label: "overlap $α$"}, Y: plot.Axis{Label: "change from $α = 0$"},
		Series: []plot.Series{
			plot.Line{Name: "action $Φ$", X: a, Y: action, Color: plot.Blue},
			plot.Line{Name: "first order", X: a, Y: actionLine, Color: plot.Blue, Dash: plot.Dashed},
			plot.Line{Name: "first barrier", X: a, Y: first, Color: plot.Vermilion},
			plot.Line{Name: "first order ", X: a, Y: firstLine, Color: plot.Vermilion, Dash: plot.Dashed},
		},
	}}}, nil
}

// stationaryPlot shows the law of the number of up spins of a lumped chain, or of the sum of the hidden values of a
// hidden one.
func stationaryPlot(c *dynamics.Chain) plot.Figure {
	x, law := c.Law()
	value, name := "spins up $k$", "$P(k)$"
	if c.OnHidden() {
		value, name = "hidden values $h_1 + h_2$", "$P(h_1 + h_2)$"
	}
	return plot.Figure{Panels: []plot.Panel{{
		Label: plot.NoLabel, X: plot.Axis{Label: value}, Y: plot.Axis{Label: name, Log: true},
		Series: []plot.Series{plot.Line{Name: "stationary law", X: x, Y: law}}, Legend: plot.LegendNone,
	}}}
}
