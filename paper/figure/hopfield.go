package figure

import (
	"context"
	"fmt"

	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/rbm"
	"instanton/sampler"
)

func hopfieldFigure() verdict.Figure {
	return verdict.Figure{
		Name: "fig-transition-hopfield", Title: "Hopfield model: transitions between patterns",
		Shows: "N = 128 spins, M = 6 orthogonal patterns, w = 1.35. A transition of AGS from one pattern to " +
			"another, with hidden units along the patterns (above) and turned by a " +
			"random rotation (below).",
		Version: 3, Run: runHopfieldTransitions,
	}
}

const transitionWeight = 1.35

func runHopfieldTransitions(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	chains, draws := 96, 50_000
	if s.Quick {
		chains, draws = 48, 25_000
	}
	var r verdict.Result
	rotation := s.SeedFor("hopfield rotation")
	aligned, err := experiment.AlignedHopfield(transitionWeight)
	if err != nil {
		return nil, err
	}
	rotated, err := experiment.RotatedHopfield(transitionWeight, rotation)
	if err != nil {
		return nil, err
	}
	var runs []*experiment.HopfieldRun
	for k, machine := range []*rbm.RBM{aligned, rotated} {
		name := []string{"aligned", "rotated"}[k]
		s.Progress("following %d chains, weights %s", chains, name)
		kernel, err := sampler.NewGibbs(machine, 1)
		if err != nil {
			return nil, err
		}
		run, err := experiment.RunHopfield(ctx, kernel, experiment.HopfieldPlan{Chains: chains, Draws: draws,
			Hidden: true, Seed: s.SeedFor("hopfield transitions " + name)}, s)
		if err != nil {
			return nil, err
		}
		if len(run.Changes) == 0 {
			return nil, fmt.Errorf("no chain of %d changed its state in %d steps", chains, draws)
		}
		runs = append(runs, run)
	}
	var panels []plot.Panel
	for k, run := range runs {
		c := shownChange(run)
		middle := (c.Left + c.Draw) / 2
		t, m, h := run.Window(c.Chain, middle-60, middle+60)
		table := r.Table([]string{"aligned", "rotated"}[k],
			"Overlaps with the patterns and hidden values over √N on the way from one pattern to another.",
			"t", "m1", "m2", "m3", "m4", "m5", "m6", "h1", "h2", "h3", "h4", "h5", "h6")
		for d := range t {
			row := []any{t[d]}
			for _, x := range append(append([]float64{}, m[d]...), h[d]...) {
				row = append(row, x)
			}
			table.Add(row...)
		}
		step := plot.Axis{Label: "AGS step"}
		ms, hs := byPattern(m, t), byPattern(h, t)
		panels = append(panels,
			plot.Panel{X: step, Y: plot.Axis{Label: "magnetization $m_μ$"}, Series: ms, Aspect: 0.5,
				Legend: plot.LegendAbove},
			plot.Panel{X: step, Y: plot.Axis{Label: "hidden unit $h_μ$"}, Series: hs, Aspect: 0.5,
				Legend: plot.LegendAbove})
	}
	r.Draw("",
		"Hopfield model, N = 128, M = 6, w = 1.35: a transition of AGS from one pattern to another. (a) Overlaps "+
			"with the patterns and (b) hidden units over √N for weights along "+
			"the patterns. (c), (d) The same for weights turned by a random rotation.",
		plot.Figure{Columns: 2, Width: plot.TwoColumns, Panels: panels})
	transitionClaims(&r, runs, rbm.RandomRotation(experiment.HopfieldPatterns, rotation))
	if err := codingClaims(&r, runs, rbm.RandomRotation(experiment.HopfieldPatterns, rotation)); err != nil {
		return nil, err
	}
	if err := rotatedAction(&r, rotation); err != nil {
		return nil, err
	}
	return &r, hopfieldTimes(ctx, &r, s)
}

// byPattern draws each component of a sequence of vectors, numbered.
func byPattern(rows [][]float64, t []float64) (all []plot.Series) {
	for mu := range rows[0] {
		name := fmt.Sprintf("$%d$", mu+1)
		if mu == 0 {
			name = "$μ = 1$"
		}
		all = append(all, plot.Line{Name: name, X: t, Y: column(rows, mu)})
	}
	return all
}

// shownChange is a change from one pattern to another, not to its opposite, that took neither few nor many steps.
func shownChange(r *experiment.HopfieldRun) experiment.HopfieldChange {
	best := r.Changes[0]
	score := func(c experiment.HopfieldChange) int {
		n := abs(c.Draw - c.Left - 25)
		if c.From%experiment.HopfieldPatterns == c.To%experiment.HopfieldPatterns || c.Left < 60 ||
			c.Draw+60 > r.Draws {
			n += 1000
		}
		return n
	}
	for _, c := range r.Changes {
		if score(c) < score(best) {
			best = c
		}
	}
	return best
}
