package figure

import (
	"context"
	"fmt"
	"image"

	"instanton/evaluate"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/sampler"
	"instanton/unit"
)

func mnistFigure() verdict.Figure {
	return verdict.Figure{
		Name: "fig-dynamics-ags-mnist-0-1", Title: "Zeros and ones under alternating Gibbs sampling",
		Shows: "A model of spins, 200 of them hidden, trained on the zeros and ones of MNIST: chains from a zero " +
			"and from a one, and what a random forest takes their images for.",
		Version: 4, Run: runMNIST,
	}
}

// sure is the probability from which a chain counts as having entered a class of images.
const sure = 0.8

func runMNIST(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	d, err := experiment.TrainDigits(ctx, s, experiment.ZerosAndOnes(s.Quick))
	if err != nil {
		return withoutMNIST(s, err)
	}
	chains, steps := 40, 100_000
	if s.Quick {
		chains, steps = 24, 10_000
	}
	return mnistResult(ctx, s, d, chains, steps)
}

// frames are 1000 steps apart, as in the paper.
const (
	frameSteps = 1000
	frames     = 10
)

func mnistResult(ctx context.Context, s verdict.Settings, d *experiment.Digits, chains, steps int) (*verdict.Result,
	error) {
	kernel, err := sampler.NewGibbs(d.Model, 1)
	if err != nil {
		return nil, err
	}
	s.Progress("sampling %d chains of %d steps", chains, steps)
	from, err := experiment.InterleavedExamples(d.Test, chains)
	if err != nil {
		return nil, err
	}
	run, err := experiment.RunClasses(ctx, s, kernel, from, steps, 50, experiment.Classes{Names: d.Test.LabelNames,
		Classify: d.Classify, Threshold: sure})
	if err != nil {
		return nil, err
	}
	var r verdict.Result
	modelTable(&r, d.Trained, d.Weights, [3]any{"log-likelihood of the test images", d.HeldOut, d.HeldOutError},
		[3]any{"share of images that the forest takes for another digit, out of bag", d.OutOfBag, ""})
	figure, err := framesPlot(from, run)
	if err != nil {
		return nil, err
	}
	r.Draw("",
		fmt.Sprintf("Images drawn by alternating Gibbs sampling from a zero (a) and from a one (b) of the test set, "+
			"%d steps from one frame to the next. (c) Probability that a random forest "+
			"gives to either digit along both chains.", frameSteps)+run.Departures(2, frames*frameSteps), figure)
	table := r.Table("probabilities", "The forest's probability of a zero along each chain.", "chain", "step", "zero")
	for k, p := range run.P {
		table.Add(k/run.Draws, (k%run.Draws+1)*run.Every, p[0])
	}
	stuckClaim(&r, stuck{
		name: "stuck", where: "figure dynamics AGS MNIST 0/1 (c)", statement: "The dynamics stays in one digit class.",
		within: frames * frameSteps,
	}, run, d.Weights)
	qualityClaims(&r, d, run)
	forget := experiment.MeasureDecorrelation(run, 200)
	r.Values = map[string]any{"likelihood": d.Likelihood, "test_log_likelihood": d.HeldOut, "modes": d.Weights,
		"memory": forget, "occupancy": run.Share}
	r.Claim(decorrelationClaim(forget, verdict.Claim{
		Name: "within-class", Where: "section on MNIST 0/1",
		Statement: "Alternating Gibbs sampling is efficient within a digit class: frames 1000 steps apart are " +
			"different images of it.",
	}, frameSteps))
	return &r, nil
}

// framesPlot shows the first chain from either class.
func framesPlot(from *unit.States, run *experiment.ClassRun) (plot.Figure, error) {
	var panels, below []plot.Panel
	for chain := range 2 {
		var row [2]plot.ImageRow
		for k := range frames {
			var img image.Image
			var err error
			if k == 0 {
				img, err = experiment.Picture(from, chain)
			} else if at := k*frameSteps/run.Every - 1; at < run.Draws {
				img, err = experiment.Picture(run.V, chain*run.Draws+at)
			}
			if err != nil {
				return plot.Figure{}, err
			}
			row[k*2/frames].Images = append(row[k*2/frames].Images, img)
		}
		panels = append(panels, plot.Panel{Images: &plot.ImageSheet{Rows: row[:]}})
		var t, zero, one []float64
		for k := 0; k < run.Draws && (k+1)*run.Every <= frames*frameSteps; k++ {
			p := run.P[chain*run.Draws+k]
			t, zero, one = append(t, float64((k+1)*run.Every)), append(zero, p[0]), append(one, p[1])
		}
		label := []string{"(c)", plot.NoLabel}[chain]
		below = append(below, plot.Panel{
			Label: label, Title: "from a " + []string{"zero", "one"}[chain], Aspect: 0.45, X: plot.Axis{Label: "step"},
			Y: plot.Axis{Label: "probability", Limits: plot.Between(-0.03, 1.03)},
			Series: []plot.Series{plot.Line{Name: "0", X: t, Y: zero, Color: plot.Blue},
				plot.Line{Name: "1", X: t, Y: one, Color: plot.Vermilion}},
		})
	}
	return plot.Figure{Columns: 2, Width: plot.TwoColumns, Panels: append(panels, below...)}, nil
}

// qualityClaims judge what was drawn by the classifier, and the model by images that it has not seen.
func qualityClaims(r *verdict.Result, d *experiment.Digits, run *experiment.ClassRun) {
	mean, err := run.Confidence()
	p, e := d.Classify(d.Test.States)
	if e != nil {
		panic(e)
	}
	real := 0.0
	for _, x := range p {
		_, best := evaluate.MostProbable(x)
		real += best / float64(len(p))
	}
	r.Claim(verdict.Claim{
		Name: "quality", Where: "section on MNIST 0/1",
		Statement: "Alternating Gibbs sampling generates data of high quality.",
		Criterion: "the forest is as sure of drawn images as of test images within 0.05, by two standard errors, " +
			"and the model explains test images better than independent sites by 20 units of log-likelihood",
		Measured: []verdict.Measured{
			{Name: "confidence in drawn images", Value: mean, Error: err}, {Name: "in test images", Value: real},
			{Name: "log-likelihood of test images", Value: d.HeldOut, Error: d.HeldOutError},
			{Name: "of independent sites", Value: d.Likelihood.Independent},
		},
		Verdict: verdict.Judge(mean-2*err > real-0.05 && d.HeldOut > d.Likelihood.Independent+20),
	})
}
