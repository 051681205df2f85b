package paper

import (
	"context"
	"fmt"

	"instanton/plot"
	"instanton/rbm"
	"instanton/sampler"
)

func blockFailuresFigure() Figure {
	return Figure{
		Name: "text-block-failures", Title: "Moves of one and two hidden units: Bars and Stripes, Hopfield",
		Shows: "Alternating Gibbs sampling alone and with moves of one and of two hidden units: changes between bars and stripes, and between the Mattis states of Hopfield models, built and learnt. " +
			"All Mattis states weigh the same in the built models, by symmetry; bars weigh as much as stripes.",
		Version: 1, Run: runBlockFailures,
	}
}

func runBlockFailures(ctx context.Context, s Settings) (*Result, error) {
	chains, plain, latent := 24, 20_000, 2000
	switch {
	case s.tiny:
		chains, plain, latent = 12, 1000, 60
	case s.Quick:
		plain, latent = 5000, 200
	}
	b, err := s.bas(ctx, basSparse)
	if err != nil {
		return nil, err
	}
	var r Result
	r.basTable(b)
	t := r.Table("rates", fmt.Sprintf("Changes of class or state per 1000 steps of a chain; %d chains, %d steps with moves of hidden units and %d without.", chains, latent, plain), "model", "changes between", "sampler", "per 1000 steps", "error")
	t.Shown = true
	names := []string{"AGS", "AGS and moves of 1", "AGS and moves of 2"}
	rates := map[string][]Measured{}
	compare := func(model, between string, m *rbm.RBM, rate func(k sampler.Kernel, steps int) (float64, float64, error)) error {
		for block, name := range names {
			var kernel sampler.Kernel
			steps := latent
			kernel, err := sampler.NewGibbs(m, 1)
			if block == 0 {
				steps = plain
			} else {
				kernel, err = sampler.NewLatent(m, 1, sampler.LatentOptions{Block: block})
			}
			if err != nil {
				return err
			}
			s.say("%s: %s", model, name)
			x, e, err := rate(kernel, steps)
			if err != nil {
				return err
			}
			t.Add(model, between, name, x, e)
			rates[model] = append(rates[model], Measured{model + ", " + name, x, e})
		}
		return nil
	}
	err = compare("BAS", "bars and stripes", b.Model, func(k sampler.Kernel, steps int) (float64, float64, error) {
		run, err := b.run(ctx, s, k, chains, sampler.Plan{Every: 1, Draws: steps})
		if err != nil {
			return 0, 0, err
		}
		x, e := run.rate(turned)
		return x, e, nil
	})
	if err != nil {
		return nil, err
	}
	models, err := s.hopfieldModels(ctx)
	if err != nil {
		return nil, err
	}
	for _, m := range models {
		err := compare(m.name, "Mattis states", m.machine, func(k sampler.Kernel, steps int) (float64, float64, error) {
			run, err := runHopfield(ctx, k, chains, steps, false, s)
			if err != nil {
				return 0, 0, err
			}
			x, e := run.rate()
			return x, max(e, 1000/float64(steps*chains)), nil
		})
		if err != nil {
			return nil, err
		}
	}
	r.Draw("", "Changes per 1000 steps of a chain: between bars and stripes, and between Mattis states. Where none was seen the point stands at what one change would have given.", ratesPlot(rates, names, models))
	blockClaims(&r, rates, models)
	return &r, nil
}

func ratesPlot(rates map[string][]Measured, names []string, models []namedModel) plot.Figure {
	order := []string{"BAS"}
	for _, m := range models {
		order = append(order, m.name)
	}
	var series []plot.Series
	for block, name := range names {
		p := plot.Points{Name: name}
		for k, model := range order {
			x := rates[model][block]
			p.X, p.Y, p.YErr = append(p.X, float64(k)+0.15*float64(block-1)), append(p.Y, max(x.Value, x.Error)), append(p.YErr, x.Error)
			if x.Value <= x.Error {
				p.YErr[k] = 0
			}
		}
		series = append(series, p)
	}
	return plot.Figure{Width: plot.TwoColumns, Panels: []plot.Panel{{
		X: plot.Axis{Ticks: plot.Categories("BAS", "Hopfield", "rotated", "learnt", "learnt, penalty"), Limits: plot.Between(-0.5, 4.5)}, Y: plot.Axis{Label: "changes per 1000 steps", Log: true},
		Series: series, Legend: plot.LegendAbove, Aspect: 0.45}}}
}

type namedModel struct {
	name    string
	machine *rbm.RBM
}

// hopfieldModels are those built, aligned and rotated, and those learnt, without the penalty and with it.
func (s Settings) hopfieldModels(ctx context.Context) ([]namedModel, error) {
	aligned, err := hopfieldMachine(pairWeight, 0)
	if err != nil {
		return nil, err
	}
	rotated, err := hopfieldMachine(pairWeight, s.Seed+1)
	if err != nil {
		return nil, err
	}
	all := []namedModel{{"Hopfield, aligned", aligned}, {"Hopfield, rotated", rotated}}
	for k, penalty := range []float64{0, 0.001} {
		t, source, err := s.learntHopfield(ctx, penalty)
		if err != nil {
			return nil, err
		}
		t.Model.Patterns = source.Patterns
		all = append(all, namedModel{[]string{"Hopfield, learnt", "Hopfield, learnt with the penalty"}[k], t.Model})
	}
	return all, nil
}

func blockClaims(r *Result, rates map[string][]Measured, models []namedModel) {
	pick := func(k, block int) Measured { return rates[models[k].name][block] }
	aligned, rotated := pick(0, 2), pick(1, 2)
	r.Claim(Claim{
		Name: "rotated", Where: "conclusion",
		Statement: "With rotated weights moves of two hidden units are inefficient, where they are efficient with aligned ones.",
		Criterion: "less than a twentieth of the changes that there are with aligned weights, by two standard errors",
		Measured:  append(append([]Measured{}, rates[models[0].name]...), rates[models[1].name]...),
		Verdict:   Judge(rotated.Value+2*rotated.Error < aligned.Value/20),
	})
	learnt, bound := pick(2, 2), pick(3, 2)
	r.Claim(Claim{
		Name: "penalty", Where: "section on rotated weights",
		Statement: "Weights learnt without the penalty are delocalised, so that moves of two hidden units do not speed up sampling; with the penalty each pattern has its hidden unit, and they do.",
		Criterion: "with the penalty, more than five times the changes that there are without, by two standard errors",
		Measured:  []Measured{learnt, bound, pick(2, 0), pick(3, 0)},
		Verdict:   Judge(bound.Value-2*bound.Error > 5*(learnt.Value+2*learnt.Error)),
	})
	one, two := rates["BAS"][1], rates["BAS"][2]
	few := one.Value+2*one.Error < 10 && two.Value+2*two.Error < 10
	c := Claim{
		Name: "bars-to-stripes", Where: "conclusion",
		Statement: "Moves of few hidden units cannot turn bars into stripes.",
		Criterion: "no change; with a correction, less than one in 100 steps, by two standard errors",
		Measured:  rates["BAS"],
		Verdict:   Judge(one.Value == 0 && two.Value == 0),
	}
	if c.Verdict == Fails {
		c.Verdict = JudgeCorrected(few)
		c.Correction = "They do so rarely, by way of images with nearly all or no lines; see fig-bas."
	}
	r.Claim(c)
}
