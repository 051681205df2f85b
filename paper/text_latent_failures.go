package paper

import (
	"context"
	"fmt"

	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

func latentFailuresFigure() Figure {
	return Figure{
		Name: "text-latent-failures", Title: "Where moves of single hidden units do not help",
		Shows: "Alternating Gibbs sampling with and without moves of one and of two hidden units, on the models of zeros and ones and of two protein families: how often chains change their class. " +
			"Starts, seeds and classes are those of the figures of these models.",
		Version: 1, Run: runLatentFailures,
	}
}

// failureRuns say how long chains are, in steps, with and without latent moves, which cost more.
type failureRuns struct{ chains, plain, latent int }

func runLatentFailures(ctx context.Context, s Settings) (*Result, error) {
	digitRuns, proteinRuns := failureRuns{40, 100_000, 5000}, failureRuns{40, 100_000, 5000}
	if s.Quick {
		digitRuns, proteinRuns = failureRuns{20, 5000, 250}, failureRuns{20, 5000, 250}
	}
	var r Result
	t := r.Table("rates", "Changes of class: of digits, and of protein families at the β at which they fold.", "model", "sampler", "chains", "steps", "changes", "per 1000 steps", "error", "mixed")
	t.Shown = true
	d, err := s.digits(ctx, zerosAndOnes(s.Quick))
	if without, err := withoutMNIST(s, err); err != nil {
		return nil, err
	} else if d == nil {
		r.Missing = without.Missing
	}
	if d != nil {
		from, err := examplesByTurns(d.test, digitRuns.chains)
		if err != nil {
			return nil, err
		}
		c := contest{model: "MNIST 0/1", machine: d.Model, beta: 1, from: from, j: judgement{d.test.LabelNames, d.forest.Probabilities, sure}, runs: digitRuns}
		if err := c.run(ctx, s, &r, t); err != nil {
			return nil, err
		}
	}
	x, err := s.proteins(ctx, twoFamilies(s))
	if err != nil {
		return nil, err
	}
	from, err := examplesByTurns(x.Data, proteinRuns.chains)
	if err != nil {
		return nil, err
	}
	levels, err := x.temperatures(ctx, s, temperatureRuns(s.Quick))
	if err != nil {
		return nil, err
	}
	c := contest{model: "lattice proteins", machine: x.Model, beta: float64(foldingBeta(levels)), from: from, j: judgement{x.Data.LabelNames, x.family, inFamily}, runs: proteinRuns}
	return &r, c.run(ctx, s, &r, t)
}

// contest is a comparison of samplers on one model.
type contest struct {
	model   string
	machine *rbm.RBM
	beta    float64
	from    *unit.States
	j       judgement
	runs    failureRuns
}

// run adds a row a sampler and a claim.
func (c contest) run(ctx context.Context, s Settings, r *Result, t *Table) error {
	plain, err := sampler.NewGibbs(c.machine, c.beta)
	if err != nil {
		return err
	}
	kernels, names := []sampler.Kernel{plain}, []string{"AGS"}
	for block := 1; block <= 2; block++ {
		k, err := sampler.NewLatent(c.machine, c.beta, sampler.LatentOptions{Block: block})
		if err != nil {
			return err
		}
		kernels, names = append(kernels, k), append(names, fmt.Sprintf("AGS and moves of %d", block))
	}
	claim := Claim{
		Name: "no-help-" + map[string]string{"MNIST 0/1": "mnist", "lattice proteins": "proteins"}[c.model], Where: "discussion",
		Statement: fmt.Sprintf("Moves of a few hidden units do not significantly enhance the mixing between the classes of %s.", c.model),
		Criterion: "with moves of one or of two units a chain changes its class less than once in 1000 steps, by two standard errors",
	}
	met, more := true, 0.0
	var plainRate, plainError float64
	for k, kernel := range kernels {
		steps, every := c.runs.latent, 5
		if k == 0 {
			steps, every = c.runs.plain, 50
		}
		s.say("%s: %s", c.model, names[k])
		run, err := s.runClasses(ctx, kernel, c.from, steps, every, c.j)
		if err != nil {
			return err
		}
		rate, wide := run.rate()
		t.Add(c.model, names[k], run.chains, steps, run.Transitions, rate, wide, run.mixed())
		claim.Measured = append(claim.Measured, Measured{Name: "changes per 1000 steps, " + names[k], Value: rate, Error: wide})
		if k == 0 {
			plainRate, plainError = rate, wide
			continue
		}
		met = met && rate+2*wide < 1
		if rate-2*wide > plainRate+2*plainError {
			more = max(more, rate)
		}
	}
	r.Note("%s: the %d steps with moves of hidden units cannot tell a rate below %.2g per 1000 steps from none.", c.model, c.runs.chains*c.runs.latent, 2000/float64(c.runs.chains*c.runs.latent))
	claim.Verdict = Judge(met)
	if more > 0 {
		claim.Verdict = JudgeCorrected(met)
		claim.Correction = fmt.Sprintf("changes become more frequent and stay rare: one in %.2g steps.", 1000/more)
	}
	r.Claim(claim)
	return nil
}
