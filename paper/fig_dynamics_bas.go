package paper

import (
	"context"
	"fmt"
	"image"
	"math"

	"instanton/dataset"
	"instanton/plot"
)

func dynamicsBASFigure() Figure {
	return Figure{
		Name: "fig-dynamics-ags-bas", Title: "Bars and Stripes: alternating Gibbs sampling is stuck",
		Shows: "RBM with 2L Gaussian hidden units and L1 trained on Bars and Stripes, sampled by alternating Gibbs sampling from a stripe image and from a bar image, after long and after short training; " +
			"and how fast chains leave an image and how many samples are images on the way of a training. How good the long-trained model is and what its modes weigh is found first.",
		Version: 2, Run: runDynamicsBAS,
	}
}

func runDynamicsBAS(ctx context.Context, s Settings) (*Result, error) {
	long, err := s.bas(ctx, basSparse)
	if err != nil {
		return nil, err
	}
	end, err := long.gibbs(ctx, s, 1000*(dynamicsFrames-1))
	if err != nil {
		return nil, err
	}
	path, err := s.basPath(ctx)
	if err != nil {
		return nil, err
	}
	short := path[0] // of those whose images are soon left, the longest trained
	for _, m := range path {
		if m.left(soonLeft) {
			short = m
		}
	}
	begin, err := short.gibbs(ctx, s, 1000*(dynamicsFrames-1))
	if err != nil {
		return nil, err
	}
	var r Result
	caption := fmt.Sprintf("%s, L = %d: configurations under alternating Gibbs sampling, 1000 steps from frame to frame, two chains each that start from (a) a stripe image, (b) a bar image.", "%s", long.side)
	for _, x := range []struct {
		file, when string
		b          *bas
		run        *basRun
	}{{"", "After long training", long, end}, {"fig-dynamics-ags-bas-short", fmt.Sprintf("After short training, %d small updates", short.updates), short.bas, begin}} {
		panels, err := dynamicsPanels(x.b, x.run)
		if err != nil {
			return nil, err
		}
		r.Draw(x.file, fmt.Sprintf(caption, x.when), plot.Figure{Columns: 1, Width: plot.OneColumn, Panels: panels})
	}
	r.Draw("fig-dynamics-ags-bas-training", fmt.Sprintf("Alternating Gibbs sampling of models on the way of a training in small steps, L = %d, 100 chains of 2000 steps from images of bars and of stripes. "+
		"(a) Rate at which chains leave their first image; draws are 10 steps apart, so that it cannot exceed 100. (b) Share of images among samples. Dashed: the long-trained model.", long.side), pathFigure(path, end))
	r.basTable(long)
	r.Note("Log Z, by which log-likelihoods are found, comes from two independent ways: annealing from independent sites; and the sum over all images, which is exact, over the share of images in samples that are nearest to their class. "+
		"Weights are tied under transposition, so that bars weigh as much as stripes exactly; the two images that are both count for neither in the table. What a stuck chain shows is one of %d images, "+
		"the likeliest of which has the probability %.2g.", long.Data.States.Len, long.modes.Largest)
	dynamicsTable(&r, path, end)
	stuckBASClaim(&r, long, end)
	shortBASClaim(&r, path, end)
	return &r, nil
}

// dynamicsFrames is the number of frames in a row, 1000 steps apart.
const dynamicsFrames = 9

// dynamicsPanels shows two chains from stripes and two from bars.
func dynamicsPanels(b *bas, run *basRun) (panels []plot.Panel, err error) {
	for _, class := range []int{dataset.Stripe, dataset.Bar} {
		var rows [][]image.Image
		for k := range 2 {
			images, err := run.frames(b, class+2*k, dynamicsFrames, 100)
			if err != nil {
				return nil, err
			}
			rows = append(rows, images)
		}
		panels = append(panels, framesPanel("", rows...))
	}
	return panels, nil
}

func dynamicsTable(r *Result, path []*basShort, long *basRun) {
	t := r.Table("dynamics", fmt.Sprintf("Alternating Gibbs sampling, %d chains, half of them from bars: after long training, %d steps, and on the way of a training in small steps, %d steps.", long.chains, long.Sweeps(), path[0].run.Sweeps()),
		"training", "departures from the first image per 1000 steps", "error of these", "changes of image per 1000 steps", "error", "changes of class per 1000 steps", "error of it", "images visited", "still at the first image", "images among samples", "error of the share")
	t.Shown = true
	add := func(name string, run *basRun) {
		leaving, le := run.leaving()
		rate, e := run.rate(anyStep)
		classes, te := run.rate(turned)
		seen, _ := run.visited()
		kept, _ := run.kept()
		valid, ve := run.valid()
		t.Add(name, leaving, le, rate, e, classes, te, seen, kept, valid, ve)
	}
	for _, m := range path {
		add(fmt.Sprintf("%d updates", m.updates), m.run)
	}
	add("long", long)
}

func stuckBASClaim(r *Result, b *bas, run *basRun) {
	rate, e := run.rate(anyStep)
	classes, te := run.rate(turned)
	seen, se := run.visited()
	stripes := b.modes.Weights[dataset.Stripe]
	r.Claim(Claim{
		Name: "stuck", Where: "section on the BAS data, figure dynamics AGS BAS",
		Statement: "After long training alternating Gibbs sampling is stuck in a bar or stripe configuration.",
		Criterion: "less than one change of image per 1000 steps, and less than one between bars and stripes per 10,000, by two standard errors; while the model weighs both alike to 0.05, no image has more than a twentieth of its law, and most samples are images",
		Measured: []Measured{{"changes of image per 1000 steps", rate, e}, {"changes of class per 1000 steps", classes, te}, {fmt.Sprintf("images visited of %d", b.Data.States.Len), seen, se},
			{"share of stripes in the model", stripes.Share, stripes.Error}, {"probability of the likeliest image", b.modes.Largest, 0}, {"probability of all images", b.modes.Valid, b.modes.ValidErr}, {"log-likelihood", b.modes.LL, b.modes.LogZErr}},
		Verdict: Judge(rate+2*e < 1 && classes+2*te < 0.1 && math.Abs(stripes.Share-0.5) < 0.05 && b.modes.Largest < 0.05 && b.modes.Valid > 0.5),
	})
}

// shortBASClaim judges what is between noise and being stuck. Any one training that is cut short may be noisy or not, so
// all models on the way are looked at whose images are left.
func shortBASClaim(r *Result, path []*basShort, long *basRun) {
	end, ee := long.leaving()
	valid, ve := long.valid()
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
	c := Claim{
		Name: "short-training", Where: "section on the BAS data",
		Statement: "After short training the dynamics leaves an image, but what it samples is noisy; after long training it is stuck.",
		Criterion: "the long-trained model's images are left less than once in 1000 steps; on the way of a training in small steps there are models whose images are left ten times as often, and all of these draw images less often than the long-trained one; " +
			"with a correction, so those whose images are left within 100 steps; each by two standard errors",
		Measured: []Measured{{"departures per 1000 steps after long training", end, ee}, {"share of images after long training", valid, ve}},
		Verdict:  JudgeOr(stuck && often.all(), stuck && soon.all()),
		Correction: "Noise goes before chains are stuck. Where an image is left within 100 steps, samples are noisy; but on the way there are models that draw images as often as the long-trained one, to two standard errors, or more often, " +
			"and whose images are still left more than ten times as often.",
	}
	for k, n := range []noisy{soon, often} {
		which := []string{"left within 100 steps", "left ten times as often"}[k]
		c.Measured = append(c.Measured, Measured{fmt.Sprintf("models %s, of %d on the way", which, len(path)), n.count, 0})
		if m := n.clearest; m != nil {
			c.Measured = append(c.Measured, Measured{"largest share of images of those " + which, m.valid, m.validErr}, Measured{"updates of that model", float64(m.updates), 0}, Measured{"departures per 1000 steps from its images", m.leaving, m.leavingErr})
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
