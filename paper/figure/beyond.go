package figure

import (
	"context"
	"errors"
	"fmt"
	"math"

	"instanton/contest"
	"instanton/dataset"
	"instanton/internal/kernels"
	"instanton/internal/variants"
	"instanton/mixing"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

func beyondFigure() verdict.Figure {
	return verdict.Figure{
		Name: "beyond", Title: "Beyond the paper: the four failures, solved or not",
		Shows: "The four cases in which the paper's samplers fail: rotated Hopfield weights, bars and stripes, zeros " +
			"and ones, two protein families. Chains of alternating Gibbs sampling and of learnt jumps, which draw a " +
			"whole layer from a law fitted to the model and accept it by Metropolis' rule, by mode over time.",
		Version: 1, Run: runBeyond,
	}
}

// failure is a case in which the paper's samplers fail.
type failure struct {
	name, title string
	model       *rbm.RBM
	beta        float64
	modes       mixing.Modes
	data        *dataset.Dataset // where chains start; its labels are numbers of modes
}

// runBeyond takes the cases one after the other.
func runBeyond(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	var r verdict.Result
	t := r.Table("samplers", "Mode ESS is the number of independent draws of the mode that chains are worth, per 10⁵ "+
		"steps of alternating Gibbs sampling (AGS) that cost as much; there is none where R-hat exceeds 1.05 or a run "+
		"is trapped.", "case", "sampler", "mixed", "R-hat", "mode ESS per 10⁵ AGS", "changes of mode",
		"weight of the first mode", "error")
	t.Shown = true
	var panels []plot.Panel
	for _, find := range []func(context.Context, verdict.Settings) (*failure, error){rotatedFailure, linesFailure,
		digitsFailure, familiesFailure} {
		f, err := find(ctx, s)
		if errors.Is(err, experiment.ErrNoMNIST) {
			r.Missing = err.Error()
			continue
		}
		if err != nil {
			return nil, err
		}
		own, err := f.run(ctx, s, &r, t)
		if err != nil {
			return nil, err
		}
		panels = append(panels, own...)
	}
	r.Draw("", "Runs over time, a colour for each mode: alternating Gibbs sampling on the left, learnt jumps on the "+
		"right. Runs that started in the same mode lie side by side.",
		plot.Figure{Columns: 2, Width: plot.TwoColumns, Panels: panels})
	return &r, nil
}

// rotatedFailure are the twelve states of a Hopfield model in rotated axes.
func rotatedFailure(_ context.Context, s verdict.Settings) (*failure, error) {
	m, err := experiment.RotatedHopfield(1.5, s.Seed)
	if err != nil {
		return nil, err
	}
	modes, err := mixing.Patterns(m)
	d := &dataset.Dataset{States: m.PatternsAndOpposites()}
	for k := range d.States.Len {
		d.Labels = append(d.Labels, k)
	}
	return &failure{name: "hopfield", title: "rotated Hopfield weights", model: m, beta: 1, modes: modes, data: d}, err
}

func linesFailure(ctx context.Context, s verdict.Settings) (*failure, error) {
	b, err := experiment.TrainBAS(ctx, s, experiment.BASSparse)
	if err != nil {
		return nil, err
	}
	return labelled("bas", "bars and stripes", b.Model, 1, b.Data)
}

func digitsFailure(ctx context.Context, s verdict.Settings) (*failure, error) {
	d, err := experiment.TrainDigits(ctx, s, experiment.ZerosAndOnes(s.Quick))
	if err != nil {
		return nil, err
	}
	return labelled("mnist", "MNIST 0/1", d.Model, 1, d.Train)
}

func familiesFailure(ctx context.Context, s verdict.Settings) (*failure, error) {
	x, err := experiment.TrainProteins(ctx, s, experiment.TwoFamilies(s))
	if err != nil {
		return nil, err
	}
	levels, err := x.Temperatures(ctx, s, experiment.TemperatureRuns(s.Quick))
	if err != nil {
		return nil, err
	}
	return labelled("proteins", "two protein families", x.Model, float64(experiment.FoldingBeta(levels)), x.Data)
}

// labelled is a case whose modes are the classes of data.
func labelled(name, title string, m *rbm.RBM, beta float64, d *dataset.Dataset) (*failure, error) {
	modes, err := mixing.Labels(d, m.Visible.Spec())
	return &failure{name: name, title: title, model: m, beta: beta, modes: modes, data: d}, err
}

// starts are configurations of each mode.
func (f *failure) starts(most int) (places []*unit.States) {
	in := make([][]int, len(f.modes.Names()))
	for k, mode := range f.data.Labels {
		if len(in[mode]) < most {
			in[mode] = append(in[mode], k)
		}
	}
	for _, rows := range in {
		if len(rows) > 0 {
			places = append(places, f.data.Pick(rows).States)
		}
	}
	return places
}

// Sweeps of a run: not so many that looks at the chains would be thinned by their time, which is not reproducible.
const beyondSweeps = 1500

// run lets both samplers run, and judges the jumps.
func (f *failure) run(ctx context.Context, s verdict.Settings, r *verdict.Result, t *verdict.Table) ([]plot.Panel,
	error) {
	o := contest.Options{Model: f.model, Modes: f.modes, Runs: 100, Seed: s.SeedFor("beyond " + f.name),
		Sweeps: beyondSweeps}
	if s.Quick {
		o.Runs = 48
	}
	o.Starts = f.starts(o.Runs)
	var rows []*contest.Row
	for _, name := range []string{"gibbs", "jump"} {
		s.Progress("%s: %s", f.title, name)
		row, err := contest.Run(ctx, contest.Sampler{Name: name,
			Make: func(ctx context.Context) (sampler.Kernel, string, error) {
				return variants.New(name, f.model, f.beta, kernels.Options{Data: f.data.States, Labels: f.data.Labels,
					Seed: o.Seed, Workers: s.Workers, Context: ctx})
			}}, o)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	if err := contest.Cost(ctx, rows, f.beta, o); err != nil {
		return nil, err
	}
	var panels []plot.Panel
	for k, row := range rows {
		t.Add(f.title, row.Sampler, row.Mixed, float64(row.RHat), float64(row.ModeESSPer1e5), row.Transitions,
			float64(row.Occupancies[0]), float64(row.OccupancyErrors[0]))
		p := plot.Occupation(row.ByPlace(len(o.Starts)), float64(row.Sweeps), f.modes.Names())
		p.Title = f.title + [...]string{", AGS", ", jumps"}[k]
		panels = append(panels, p)
	}
	r.Claim(f.claim(rows[0], rows[1]))
	return panels, nil
}

// solvedRHat is the largest R-hat of a case that counts as solved.
const solvedRHat = 1.01

// claim judges whether a failure is solved.
func (f *failure) claim(gibbs, jump *contest.Row) verdict.Claim {
	c := verdict.Claim{
		Name: "solved-" + f.name, Where: "beyond the paper, on its discussion",
		Statement: fmt.Sprintf("Learnt jumps solve the failure on %s: chains from every mode agree on the weights of "+
			"the modes, where alternating Gibbs sampling is stuck.", f.title),
		Criterion: fmt.Sprintf("R-hat of modes and energy is at most %g, no run is trapped, and the weights found "+
			"from different modes differ by less than four standard errors; AGS has not mixed. It holds with a "+
			"correction up to R-hat %g", solvedRHat, contest.MixedRHat),
	}
	for _, row := range []*contest.Row{gibbs, jump} {
		add := func(name string, value float64) {
			if !math.IsNaN(value) && !math.IsInf(value, 0) {
				c.Measured = append(c.Measured, verdict.Measured{Name: row.Sampler + ", " + name, Value: value})
			}
		}
		add("changes of mode", float64(row.Transitions))
		add("R-hat", float64(row.RHat))
		add("trapped runs", float64(row.Trapped))
		add("mode ESS per 10⁵ AGS", float64(row.ModeESSPer1e5))
		add("largest difference by start, in standard errors", byStart(row))
	}
	c.Measured = append(c.Measured, verdict.Measured{Name: "weight of " + f.modes.Names()[0],
		Value: float64(jump.Occupancies[0]), Error: float64(jump.OccupancyErrors[0])},
		verdict.Measured{Name: "accepted jumps", Value: float64(jump.Acceptance)})
	same := jump.Mixed && byStart(jump) < 4
	switch {
	case gibbs.Mixed:
		c.Verdict, c.Needs = verdict.Open, "a model in which alternating Gibbs sampling fails"
	case same && jump.RHat <= solvedRHat:
		c.Verdict = verdict.Holds
	case same:
		c.Verdict = verdict.Corrected
		c.Correction = "chains agree, but slowly: R-hat is above that of a case that counts as solved."
	default:
		c.Verdict, c.Correction = verdict.Fails, "not solved: runs of jumps still disagree."
	}
	return c
}

// byStart is the largest difference between the weight of a mode that runs from one mode found and that of all, in
// standard errors of the former.
func byStart(row *contest.Row) (largest float64) {
	for _, own := range row.ByStart {
		for a, share := range own {
			if e := float64(row.OccupancyErrors[a]) * math.Sqrt(float64(len(row.ByStart))); e > 0 {
				largest = math.Max(largest, math.Abs(float64(share-row.Occupancies[a]))/e)
			}
		}
	}
	return largest
}
