package figure

import (
	"context"
	"fmt"
	"math"

	"instanton/latent"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

func algoFigure() verdict.Figure {
	return verdict.Figure{
		Name: "fig-algo", Title: "The machine and the ways to sample it",
		Shows: "A Restricted Boltzmann Machine, and four ways to draw from it. Each is written out as a matrix on " +
			"a small machine to see whether it keeps the law it should.",
		Version: 3, Run: runAlgo,
	}
}

func runAlgo(_ context.Context, s verdict.Settings) (*verdict.Result, error) {
	var r verdict.Result
	r.Draw("",
		"(a) Every visible unit (blue) is tied to every hidden unit (green), and to no other. (b) Alternating Gibbs "+
			"sampling: all hidden units are drawn given the visible ones, "+
			"then the other way round. (c) Metropolis in the landscape of the visible units: one unit is flipped at "+
			"a time, hidden units summed out. (d) Alternating Gibbs sampling "+
			"with moves in hidden space: between its two halves hidden units are drawn again one by one given the "+
			"other hidden units, visible ones summed out. (e) The same with two hidden units at a time.",
		algoPlot())
	return &r, kernelsKeepTheirLaw(&r, s)
}

func algoPlot() plot.Figure {
	panel := func(d plot.Diagram, title string) plot.Panel { return plot.Panel{Diagram: &d, Title: title} }
	return plot.Figure{Columns: 3, Width: plot.TwoColumns, Panels: []plot.Panel{
		panel(architecture(), "RBM"),
		panel(alternating(), "alternating Gibbs sampling"),
		panel(hopping(), "Metropolis, unit by unit"),
		panel(latentMoves(1), "hidden units one by one"),
		panel(latentMoves(2), "hidden units in pairs"),
	}}
}

// architecture is the bipartite graph.
func architecture() plot.Diagram {
	d := plot.Diagram{Width: 12, Height: 8}
	const hidden, visible = 4, 6
	hx := func(k int) float64 { return 3 + 2*float64(k) }
	vx := func(k int) float64 { return 1 + 2*float64(k) }
	for i := range visible {
		for mu := range hidden {
			d.Shapes = append(d.Shapes, plot.Curve{X: []float64{vx(i), hx(mu)}, Y: []float64{1.4, 5.6},
				Color: plot.Grey, Width: 0.5})
		}
	}
	for mu := range hidden {
		d.Shapes = append(d.Shapes, plot.Node{X: hx(mu), Y: 5.6, R: 0.8, Text: fmt.Sprintf("$h_%d$", mu+1),
			Color: plot.Green})
	}
	for i := range visible {
		d.Shapes = append(d.Shapes, plot.Node{X: vx(i), Y: 1.4, R: 0.8, Text: fmt.Sprintf("$v_%d$", i+1),
			Color: plot.Blue})
	}
	d.Shapes = append(d.Shapes, plot.Words{X: 6, Y: 7.2, Text: "hidden layer, $U_μ(h_μ)$", Color: plot.Green},
		plot.Words{X: 6, Y: 0.1, Text: "visible layer, $V_i(v_i)$", Color: plot.Blue},
		plot.Words{X: 11, Y: 3.6, Text: "$W_{iμ}$", Color: plot.Grey})
	return d
}

// alternating is the zigzag between the layers.
func alternating() plot.Diagram {
	d := plot.Diagram{Width: 12, Height: 8}
	for k, text := range []string{"$v^t$", "$v^{t+1}$", "$v^{t+2}$"} {
		x := 1.3 + 4.7*float64(k)
		d.Shapes = append(d.Shapes, plot.Node{X: x, Y: 1.8, R: 1.05, Text: text, Color: plot.Blue})
		if k == 2 {
			continue
		}
		h := x + 2.35
		d.Shapes = append(d.Shapes, plot.Node{X: h, Y: 5.8, R: 1.05, Text: []string{"$h^{t+1}$", "$h^{t+2}$"}[k],
			Color: plot.Green},
			plot.Arrow{X0: x + 0.55, Y0: 2.8, X1: h - 0.55, Y1: 4.8},
			plot.Arrow{X0: h + 0.55, Y0: 4.8, X1: h + 1.8, Y1: 2.8})
	}
	d.Shapes = append(d.Shapes, plot.Words{X: 1.1, Y: 4.4, Text: "$P(h|v)$"},
		plot.Words{X: 6.05, Y: 4.0, Text: "$P(v|h)$"})
	return d
}

// hopping is a walker in a landscape with two valleys.
func hopping() plot.Diagram {
	d := plot.Diagram{Width: 12, Height: 8}
	height := func(x float64) float64 { // valleys at 3 and 9
		u := (x - 6) / 3
		return 2 + 2.6*(u*u-1)*(u*u-1) - 0.25*u
	}
	var x, y []float64
	for t := 1.45; t <= 10.55; t += 0.1 {
		x, y = append(x, t), append(y, height(t))
	}
	d.Shapes = append(d.Shapes, plot.Curve{X: x, Y: y, Width: 1.2})
	stops := []float64{2.3, 3.5, 4.5, 5.5}
	for k, t := range stops {
		c := plot.Blue
		if k < len(stops)-1 {
			n := stops[k+1]
			d.Shapes = append(d.Shapes, plot.Arrow{X0: t + 0.3, Y0: height(t) + 0.85, X1: n - 0.25,
				Y1: height(n) + 0.95, Bend: 0.35, Color: plot.Vermilion})
		}
		d.Shapes = append(d.Shapes, plot.Node{X: t, Y: height(t) + 0.42, R: 0.33, Color: c})
	}
	d.Shapes = append(d.Shapes,
		plot.Arrow{X0: 0.5, Y0: 0.9, X1: 11.6, Y1: 0.9}, plot.Words{X: 11.2, Y: 0.35, Text: "$v$"},
		plot.Arrow{X0: 0.5, Y0: 0.9, X1: 0.5, Y1: 7.6}, plot.Words{X: 0.9, Y: 7.4, Text: "$E^{eff}(v)$", Left: true},
		plot.Words{X: 7.9, Y: 6.4, Text: "one $v_i$ at a time,", Color: plot.Vermilion},
		plot.Words{X: 7.9, Y: 5.65, Text: "$min(1, e^{-ΔE^{eff}})$", Color: plot.Vermilion})
	return d
}

// latentMoves is a Gibbs step with hidden units drawn again on the way, so many at once.
func latentMoves(block int) plot.Diagram {
	d := plot.Diagram{Width: 12, Height: 8}
	units := 4
	row := func(x float64, hot map[int]bool) {
		for mu := range units {
			c := plot.Green
			if hot[mu] {
				c = plot.Vermilion
			}
			d.Shapes = append(d.Shapes, plot.Node{X: x + 1.05*float64(mu), Y: 5.6, R: 0.48, Color: c})
		}
	}
	hot := map[int]bool{1: true}
	law := "$h_μ ∼ P(h_μ|h_{¬μ})$"
	if block == 2 {
		hot[2] = true
		law = "$h_μ, h_ν ∼ P(h_μ, h_ν|h_{¬μ,ν})$"
	}
	row(0.7, nil)
	row(8.15, hot)
	d.Shapes = append(d.Shapes,
		plot.Arrow{X0: 4.6, Y0: 5.6, X1: 7.5, Y1: 5.6, Color: plot.Vermilion, Width: 1.3},
		plot.Words{X: 6.05, Y: 7.1, Text: law, Color: plot.Vermilion},
		plot.Node{X: 2.3, Y: 1.4, R: 1.05, Text: "$v^t$", Color: plot.Blue},
		plot.Arrow{X0: 2.3, Y0: 2.55, X1: 2.3, Y1: 4.9},
		plot.Words{X: 2.6, Y: 3.7, Text: "$P(h|v)$", Left: true},
		plot.Node{X: 9.7, Y: 1.4, R: 1.05, Text: "$v^{t+1}$", Color: plot.Blue},
		plot.Arrow{X0: 9.7, Y0: 4.9, X1: 9.7, Y1: 2.55},
		plot.Words{X: 7.15, Y: 3.7, Text: "$P(v|h)$", Left: true})
	return d
}

// kernelsKeepTheirLaw writes the transition matrices out on a machine of five spins.
func kernelsKeepTheirLaw(r *verdict.Result, s verdict.Settings) error {
	visible, hidden := unit.Spec{Type: unit.Spin, N: 5}, unit.Spec{Type: unit.Spin, N: 4}
	m, err := rbm.Random(visible, hidden, 2, s.Seed)
	if err != nil {
		return err
	}
	space, err := rbm.NewSpace(visible)
	if err != nil {
		return err
	}
	law, err := rbm.NewDistribution(m, space, 1)
	if err != nil {
		return err
	}
	claim := verdict.Claim{
		Name: "detailed-balance", Where: "algorithms 1 to 4, appendix C",
		Statement: "All four samplers leave P(v) unchanged, in detailed balance: also with moves in hidden space " +
			"between the two halves of a Gibbs step.",
		Criterion: "|P(v)T(v→v′) − P(v′)T(v′→v)| < 1e-14 for all configurations of 5 spins, 4 hidden spins with " +
			"random weights",
		Tautology: "a theorem, which the matrices of the code must obey.",
	}
	worst := 0.0
	for _, k := range []struct {
		name  string
		build func() (sampler.Enumerable, error)
	}{
		{"alternating Gibbs", func() (sampler.Enumerable, error) { return sampler.NewGibbs(m, 1) }},
		{"Metropolis", func() (sampler.Enumerable, error) { return sampler.NewMetropolis(m, 1) }},
		{"latent, one by one", func() (sampler.Enumerable, error) {
			return latent.New(m, 1,
				latent.Options{Block: 1})
		}},
		{"latent, pairs", func() (sampler.Enumerable, error) {
			return latent.New(m, 1,
				latent.Options{Block: 2})
		}},
	} {
		kernel, err := k.build()
		if err != nil {
			return err
		}
		var h *rbm.Space
		if layer := kernel.Hidden(); layer != nil {
			if h, err = rbm.NewSpace(layer.Spec()); err != nil {
				return err
			}
		}
		t, err := kernel.Transition(space, h)
		if err != nil {
			return err
		}
		e := t.BalanceError(law.P)
		worst = math.Max(worst, e)
		claim.Measured = append(claim.Measured, verdict.Measured{Name: k.name, Value: e})
	}
	claim.Verdict = verdict.Judge(worst < 1e-14)
	r.Claim(claim)
	return nil
}
