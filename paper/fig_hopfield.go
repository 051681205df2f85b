package paper

import (
	"context"
	"fmt"
	"math"

	"instanton/plot"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/theory"
)

func hopfieldFigure() Figure {
	return Figure{
		Name: "fig-transition-hopfield", Title: "Hopfield model: transitions between patterns",
		Shows: "N = 128 spins, M = 6 orthogonal patterns, w = 1.35. A transition of AGS from one pattern to another, with hidden units along the patterns (above) and turned by a " +
			"random rotation (below).",
		Version: 1, Run: runHopfieldTransitions,
	}
}

const transitionWeight = 1.35

func runHopfieldTransitions(ctx context.Context, s Settings) (*Result, error) {
	chains, draws := 96, 50_000
	if s.Quick {
		chains, draws = 48, 25_000
	}
	var r Result
	rotation := s.Seed + 1
	runs := make([]*hopfieldRun, 2)
	for k := range runs {
		s.say("following %d chains, weights %s", chains, []string{"aligned", "rotated"}[k])
		machine, err := hopfieldMachine(transitionWeight, rotation*uint64(k))
		if err != nil {
			return nil, err
		}
		kernel, err := sampler.NewGibbs(machine, 1)
		if err != nil {
			return nil, err
		}
		t := s
		t.Seed += uint64(k) // independent runs
		if runs[k], err = runHopfield(ctx, kernel, chains, draws, false, t); err != nil {
			return nil, err
		}
		if len(runs[k].changes) == 0 {
			return nil, fmt.Errorf("no chain of %d changed its state in %d steps", chains, draws)
		}
	}
	var panels []plot.Panel
	for k, run := range runs {
		c := run.shown()
		middle := (c.left + c.draw) / 2
		t, m, h := run.window(c.chain, middle-60, middle+60)
		table := r.Table([]string{"aligned", "rotated"}[k], "Overlaps with the patterns and hidden values over √N on the way from one pattern to another.",
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
			plot.Panel{X: step, Y: plot.Axis{Label: "magnetization $m_μ$"}, Series: ms, Aspect: 0.5, Legend: plot.LegendAbove},
			plot.Panel{X: step, Y: plot.Axis{Label: "hidden unit $h_μ$"}, Series: hs, Aspect: 0.5, Legend: plot.LegendAbove})
	}
	r.Draw("", "Hopfield model, N = 128, M = 6, w = 1.35: a transition of AGS from one pattern to another. (a) Overlaps with the patterns and (b) hidden units over √N for weights along "+
		"the patterns. (c), (d) The same for weights turned by a random rotation.", plot.Figure{Columns: 2, Width: plot.TwoColumns, Panels: panels})
	hopfieldTransitionClaims(&r, runs)
	return &r, rotatedAction(&r, rotation)
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

// shown is a change from one pattern to another, not to its opposite, that took neither few nor many steps.
func (r *hopfieldRun) shown() change {
	best := r.changes[0]
	score := func(c change) int {
		n := abs(c.draw - c.left - 25)
		if c.from%hopfieldPatterns == c.to%hopfieldPatterns || c.left < 60 || c.draw+60 > r.draws {
			n += 1000
		}
		return n
	}
	for _, c := range r.changes {
		if score(c) < score(best) {
			best = c
		}
	}
	return best
}

// moved is the participation ratio of the change of all hidden units at each transition: how many
// of them change.
func (r *hopfieldRun) moved() (mean, err float64) {
	var ratios []float64
	for _, c := range r.changes {
		const around = 10
		if c.left < around || c.draw+around > r.draws {
			continue
		}
		_, _, before := r.window(c.chain, c.left-around, c.left)
		_, _, after := r.window(c.chain, c.draw, c.draw+around)
		var two, four float64
		for mu := range hopfieldPatterns {
			d := 0.0
			for k := range before {
				d += (after[k][mu] - before[k][mu]) / around
			}
			two, four = two+d*d, four+d*d*d*d
		}
		ratios = append(ratios, two*two/four)
	}
	return meanAndError(ratios)
}

func hopfieldTransitionClaims(r *Result, runs []*hopfieldRun) {
	a, ae := runs[0].rate()
	b, be := runs[1].rate()
	r.Claim(Claim{
		Name: "transitions", Where: "figure transition_Hopfield (a), (c)",
		Statement: "Transitions between Mattis states happen for every rotation of the weights, which does not change their barriers.",
		Criterion: "both runs have transitions, and their rates agree within three standard errors",
		Measured: []Measured{{Name: "changes per 1000 steps, aligned", Value: a, Error: ae}, {Name: "rotated", Value: b, Error: be},
			{Name: "changes seen", Value: float64(len(runs[0].changes) + len(runs[1].changes))}},
		Verdict: Judge(a > 0 && b > 0 && math.Abs(a-b) < 3*math.Hypot(ae, be)),
	})
	x, xe := runs[0].moved()
	y, ye := runs[1].moved()
	r.Claim(Claim{
		Name: "readable", Where: "figure transition_Hopfield (b), (d)",
		Statement: "With aligned weights the hidden units show the transition plainly, one falls and one rises; with rotated weights they all take part.",
		Criterion: "participation ratio of the change below 2.5 of 6 for aligned weights and above 2.5 for rotated ones, by two standard errors",
		Measured:  []Measured{{Name: "units that change, aligned", Value: x, Error: xe}, {Name: "rotated", Value: y, Error: ye}},
		Verdict:   Judge(x+2*xe < 2.5 && y-2*ye > 2.5),
	})
	var squares, count float64
	run := runs[0]
	for chain := range min(run.chains, 12) {
		_, m, h := run.window(chain, 0, 2000)
		for d := range m {
			for mu := range hopfieldPatterns {
				e := (h[d][mu] - transitionWeight*m[d][mu]) * math.Sqrt(hopfieldSpins)
				squares, count = squares+e*e, count+1
			}
		}
	}
	variance := squares / count
	r.Claim(Claim{
		Name: "codes", Where: "section on orthogonal transformations",
		Statement: "With aligned weights hidden unit μ codes for the overlap m_μ alone, h_μ = w m_μ, up to a noise of variance 1/N.",
		Criterion: "N⟨(h_μ − w m_μ)²⟩ = 1 within four standard errors",
		Measured:  []Measured{{Name: "N⟨(h_μ − w m_μ)²⟩", Value: variance, Error: math.Sqrt(2 / count)}},
		Verdict:   Judge(math.Abs(variance-1) < 4*math.Sqrt(2/count)),
	})
}

// rotatedAction compares the cost of the optimal path for aligned and rotated weights.
func rotatedAction(r *Result, seed uint64) error {
	model := theory.Hopfield{W: transitionWeight, M: hopfieldPatterns}
	from, err := model.Mattis(1, 1)
	if err != nil {
		return err
	}
	to, err := model.Mattis(2, 1)
	if err != nil {
		return err
	}
	var action [2]float64
	for k := range action {
		if k == 1 {
			model.Rotation = rbm.RandomRotation(hopfieldPatterns, seed)
		}
		l, err := model.Landscape()
		if err != nil {
			return err
		}
		p, err := l.OptimalPath(theory.PathProblem{From: from, To: to, Steps: 50})
		if err != nil {
			return err
		}
		action[k] = p.Action
	}
	r.Claim(Claim{
		Name: "rotation-invariance", Where: "section on orthogonal transformations",
		Statement: "A rotation of the hidden units leaves the cost of optimal paths as it is.",
		Criterion: "Φ from pattern 1 to pattern 2 in 50 steps agrees to 1e-9",
		Measured:  []Measured{{Name: "Φ aligned", Value: action[0]}, {Name: "Φ rotated − aligned", Value: action[1] - action[0]}},
		Verdict:   Judge(math.Abs(action[1]-action[0]) < 1e-9),
	})
	return nil
}
