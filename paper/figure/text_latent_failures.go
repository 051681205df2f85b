package figure

import (
	"context"
	"fmt"
	"slices"

	"instanton/latent"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

func latentFailuresFigure() verdict.Figure {
	return verdict.Figure{
		Name: "text-latent-failures", Title: "Where moves of single hidden units do not help",
		Shows: "Alternating Gibbs sampling with and without moves of one and of two hidden units, on the models of " +
			"zeros and ones and of two protein families: how often chains change their class. " +
			"Starts and classes are those of the figures of these models.",
		Version: 4, Run: runLatentFailures,
	}
}

// failureRuns say how long chains are, in steps, with and without latent moves, which cost more, and how far apart
// draws are.
type failureRuns struct{ chains, plain, latent, every int }

func runLatentFailures(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	runs := failureRuns{chains: 40, plain: 100_000, latent: 1000, every: 50}
	if s.Quick {
		runs = failureRuns{chains: 20, plain: 10_000, latent: 250, every: 10}
	}
	var r verdict.Result
	t := r.Table("rates", "Changes of class: of digits, and of protein families at the β at which they fold.", "model",
		"sampler", "chains", "steps", "changes", "per 1000 steps", "error", "mixed")
	t.Shown = true
	d, err := experiment.TrainDigits(ctx, s, experiment.ZerosAndOnes(s.Quick))
	if without, err := withoutMNIST(s, err); err != nil {
		return nil, err
	} else if d == nil {
		r.Missing = without.Missing
	}
	if d != nil {
		from, err := experiment.InterleavedExamples(d.Test, runs.chains)
		if err != nil {
			return nil, err
		}
		c := comparison{model: "MNIST 0/1", dir: d.Dir, machine: d.Model, beta: 1, from: from,
			classes: experiment.Classes{Names: d.Test.LabelNames, Classify: d.Classify, Threshold: sure},
			runs:    runs}
		if err := c.run(ctx, s, &r, t); err != nil {
			return nil, err
		}
	}
	x, err := experiment.TrainProteins(ctx, s, experiment.TwoFamilies(s))
	if err != nil {
		return nil, err
	}
	from, err := experiment.InterleavedExamples(x.Data, runs.chains)
	if err != nil {
		return nil, err
	}
	levels, err := x.Temperatures(ctx, s, experiment.TemperatureRuns(s.Quick))
	if err != nil {
		return nil, err
	}
	c := comparison{model: "lattice proteins", dir: x.Dir, machine: x.Model,
		beta: float64(experiment.FoldingBeta(levels)),
		from: from, classes: experiment.Classes{Names: x.Data.LabelNames, Classify: x.Family,
			Threshold: experiment.InFamily},
		runs: runs}
	return &r, c.run(ctx, s, &r, t)
}

// comparison is a comparison of samplers on one model.
type comparison struct {
	model   string
	dir     string // keeps what takes long
	machine *rbm.RBM
	beta    float64
	from    *unit.States
	classes experiment.Classes
	runs    failureRuns
}

// run adds one row per sampler, and a claim.
func (c comparison) run(ctx context.Context, s verdict.Settings, r *verdict.Result, t *verdict.Table) error {
	plain, err := sampler.NewGibbs(c.machine, c.beta)
	if err != nil {
		return err
	}
	kernels, names := []sampler.Kernel{plain}, []string{"AGS"}
	for block := 1; block <= 2; block++ {
		k, err := latent.New(c.machine, c.beta, latent.Options{Block: block})
		if err != nil {
			return err
		}
		kernels, names = append(kernels, k), append(names, fmt.Sprintf("AGS and moves of %d", block))
	}
	var rates []verdict.Measured
	var seen []events
	for k, kernel := range kernels {
		steps := c.runs.latent
		if k == 0 {
			steps = c.runs.plain
		}
		x, err := verdict.Keep(s, c.dir, fmt.Sprintf("contest-%d", k), []any{c.beta, steps, c.runs.chains,
			c.runs.every}, func() (x comparisonRun, err error) {
			s.Progress("%s: %s", c.model, names[k])
			own := s
			own.Seed = s.SeedFor("contest " + names[k])
			run, err := experiment.RunClasses(ctx, own, kernel, c.from, steps, c.runs.every, c.classes)
			if err != nil {
				return x, err
			}
			x.Changes, x.Mixed = run.Transitions, run.Mixed()
			x.Rate, x.Error = run.Rate()
			return x, nil
		})
		if err != nil {
			return err
		}
		t.Add(c.model, names[k], c.from.Len, steps, x.Changes, x.Rate, x.Error, x.Mixed)
		rates = append(rates, verdict.Measured{Name: "changes per 1000 steps, " + names[k], Value: x.Rate,
			Error: x.Error})
		seen = append(seen, events{float64(x.Changes), float64(steps * c.from.Len)})
	}
	r.Claim(c.claim(rates, seen))
	return nil
}

// comparisonRun is what became of one sampler.
type comparisonRun struct {
	Changes int     `json:"changes"`
	Rate    float64 `json:"per_1000_steps"`
	Error   float64 `json:"error"`
	Mixed   string  `json:"mixed"`
}

// claim judges whether moves of hidden units let chains change their class more often. That chains with them are stuck,
// too, is not enough: short runs see no change either way.
func (c comparison) claim(rates []verdict.Measured, seen []events) verdict.Claim {
	numbers := slices.Clone(rates)
	var gains []gain
	for k, x := range seen[1:] {
		g := gainOf(x, seen[0])
		gains = append(gains, g)
		numbers = append(numbers, g.measured(fmt.Sprintf("gain by moves of %d", k+1))...)
	}
	return verdict.Claim{
		Name:  "no-help-" + map[string]string{"MNIST 0/1": "mnist", "lattice proteins": "proteins"}[c.model],
		Where: "discussion",
		Statement: fmt.Sprintf("Moves of a few hidden units do not significantly enhance the mixing between the "+
			"classes of %s.", c.model),
		Criterion: fmt.Sprintf("changes of class per step come less than %g times as often with moves of one and of "+
			"two units as without, at 97.5 %%; it fails if they come more often than that, and is open otherwise",
			noHelp),
		Measured: numbers, Verdict: noHelpVerdict(gains...), Needs: noHelpNeeds(seen[0]),
	}
}
