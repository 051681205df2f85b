package figure

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"instanton/evaluate"
	"instanton/latent"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

func blockFailuresFigure() verdict.Figure {
	return verdict.Figure{
		Name: "text-block-failures", Title: "Moves of one and two hidden units: Bars and Stripes, Hopfield",
		Shows: "Alternating Gibbs sampling alone and with moves of one and of two hidden units: changes between " +
			"bars and stripes, and between the Mattis states of Hopfield models, built and learnt. " +
			"All Mattis states weigh the same in the built models, by symmetry, and bars as much as stripes; the " +
			"weights of Mattis states in the learnt models are found by annealing.",
		Version: 4, Run: runBlockFailures,
	}
}

func runBlockFailures(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	chains, plain, moved := 24, 20_000, 2000
	switch {
	case s.Tiny:
		chains, plain, moved = 12, 1000, 60
	case s.Quick:
		plain, moved = 5000, 200
	}
	b, err := experiment.TrainBAS(ctx, s, experiment.BASSparse)
	if err != nil {
		return nil, err
	}
	var r verdict.Result
	basTable(&r, b)
	t := r.Table("rates",
		fmt.Sprintf("Changes of class or state per 1000 steps of a chain; %d chains, %d steps with moves of hidden "+
			"units and %d without.", chains, moved, plain), "model", "changes between", "sampler", "per 1000 steps",
		"error")
	t.Shown = true
	names := []string{"AGS", "AGS and moves of 1", "AGS and moves of 2"}
	rates, seen := map[string][]verdict.Measured{}, map[string][]events{}
	compare := func(model, between string, m *rbm.RBM,
		rate func(k sampler.Kernel, name string, steps int) (float64, float64, error)) error {
		for block, name := range names {
			var kernel sampler.Kernel
			steps := moved
			kernel, err := sampler.NewGibbs(m, 1)
			if block == 0 {
				steps = plain
			} else {
				kernel, err = latent.New(m, 1, latent.Options{Block: block})
			}
			if err != nil {
				return err
			}
			s.Progress("%s: %s", model, name)
			x, e, err := rate(kernel, name, steps)
			if err != nil {
				return err
			}
			t.Add(model, between, name, x, e)
			rates[model] = append(rates[model], verdict.Measured{Name: model + ", " + name, Value: x, Error: e})
			all := float64(steps * chains)
			seen[model] = append(seen[model], events{math.Round(x * all / 1000), all})
		}
		return nil
	}
	err = compare("BAS", "bars and stripes", b.Model,
		func(k sampler.Kernel, _ string, steps int) (float64, float64, error) {
			run, err := b.Sample(ctx, s, k, chains, sampler.Plan{Every: 1, Draws: steps})
			if err != nil {
				return 0, 0, err
			}
			x, e := run.Rate(experiment.Turned)
			return x, e, nil
		})
	if err != nil {
		return nil, err
	}
	models, err := hopfieldModels(ctx, s)
	if err != nil {
		return nil, err
	}
	runs := map[string]*experiment.HopfieldRun{} // the last of each model: moves of two
	for _, m := range models {
		err := compare(m.name, "Mattis states", m.machine,
			func(k sampler.Kernel, name string, steps int) (float64, float64, error) {
				run, err := experiment.RunHopfield(ctx, k, experiment.HopfieldPlan{Chains: chains, Draws: steps,
					Seed: s.SeedFor(m.name + ": " + name)}, s)
				if err != nil {
					return 0, 0, err
				}
				runs[m.name] = run
				x, e := run.Rate()
				return x, e, nil
			})
		if err != nil {
			return nil, err
		}
	}
	mattisTable(&r, models, runs)
	r.Draw("",
		"Changes per 1000 steps of a chain: between bars and stripes, and between Mattis states. Open circles: no "+
			"change was seen; two would have given this rate.", ratesPlot(rates, names, models))
	blockClaims(&r, rates, seen, models)
	return &r, nil
}

func ratesPlot(rates map[string][]verdict.Measured, names []string, models []namedModel) plot.Figure {
	order := []string{"BAS"}
	for _, m := range models {
		order = append(order, m.name)
	}
	var series []plot.Series
	for block, name := range names {
		seen := plot.Points{Name: name, Color: []plot.Color{plot.Blue, plot.Vermilion, plot.Green}[block],
			Marker: []plot.Marker{plot.Disc, plot.Square, plot.Triangle}[block]}
		none := plot.Points{Color: seen.Color, Marker: plot.Circle}
		for k, model := range order {
			x, at := rates[model][block], float64(k)+0.15*float64(block-1)
			if x.Value == 0 {
				none.X, none.Y = append(none.X, at), append(none.Y, 2*x.Error)
				continue
			}
			seen.X, seen.Y, seen.YErr = append(seen.X, at), append(seen.Y, x.Value),
				append(seen.YErr, min(x.Error, 0.9*x.Value))
		}
		if len(seen.X) > 0 {
			series = append(series, seen)
		} else {
			none.Name = name
		}
		if len(none.X) > 0 {
			series = append(series, none)
		}
	}
	return plot.Figure{Width: plot.TwoColumns, Panels: []plot.Panel{{
		X: plot.Axis{Ticks: plot.Categories("BAS", "Hopfield", "rotated", "learnt", "learnt, penalty"),
			Limits: plot.Between(-0.5, 4.5)}, Y: plot.Axis{Label: "changes per 1000 steps", Log: true},
		Series: series, Legend: plot.LegendAbove, Aspect: 0.45}}}
}

// namedModel is a Hopfield model, with the weights of its Mattis states where it is learnt.
type namedModel struct {
	name    string
	machine *rbm.RBM
	weights []evaluate.ClassWeight
}

// hopfieldModels are those built, aligned and rotated, and those learnt, without the penalty and with it.
func hopfieldModels(ctx context.Context, s verdict.Settings) ([]namedModel, error) {
	aligned, err := experiment.AlignedHopfield(pairWeight)
	if err != nil {
		return nil, err
	}
	rotated, err := experiment.RotatedHopfield(pairWeight, rotationSeed(s, 0))
	if err != nil {
		return nil, err
	}
	all := []namedModel{{name: "Hopfield, aligned", machine: aligned}, {name: "Hopfield, rotated", machine: rotated}}
	for k, penalty := range []float64{0, 0.001} {
		t, source, err := learntHopfield(ctx, s, penalty)
		if err != nil {
			return nil, err
		}
		t.Model.Patterns = source.Patterns
		m := namedModel{name: []string{"Hopfield, learnt", "Hopfield, learnt with the penalty"}[k], machine: t.Model}
		if m.weights, err = mattisWeights(ctx, s, t); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// mattisWeights are the shares of the twelve Mattis states in a learnt model.
func mattisWeights(ctx context.Context, s verdict.Settings, t *experiment.Trained) ([]evaluate.ClassWeight, error) {
	b := evaluate.BridgeOptions{Chains: 1000, Steps: 300, Burn: 200}
	switch {
	case s.Tiny:
		b = evaluate.BridgeOptions{Chains: 60, Steps: 40, Burn: 50}
	case s.Quick:
		b = evaluate.BridgeOptions{Chains: 100, Steps: 100, Burn: 100}
	}
	return verdict.Keep(s, t.Dir, "modes", b, func() ([]evaluate.ClassWeight, error) {
		s.Progress("weighing the Mattis states of a learnt model")
		return t.ClassWeights(ctx, s, b, nearestMattis(t.Model.Patterns))
	})
}

// nearestMattis is sure of the state with the largest overlap.
func nearestMattis(patterns *unit.States) evaluate.Classifier {
	return func(v *unit.States) ([][]float64, error) {
		p, m := make([][]float64, v.Len), make([]float64, patterns.Len)
		for k := range p {
			experiment.Overlaps(m, patterns, v, k)
			best := 0
			for mu, x := range m {
				if math.Abs(x) > math.Abs(m[best]) {
					best = mu
				}
			}
			p[k] = make([]float64, 2*len(m))
			if m[best] < 0 {
				best += len(m)
			}
			p[k][best] = 1
		}
		return p, nil
	}
}

// mattisTable shows the weights of the learnt models' states beside the shares of time that chains with moves of two
// spent in them.
func mattisTable(r *verdict.Result, models []namedModel, runs map[string]*experiment.HopfieldRun) {
	t := r.Table("mattis",
		"Weights of the Mattis states in the learnt models, by annealing to each and back, and the share of time "+
			"that chains with moves of two hidden units spent there.",
		"model", "state", "weight", "error", "share of time", "error of the share")
	t.Shown = true
	for _, m := range models {
		if m.weights == nil {
			continue
		}
		share, e := runs[m.name].Shares()
		for k, w := range m.weights {
			t.Add(m.name, w.Name, w.Share, w.Error, share[k], e[k])
		}
	}
}

// extremes are the smallest and the largest weight of a state.
func (m namedModel) extremes() []verdict.Measured {
	by := func(a, b evaluate.ClassWeight) int { return cmp.Compare(a.Share, b.Share) }
	lo, hi := slices.MinFunc(m.weights, by), slices.MaxFunc(m.weights, by)
	return []verdict.Measured{{Name: "smallest weight of a state, " + m.name, Value: lo.Share, Error: lo.Error},
		{Name: "largest", Value: hi.Share, Error: hi.Error}}
}

func blockClaims(r *verdict.Result, rates map[string][]verdict.Measured, seen map[string][]events,
	models []namedModel) {
	pick := func(k, block int) verdict.Measured { return rates[models[k].name][block] }
	aligned, rotated := pick(0, 2), pick(1, 2)
	r.Claim(verdict.Claim{
		Name: "rotated", Where: "conclusion",
		Statement: "With rotated weights moves of two hidden units are inefficient, where they are efficient with " +
			"aligned ones.",
		Criterion: "less than a twentieth of the changes that there are with aligned weights, by two standard errors",
		Measured:  append(append([]verdict.Measured{}, rates[models[0].name]...), rates[models[1].name]...),
		Verdict:   verdict.Judge(rotated.Value+2*rotated.Error < aligned.Value/20),
	})
	r.Claim(penaltyClaim(rates, seen, models))
	one, two := rates["BAS"][1], rates["BAS"][2]
	r.Claim(verdict.Claim{
		Name: "bars-to-stripes", Where: "conclusion",
		Statement: "Moves of few hidden units cannot turn bars into stripes.",
		Criterion: "no change; with a correction, less than one in 100 steps, by two standard errors",
		Measured:  rates["BAS"],
		Verdict: verdict.JudgeOr(one.Value == 0 && two.Value == 0,
			one.Value+2*one.Error < 10 && two.Value+2*two.Error < 10),
		Correction: "They do so rarely, by way of images with nearly all or no lines; see fig-bas.",
	})
}
