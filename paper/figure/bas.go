package figure

import (
	"context"
	"fmt"
	"image"
	"math"

	"instanton/latent"
	"instanton/mixing"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/rbm"
	"instanton/sampler"
)

func basFigure() verdict.Figure {
	return verdict.Figure{
		Name: "fig-bas", Title: "Bars and Stripes: moves of hidden units",
		Shows: "Configurations of RBM trained on Bars and Stripes with and without L1 when hidden units are moved " +
			"one by one, with the visible ones summed out, within each step of alternating Gibbs sampling; " +
			"and the same for the first model with its hidden space rotated, which changes nothing in its law.",
		Version: 3, Run: runBAS,
	}
}

// basCase is a model under a sampler.
type basCase struct {
	name string
	*experiment.BAS
	model  *rbm.RBM
	latent bool
	run    *experiment.BASRun
}

func runBAS(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	const frames = 9
	chains, sweeps := 50, 2000
	if s.Quick {
		chains, sweeps = 20, 1000
	}
	if s.Tiny {
		sweeps = 300
	}
	sparse, err := experiment.TrainBAS(ctx, s, experiment.BASSparse)
	if err != nil {
		return nil, err
	}
	plain, err := experiment.TrainBAS(ctx, s, experiment.BASPlain)
	if err != nil {
		return nil, err
	}
	rotated := sparse.Model.Clone()
	if err := rotated.Rotate(rbm.RandomRotation(rotated.Hidden.Spec().N,
		s.SeedFor("rotation of bars and stripes"))); err != nil {
		return nil, err
	}
	cases := []*basCase{
		{name: "L1, latent moves", BAS: sparse, model: sparse.Model, latent: true},
		{name: "no L1, latent moves", BAS: plain, model: plain.Model, latent: true},
		{name: "L1 and rotated, latent moves", BAS: sparse, model: rotated, latent: true},
		{name: "L1, AGS", BAS: sparse, model: sparse.Model},
		{name: "no L1, AGS", BAS: plain, model: plain.Model},
	}
	var r verdict.Result
	basTable(&r, sparse, plain)
	table := r.Table("changes", fmt.Sprintf("%d chains, half of them from bars, %d steps.", chains, sweeps),
		"model and sampler", "changes of image per 1000 steps", "error", "changes of class per 1000 steps",
		"error of it", "images visited", "images among samples")
	table.Shown = true
	for _, c := range cases {
		var kernel sampler.Kernel
		if kernel, err = sampler.NewGibbs(c.model, 1); c.latent {
			kernel, err = latent.New(c.model, 1, latent.Options{})
		}
		if err != nil {
			return nil, err
		}
		s.Progress("sampling: %s", c.name)
		if c.run, err = c.BAS.Sample(ctx, s, kernel, chains, sampler.Plan{Every: 1, Draws: sweeps}); err != nil {
			return nil, err
		}
		rate, e := c.run.Rate(experiment.AnyPassage)
		classes, te := c.run.Rate(experiment.Turned)
		seen, _ := c.run.Visited()
		valid, _ := c.run.ValidShare()
		table.Add(c.name, rate, e, classes, te, seen, valid)
	}
	var panels []plot.Panel
	for _, c := range cases[:2] {
		var rows [][]image.Image
		for k := range 4 {
			images, err := c.run.Frames(c.BAS, k, frames, 25)
			if err != nil {
				return nil, err
			}
			rows = append(rows, images)
		}
		panels = append(panels, framesPanel("", rows...))
	}
	r.Draw("",
		fmt.Sprintf("Alternating Gibbs sampling with moves of single hidden units, L = %d, 25 steps from frame to "+
			"frame, one row per chain; each begins with an image of bars or of stripes. (a) Trained with "+
			"L1: lines are switched on and off. (b) Trained without.", sparse.Side),
		plot.Figure{Columns: 2, Width: plot.TwoColumns, Panels: panels})
	basMoveClaims(&r, cases)
	basClassClaim(&r, cases[0])
	compositionClaim(&r, cases[0], cases[3])
	return &r, nil
}

// events are the changes of image and the steps of all chains.
func (c *basCase) events() (e events) {
	for _, steps := range c.run.Passages {
		e.changes += float64(len(steps))
	}
	e.steps = float64(c.run.Sweeps() * c.run.Chains)
	return e
}

func basMoveClaims(r *verdict.Result, cases []*basCase) {
	rate, e := cases[0].run.Rate(experiment.AnyPassage)
	gibbs, ge := cases[3].run.Rate(experiment.AnyPassage)
	valid, ve := cases[0].run.ValidShare()
	r.Claim(verdict.Claim{
		Name: "sparse", Where: "figure BAS (a)",
		Statement: "With L1, moves of single hidden units switch bars and stripes on and off efficiently.",
		Criterion: "more than a hundred times as many changes of image as under alternating Gibbs sampling, by two " +
			"standard errors",
		Measured: []verdict.Measured{{Name: "changes of image per 1000 steps", Value: rate, Error: e},
			{Name: "under AGS", Value: gibbs, Error: ge}, {Name: "images among samples", Value: valid, Error: ve}},
		Verdict: verdict.Judge(rate-2*e > 100*(gibbs+2*ge)),
	})
	dense, de := cases[1].run.Rate(experiment.AnyPassage)
	rotated, te := cases[2].run.Rate(experiment.AnyPassage)
	plainGibbs, pe := cases[4].run.Rate(experiment.AnyPassage)
	far := dense+2*de < rate/20 && rotated+2*te < rate/20
	gained := gainOf(cases[1].events(), cases[4].events())
	claim := verdict.Claim{
		Name: "plain", Where: "figure BAS (b)",
		Statement: "Without L1, moves of single hidden units do not help.",
		Criterion: fmt.Sprintf("changes of image per step come less than %g times as often with the moves as without, "+
			"at 97.5 %%, in the model trained without L1; with a correction, they come more often than that and still "+
			"less than a twentieth as often as with L1, by two standard errors, in this model and in that with L1 "+
			"after a rotation of the hidden units, which has the same law; open if a gain is neither shown nor "+
			"excluded",
			noHelp),
		Measured: append([]verdict.Measured{{Name: "changes of image per 1000 steps, no L1", Value: dense, Error: de},
			{Name: "under AGS", Value: plainGibbs, Error: pe}, {Name: "L1 and rotated", Value: rotated, Error: te},
			{Name: "L1", Value: rate, Error: e}}, gained.measured("gain")...),
		Verdict:    noHelpVerdict(gained),
		Correction: "they help, but far less than with L1.",
		Needs:      noHelpNeeds(cases[4].events()),
	}
	if claim.Verdict == verdict.Fails && far {
		claim.Verdict = verdict.Corrected
	}
	r.Claim(claim)
}

// compositionClaim judges moves of single units where combinations of units make the states.
func compositionClaim(r *verdict.Result, moves, gibbs *basCase) {
	units := float64(moves.model.Hidden.Spec().N)
	var shares []float64
	for _, h := range mixing.Representations(moves.model, moves.Data.States) {
		shares = append(shares, participation(h)/units)
	}
	active, _ := experiment.MeanError(shares)
	seen, se := moves.run.Visited()
	stuck, ste := gibbs.run.Visited()
	images := float64(moves.Data.States.Len)
	r.Claim(verdict.Claim{
		Name: "compositional", Where: "conclusion",
		Statement: "Moves of single hidden units are expected to work in the compositional regime, too: " +
			"representations are sparse, and combinations of active units make a combinatorial number of states.",
		Criterion: "with L1 fewer than three quarters of the hidden units take part in the representation of an " +
			"image, by their participation ratio; a chain visits a tenth of all images at least, by two standard " +
			"errors, and more than ten times as many as under alternating Gibbs sampling",
		Measured: []verdict.Measured{{Name: "share of hidden units that take part", Value: active},
			{Name: "images", Value: images}, {Name: "visited by a chain", Value: seen, Error: se},
			{Name: "under AGS", Value: stuck, Error: ste}, {Name: "steps", Value: float64(moves.run.Sweeps())}},
		Verdict: verdict.Judge(active < 0.75 && seen-2*se > images/10 && seen-2*se > 10*(stuck+2*ste)),
	})
}

// basClassClaim judges passages between bars and stripes, which lead by images of few lines.
func basClassClaim(r *verdict.Result, c *basCase) {
	rate, e := c.run.Rate(experiment.Turned)
	lines, le := c.run.Rate(experiment.AnyPassage)
	turns, poor := 0.0, 0.0
	for _, steps := range c.run.Passages {
		for _, p := range steps {
			if p.Turned {
				turns++
				if min(p.From.LinesToUniform(c.Side), p.To.LinesToUniform(c.Side)) <= 1 {
					poor++
				}
			}
		}
	}
	claim := verdict.Claim{
		Name: "classes", Where: "conclusion",
		Statement: "AGS with moves of single hidden units samples within bars or within stripes, but cannot go from " +
			"one class to the other.",
		Criterion: "no change between bars and stripes; with a correction, less than one per twenty changes of " +
			"image, by two standard errors, and nine of ten by way of images with at most one line on, or off",
		Measured: []verdict.Measured{{Name: "changes of class per 1000 steps", Value: rate, Error: e},
			{Name: "changes of image per 1000 steps", Value: lines, Error: le},
			{Name: "changes of class seen", Value: turns, Error: 0}},
	}
	rare := false
	if turns > 0 {
		share := poor / turns
		claim.Measured = append(claim.Measured,
			verdict.Measured{Name: "share of them by way of images with at most one line on, or off", Value: share,
				Error: math.Max(math.Sqrt(share*(1-share)/turns), 1/turns)})
		rare = rate+2*e < lines/20 && share > 0.9
		claim.Correction = fmt.Sprintf("It does so, rarely: %.0f of %.0f changes of class led by way of images with "+
			"at most one line on, or off, which are bars and stripes at once or nearly so. "+
			"There are 2 + 4L of them among 2^(L+1) − 2, so that this way closes with growing L.", poor, turns)
	}
	claim.Verdict = verdict.JudgeOr(turns == 0, rare)
	r.Claim(claim)
}

// framesPanel shows rows of frames, one per chain.
func framesPanel(title string, rows ...[]image.Image) plot.Panel {
	sheet := &plot.ImageSheet{}
	for _, images := range rows {
		sheet.Rows = append(sheet.Rows, plot.ImageRow{Images: images})
	}
	return plot.Panel{Title: title, Images: sheet}
}
