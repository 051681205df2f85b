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
		Version: 3, Run: runLatentFailures,
	}
}

// failureRuns say how long chains are, in steps, with and without latent moves, which cost more, and how far apart
// draws are. A chain that stays in its class for longer than within is stuck.
type failureRuns struct{ chains, plain, latent, every, within int }

func runLatentFailures(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	runs := failureRuns{chains: 40, plain: 100_000, latent: 1000, every: 50, within: frames * frameSteps}
	if s.Quick {
		runs = failureRuns{chains: 20, plain: 10_000, latent: 250, every: 10, within: 1000}
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
	}
	r.Claim(c.claim(rates))
	return nil
}

// comparisonRun is what became of one sampler.
type comparisonRun struct {
	Changes int     `json:"changes"`
	Rate    float64 `json:"per_1000_steps"`
	Error   float64 `json:"error"`
	Mixed   string  `json:"mixed"`
}

// claim judges whether chains with moves of hidden units are stuck as those without are.
func (c comparison) claim(rates []verdict.Measured) verdict.Claim {
	most := 0.0 // with moves, at two standard errors above what was seen
	for _, x := range rates[1:] {
		most = max(most, x.Value+2*x.Error)
	}
	plain := rates[0].Value + 2*rates[0].Error
	limit := 1000 / float64(c.runs.within)
	return verdict.Claim{
		Name:  "no-help-" + map[string]string{"MNIST 0/1": "mnist", "lattice proteins": "proteins"}[c.model],
		Where: "discussion",
		Statement: fmt.Sprintf("Moves of a few hidden units do not significantly enhance the mixing between the "+
			"classes of %s.", c.model),
		Criterion: fmt.Sprintf("with moves of one or of two units a chain still changes its class less than once in "+
			"%d steps, as without them, by two standard errors; the gain that these numbers cannot exclude is given",
			c.runs.within),
		Measured: append(slices.Clone(rates), verdict.Measured{Name: "largest gain that is not excluded",
			Value: most / plain}),
		Verdict: verdict.Judge(most < limit && plain < limit),
	}
}
