package figure

import (
	"context"
	"fmt"
	"image"
	"math"

	"instanton/dataset"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
)

func dynamicsBASFigure() verdict.Figure {
	return verdict.Figure{
		Name: "fig-dynamics-ags-bas", Title: "Bars and Stripes: alternating Gibbs sampling is stuck",
		Shows: "RBM with 2L Gaussian hidden units and L1 trained on Bars and Stripes, sampled by alternating Gibbs " +
			"sampling from a stripe image and from a bar image, after long and after short training; " +
			"and how fast chains leave an image and how many samples are images on the way of a training. How good " +
			"the long-trained model is and what its modes weigh is found first.",
		Version: 2, Run: runDynamicsBAS,
	}
}

func runDynamicsBAS(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	long, err := experiment.TrainBAS(ctx, s, experiment.BASSparse)
	if err != nil {
		return nil, err
	}
	end, err := runGibbs(ctx, long, s, 1000*(dynamicsFrames-1))
	if err != nil {
		return nil, err
	}
	path, err := trainingPath(ctx, s)
	if err != nil {
		return nil, err
	}
	short := path[0] // of those whose images are soon left, the longest trained
	for _, m := range path {
		if m.left(soonLeft) {
			short = m
		}
	}
	begin, err := runGibbs(ctx, short.BAS, s, 1000*(dynamicsFrames-1))
	if err != nil {
		return nil, err
	}
	var r verdict.Result
	caption := fmt.Sprintf("%s, L = %d: configurations under alternating Gibbs sampling, 1000 steps from frame to "+
		"frame, two chains each that start from (a) a stripe image, (b) a bar image.", "%s", long.Side)
	for _, x := range []struct {
		file, when string
		b          *experiment.BAS
		run        *experiment.BASRun
	}{{"", "After long training", long, end}, {"fig-dynamics-ags-bas-short",
		fmt.Sprintf("After short training, %d small updates", short.updates), short.BAS, begin}} {
		panels, err := dynamicsPanels(x.b, x.run)
		if err != nil {
			return nil, err
		}
		r.Draw(x.file, fmt.Sprintf(caption, x.when), plot.Figure{Columns: 1, Width: plot.OneColumn, Panels: panels})
	}
	r.Draw("fig-dynamics-ags-bas-training",
		fmt.Sprintf("Alternating Gibbs sampling of models on the way of a training in small steps, L = %d, 100 "+
			"chains of 2000 steps from images of bars and of stripes. "+
			"(a) Rate at which chains leave their first image; draws are 10 steps apart, so that it cannot exceed "+
			"100. (b) Share of images among samples. Dashed: the long-trained model.", long.Side),
		pathFigure(path, end))
	basTable(&r, long)
	r.Note("Log Z, by which log-likelihoods are found, comes from two independent ways: annealing from independent "+
		"sites; and the sum over all images, which is exact, over the share of images in samples that are nearest "+
		"to their class. "+
		"Weights are tied under transposition, so that bars weigh as much as stripes exactly; the two images that "+
		"are both count for neither in the table. What a stuck chain shows is one of %d images, "+
		"the likeliest of which has the probability %.2g.", long.Data.States.Len, long.Modes.Largest)
	dynamicsTable(&r, path, end)
	stuckBASClaim(&r, long, end)
	shortBASClaim(&r, path, end)
	return &r, nil
}

// dynamicsFrames is the number of frames in a row, 1000 steps apart.
const dynamicsFrames = 9

// dynamicsPanels shows two chains from stripes and two from bars.
func dynamicsPanels(b *experiment.BAS, run *experiment.BASRun) (panels []plot.Panel, err error) {
	for _, class := range []int{dataset.Stripe, dataset.Bar} {
		var rows [][]image.Image
		for k := range 2 {
			images, err := run.Frames(b, class+2*k, dynamicsFrames, 100)
			if err != nil {
				return nil, err
			}
			rows = append(rows, images)
		}
		panels = append(panels, framesPanel("", rows...))
	}
	return panels, nil
}

func dynamicsTable(r *verdict.Result, path []*basShort, long *experiment.BASRun) {
	t := r.Table("dynamics",
		fmt.Sprintf("Alternating Gibbs sampling, %d chains, half of them from bars: after long training, %d steps, "+
			"and on the way of a training in small steps, %d steps.", long.Chains, long.Sweeps(), path[0].run.Sweeps()),
		"training", "departures from the first image per 1000 steps", "error of these",
		"changes of image per 1000 steps", "error", "changes of class per 1000 steps", "error of it", "images visited",
		"still at the first image", "images among samples", "error of the share")
	t.Shown = true
	add := func(name string, run *experiment.BASRun) {
		leaving, le := run.LeavingRate()
		rate, e := run.Rate(experiment.AnyPassage)
		classes, te := run.Rate(experiment.Turned)
		seen, _ := run.Visited()
		kept, _ := run.Stayed()
		valid, ve := run.ValidShare()
		t.Add(name, leaving, le, rate, e, classes, te, seen, kept, valid, ve)
	}
	for _, m := range path {
		add(fmt.Sprintf("%d updates", m.updates), m.run)
	}
	add("long", long)
}

func stuckBASClaim(r *verdict.Result, b *experiment.BAS, run *experiment.BASRun) {
	rate, e := run.Rate(experiment.AnyPassage)
	classes, te := run.Rate(experiment.Turned)
	seen, se := run.Visited()
	stripes := b.Modes.Weights[dataset.Stripe]
	r.Claim(verdict.Claim{
		Name: "stuck", Where: "section on the BAS data, figure dynamics AGS BAS",
		Statement: "After long training alternating Gibbs sampling is stuck in a bar or stripe configuration.",
		Criterion: "less than one change of image per 1000 steps, and less than one between bars and stripes per " +
			"10,000, by two standard errors; while the model weighs both alike to 0.05, no image has more than a " +
			"twentieth of its law, and most samples are images",
		Measured: []verdict.Measured{{Name: "changes of image per 1000 steps", Value: rate, Error: e},
			{Name: "changes of class per 1000 steps", Value: classes, Error: te},
			{Name: fmt.Sprintf("images visited of %d", b.Data.States.Len), Value: seen, Error: se},
			{Name: "share of stripes in the model", Value: stripes.Share, Error: stripes.Error},
			{Name: "probability of the likeliest image", Value: b.Modes.Largest, Error: 0},
			{Name: "probability of all images", Value: b.Modes.Valid, Error: b.Modes.ValidErr},
			{Name: "log-likelihood", Value: b.Modes.LL, Error: b.Modes.LogZErr}},
		Verdict: verdict.Judge(rate+2*e < 1 && classes+2*te < 0.1 && math.Abs(stripes.Share-0.5) < 0.05 &&
			b.Modes.Largest < 0.05 && b.Modes.Valid > 0.5),
	})
}

// shortBASClaim judges what is between noise and being stuck. Any one training that is cut short may be noisy or not,
// so all models on the way are looked at whose images are left.
func shortBASClaim(r *verdict.Result, path []*basShort, long *experiment.BASRun) {
	end, ee := long.LeavingRate()
	valid, ve := long.ValidShare()
	var often, soon noisy
	for _, m := range path {
		noise := m.valid+2*math.Hypot(m.validErr, ve) < valid
		if m.left(10 * (end + 2*ee)) {
			often.add(m, noise)
		}
		if m.left(soonLeft) {
			soon.add(m, noise)
		}
	}
	stuck := end+2*ee < 1
	c := verdict.Claim{
		Name: "short-training", Where: "section on the BAS data",
		Statement: "After short training the dynamics leaves an image, but what it samples is noisy; after long " +
			"training it is stuck.",
		Criterion: "the long-trained model's images are left less than once in 1000 steps; on the way of a training " +
			"in small steps there are models whose images are left ten times as often, and all of these draw images " +
			"less often than the long-trained one; " +
			"with a correction, so those whose images are left within 100 steps; each by two standard errors",
		Measured: []verdict.Measured{{Name: "departures per 1000 steps after long training", Value: end, Error: ee},
			{Name: "share of images after long training", Value: valid, Error: ve}},
		Verdict: verdict.JudgeOr(stuck && often.all(), stuck && soon.all()),
		Correction: "Noise goes before chains are stuck. Where an image is left within 100 steps, samples are " +
			"noisy; but on the way there are models that draw images as often as the long-trained one, to two " +
			"standard errors, or more often, " +
			"and whose images are still left more than ten times as often.",
	}
	for k, n := range []noisy{soon, often} {
		which := []string{"left within 100 steps", "left ten times as often"}[k]
		c.Measured = append(c.Measured,
			verdict.Measured{Name: fmt.Sprintf("models %s, of %d on the way", which, len(path)), Value: n.count,
				Error: 0})
		if m := n.clearest; m != nil {
			c.Measured = append(c.Measured, verdict.Measured{Name: "largest share of images of those " + which,
				Value: m.valid, Error: m.validErr},
				verdict.Measured{Name: "updates of that model", Value: float64(m.updates), Error: 0},
				verdict.Measured{Name: "departures per 1000 steps from its images", Value: m.leaving,
					Error: m.leavingErr})
		}
	}
	r.Claim(c)
}

// noisy counts models, and those that are noisy.
type noisy struct {
	count, noisy float64
	clearest     *basShort
}

func (n *noisy) add(m *basShort, noise bool) {
	n.count++
	if noise {
		n.noisy++
	}
	if n.clearest == nil || m.valid > n.clearest.valid {
		n.clearest = m
	}
}

// all tells that there are some, all noisy.
func (n *noisy) all() bool { return n.count > 0 && n.noisy == n.count }
