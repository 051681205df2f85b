package run

import (
	"bytes"
	"slices"

	"instanton/plot"
)

// draw writes figures/curves.png.
func (r *Run) draw() error {
	if len(r.metrics.reports) < 2 {
		return nil
	}
	var b bytes.Buffer
	if err := Curves(r.metrics.reports).Encode(&b, "png"); err != nil {
		return err
	}
	return writeFile(r.path("figures", "curves.png"), b.Bytes())
}

// Curves draws the reports of a training: likelihood, pseudo-likelihood, norms, learning rate and, if samples are held
// out, the free-energy gap.
func Curves(reports []Report) plot.Figure {
	panel := func(label string, lines ...plot.Series) plot.Panel {
		return plot.Panel{X: plot.Axis{Label: "epoch"}, Y: plot.Axis{Label: label}, Series: lines}
	}
	line := func(name string, value func(Report) *float64) plot.Series {
		l := plot.Line{Name: name}
		for _, r := range reports {
			if y := value(r); y != nil {
				l.X, l.Y = append(l.X, r.Epoch), append(l.Y, *y)
			}
		}
		return l
	}
	has := func(value func(Report) *float64) bool { return value(reports[len(reports)-1]) != nil }
	pseudo := func(r Report) *float64 { return r.PseudoLikelihood }
	valid := func(r Report) *float64 { return r.ValidPseudoLikelihood }
	likelihood := func(r Report) *float64 { return r.LogLikelihood }
	gap := func(r Report) *float64 { return r.FreeEnergyGap }

	var panels []plot.Panel
	if slices.ContainsFunc(reports, func(r Report) bool { return r.LogLikelihood != nil }) {
		panels = append(panels, panel("log-likelihood", line("", likelihood)))
	}
	if has(pseudo) {
		series := []plot.Series{line("", pseudo)}
		if has(valid) {
			series = []plot.Series{line("training", pseudo), line("held out", valid)}
		}
		panels = append(panels, panel("pseudo-log-likelihood", series...))
	}
	if has(gap) {
		panels = append(panels, panel("free-energy gap", line("", gap), plot.HLine{At: 0}))
	}
	gradient := panel("norm of the gradient", line("", func(r Report) *float64 { return &r.GradientNorm }))
	rate := panel("learning rate", line("", func(r Report) *float64 { return &r.LearningRate }))
	for _, r := range reports { // a gradient of zero has no logarithm
		gradient.Y.Log = gradient.Y.Log || r.GradientNorm > 0
		rate.Y.Log = rate.Y.Log || r.LearningRate > 0
	}
	return plot.Figure{Panels: append(panels,
		panel("norm of the weights", line("", func(r Report) *float64 { return &r.WeightNorm })), gradient, rate)}
}
