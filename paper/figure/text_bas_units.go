package figure

import (
	"context"
	"fmt"
	"math"

	"instanton/mixing"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
)

func unitsBASFigure() verdict.Figure {
	return verdict.Figure{
		Name: "text-bas-units", Title: "Bars and Stripes: real hidden units against two-valued ones",
		Shows: "The same training, with the same sampler, rate and number of updates, of as many Gaussian, spin or " +
			"Bernoulli hidden units, each at strengths of L1 about its best, for L = 8. " +
			"A unit needs more than two values, says the paper: its line on, off, or silent in an image of the " +
			"other class.",
		Version: 2, Run: runUnitsBAS,
	}
}

// basUnits is a kind of hidden units with the model of the largest likelihood.
type basUnits struct {
	name      string
	kind      experiment.BASKind
	strengths []float64 // of L1, to those of the other figures
	best      *experiment.BAS
	l1        float64 // of the best
}

// unitsToCompare are the kinds, Gaussian first, which have fewer strengths to choose from, to their disadvantage.
func unitsToCompare(s verdict.Settings) []*basUnits {
	gaussian, discrete := []float64{2, 1, 0.5}, []float64{1, 0.5, 0.3, 0.2}
	if s.Quick {
		gaussian, discrete = []float64{1}, []float64{0.5, 0.3}
	}
	return []*basUnits{
		{name: "Gaussian", kind: experiment.BASSparse, strengths: gaussian},
		{name: "spin", kind: experiment.BASSpin, strengths: discrete},
		{name: "Bernoulli", kind: experiment.BASBernoulli, strengths: discrete},
	}
}

func runUnitsBAS(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	all := unitsToCompare(s)
	s.Quick = true // L = 8, at several strengths rather than L = 10 at one
	var r verdict.Result
	table := r.Table("units",
		"Hidden units, L1, mean log-likelihood of the images (exact for two-valued units), how much a perfect model "+
			"has more, and the probability of all images together.",
		"hidden units", "L1", "log-likelihood", "error", "missing", "images", "error of images")
	table.Shown = true
	perfect := 0.0
	for _, u := range all {
		for _, x := range u.strengths {
			l1 := x * experiment.BASSparsity(s)
			b, err := experiment.TrainBASWith(ctx, s, u.kind, l1)
			if err != nil {
				return nil, err
			}
			perfect = -math.Log(float64(b.Data.States.Len))
			table.Add(u.name, l1, b.Modes.LL, b.Modes.LogZErr, perfect-b.Modes.LL, b.Modes.Valid, b.Modes.ValidErr)
			if u.best == nil || b.Modes.LL > u.best.Modes.LL {
				u.best, u.l1 = b, l1
			}
		}
	}
	panel := func(label string, value func(m experiment.BASModes) (y, err float64)) plot.Panel {
		var names []string
		var y, errs []float64
		for _, u := range all {
			v, e := value(u.best.Modes)
			names, y, errs = append(names, u.name), append(y, v), append(errs, e)
		}
		return plot.Panel{X: plot.Axis{Ticks: plot.Categories(names...), Limits: plot.Between(-0.6, 2.6)},
			Y: plot.Axis{Label: label, Limits: plot.From(0)}, Legend: plot.LegendNone,
			Series: []plot.Series{plot.Bars{X: []float64{0, 1, 2}, Y: y, YErr: errs, Width: 0.5}}}
	}
	side := all[0].best.Side
	r.Draw("",
		fmt.Sprintf("%d hidden units of each kind trained alike on Bars and Stripes, L = %d, at the best strength "+
			"of L1 that was tried. (a) Mean log-likelihood of the images below that of a perfect model. (b) "+
			"Probability of all images together.", 2*side, side),
		plot.Figure{Columns: 2, Width: plot.TwoColumns, Panels: []plot.Panel{
			panel("missing log-likelihood", func(m experiment.BASModes) (float64, float64) {
				return perfect - m.LL,
					m.LogZErr
			}),
			panel("probability of all images", func(m experiment.BASModes) (float64, float64) {
				return m.Valid,
					m.ValidErr
			}),
		}})
	r.Note("The log-likelihood of Gaussian units depends on the seed of the training about as much as on the kind " +
		"of units, since some images come out likelier than others; the probability of all images together does not.")
	realUnitsClaim(&r, all, perfect)
	weakUnitsClaim(&r, all)
	return &r, nil
}

func realUnitsClaim(r *verdict.Result, all []*basUnits, perfect float64) {
	c := verdict.Claim{
		Name: "real-units", Where: "section on the BAS data",
		Statement: "It is essential to use real hidden units for Bars and Stripes.",
		Criterion: "trained alike and each at the strength of L1 with the largest likelihood, spin and Bernoulli " +
			"units give all images together less than half the probability that Gaussian ones do, by two standard " +
			"errors; " +
			"with a correction, less by 0.05, by two standard errors",
	}
	useless, worse := true, true
	real := all[0].best.Modes
	for _, u := range all {
		m := u.best.Modes
		c.Measured = append(c.Measured, verdict.Measured{Name: "log-likelihood below a perfect model, " + u.name,
			Value: perfect - m.LL, Error: m.LogZErr},
			verdict.Measured{Name: "probability of all images, " + u.name, Value: m.Valid, Error: m.ValidErr},
			verdict.Measured{Name: "best L1, " + u.name, Value: u.l1, Error: 0})
		if u != all[0] {
			useless = useless && m.Valid < (real.Valid-2*real.ValidErr)/2
			worse = worse && m.Valid < real.Valid-2*real.ValidErr-0.05
		}
	}
	c.Verdict = verdict.JudgeOr(useless, worse)
	c.Correction = "Real units do better and are not essential: as many two-valued ones, trained in the same way, " +
		"learn the images, too, with more noise."
	r.Claim(c)
}

// weakUnitsClaim judges whether hidden units are silent in some images.
func weakUnitsClaim(r *verdict.Result, all []*basUnits) {
	c := verdict.Claim{
		Name: "weak-units", Where: "section on the BAS data",
		Statement: "Real hidden units are strongly magnetized in some images and weakly in others, on or off; " +
			"discrete ones, like Bernoulli or spin, cannot be.",
		Criterion: "over images and hidden units of the same models, means ⟨h|v⟩ that are less than half as far " +
			"from the middle of the unit's values as in the image where they are farthest: more than a quarter with " +
			"Gaussian units, and with spin and Bernoulli ones less than half as many",
	}
	met := true
	real := 0.0
	for _, u := range all {
		weak := weakShare(u.best)
		c.Measured = append(c.Measured, verdict.Measured{Name: "share of weak magnetizations, " + u.name, Value: weak,
			Error: 0})
		if u == all[0] {
			real = weak
			met = weak > 0.25
		} else {
			met = met && weak < real/2
		}
	}
	c.Verdict = verdict.Judge(met)
	r.Claim(c)
}

// weakShare is the share of images and hidden units whose mean is less than half as far from the middle of the unit's
// values as in the image where it is farthest.
func weakShare(b *experiment.BAS) float64 {
	middle := 0.0
	if b.Kind == experiment.BASBernoulli {
		middle = 0.5
	}
	all := mixing.Representations(b.Model, b.Data.States)
	far := make([]float64, b.Model.Hidden.Spec().N)
	for _, h := range all {
		for mu, x := range h {
			far[mu] = math.Max(far[mu], math.Abs(x-middle))
		}
	}
	weak := 0.0
	for _, h := range all {
		for mu, x := range h {
			if math.Abs(x-middle) < far[mu]/2 {
				weak++
			}
		}
	}
	return weak / float64(len(all)*len(far))
}
