package paper

import (
	"context"
	"fmt"
	"image"
	"math"

	"instanton/dataset"
	"instanton/plot"
	"instanton/sampler"
)

func dynamicsBASFigure() Figure {
	return Figure{
		Name: "fig-dynamics-ags-bas", Title: "Bars and Stripes: alternating Gibbs sampling is stuck",
		Shows: "RBM with 2L Gaussian hidden units and L1 trained on Bars and Stripes, sampled by alternating Gibbs sampling from a stripe image and from a bar image, after long and after short training. " +
			"How good the models are and what their modes weigh is found first.",
		Version: 1, Run: runDynamicsBAS,
	}
}

func runDynamicsBAS(ctx context.Context, s Settings) (*Result, error) {
	const frames = 9
	long, err := s.bas(ctx, basSparse)
	if err != nil {
		return nil, err
	}
	short, err := s.bas(ctx, basShort)
	if err != nil {
		return nil, err
	}
	var runs []*basRun
	var panels [][]plot.Panel
	for _, b := range []*bas{long, short} {
		kernel, err := sampler.NewGibbs(b.Model, 1)
		if err != nil {
			return nil, err
		}
		run, err := b.run(ctx, s, kernel, 100, sampler.Plan{Every: 10, Draws: 100 * (frames - 1)})
		if err != nil {
			return nil, err
		}
		var two []plot.Panel
		for _, class := range []int{dataset.Stripe, dataset.Bar} {
			var rows [][]image.Image
			for k := range 2 {
				images, err := run.frames(b, class+2*k, frames, 100)
				if err != nil {
					return nil, err
				}
				rows = append(rows, images)
			}
			two = append(two, framesPanel("", rows...))
		}
		runs, panels = append(runs, run), append(panels, two)
	}
	var r Result
	caption := fmt.Sprintf("%s, L = %d: configurations under alternating Gibbs sampling, 1000 steps from frame to frame, two chains each that start from (a) a stripe image, (b) a bar image.", "%s", long.side)
	r.Draw("", fmt.Sprintf(caption, "After long training"), plot.Figure{Columns: 1, Width: plot.OneColumn, Panels: panels[0]})
	r.Draw("fig-dynamics-ags-bas-short", fmt.Sprintf(caption, "After short training"), plot.Figure{Columns: 1, Width: plot.OneColumn, Panels: panels[1]})
	r.basTable(long, short)
	r.Note("Log Z, by which log-likelihoods are found, comes from two independent ways: annealing from independent sites; and the sum over all images, which is exact, over the share of images in samples that are nearest to their class. "+
		"Weights are tied under transposition, so bars weigh as much as stripes exactly. What a stuck chain shows is one of %d images, each of which has about the same probability.", long.Data.States.Len)
	table := r.Table("dynamics", "Alternating Gibbs sampling, 100 chains, half of them from bars, 8000 steps.", "training", "changes of image per 1000 steps", "error", "changes of class per 1000 steps", "error of it",
		"images visited", "still at the first image", "images among samples", "error of these")
	table.Shown = true
	for k, name := range []string{"long", "short"} {
		run := runs[k]
		rate, e := run.rate(anyStep)
		classes, te := run.rate(turned)
		seen, _ := run.visited()
		kept, _ := run.kept()
		valid, ve := run.valid()
		table.Add(name, rate, e, classes, te, seen, kept, valid, ve)
	}
	stuckBASClaim(&r, long, runs[0])
	shortBASClaim(&r, short, runs)
	return &r, nil
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

func shortBASClaim(r *Result, b *bas, runs []*basRun) {
	long, _ := runs[0].rate(anyStep)
	rate, e := runs[1].rate(anyStep)
	kept, ke := runs[1].kept()
	valid, ve := runs[1].valid()
	longValid, lve := runs[0].valid()
	r.Claim(Claim{
		Name: "short-training", Where: "section on the BAS data",
		Statement: "After short training the dynamics leaves an image, but what it samples is noisy.",
		Criterion: "ten times as many changes of image as after long training and most chains away from their first image after 8000 steps, with less than half as many images among the samples, by two standard errors",
		Measured: []Measured{{"changes of image per 1000 steps", rate, e}, {"chains at their first image after 8000 steps", kept, ke}, {"share of images", valid, ve}, {"share of images after long training", longValid, lve},
			{"log-likelihood", b.modes.LL, b.modes.LogZErr}},
		Verdict: Judge(rate-2*e > 10*long && kept+2*ke < 0.5 && valid+2*ve < longValid/2),
	})
}
