package paper

import (
	"context"
	"fmt"
	"math"

	"instanton/plot"
)

func unitsBASFigure() Figure {
	return Figure{
		Name: "text-bas-units", Title: "Bars and Stripes: real hidden units against two-valued ones",
		Shows:   "The same training with as many spin or Bernoulli hidden units in place of the Gaussian ones, at three strengths of L1. A unit needs more than two values, says the paper: its line on, off, or silent in an image of the other class.",
		Version: 1, Run: runUnitsBAS,
	}
}

func runUnitsBAS(ctx context.Context, s Settings) (*Result, error) {
	gaussian, err := s.bas(ctx, basSparse)
	if err != nil {
		return nil, err
	}
	var r Result
	table := r.Table("units", fmt.Sprintf("Hidden units, L1, mean log-likelihood of the images (exact for two-valued units; −log %d = %.3f would be perfect) and the probability of all images together.",
		gaussian.Data.States.Len, -math.Log(float64(gaussian.Data.States.Len))), "hidden units", "L1", "log-likelihood", "error", "images", "error of images")
	table.Shown = true
	add := func(name string, l1 float64, b *bas) {
		table.Add(name, l1, b.modes.LL, b.modes.LogZErr, b.modes.Valid, b.modes.ValidErr)
	}
	l1 := s.sparsity()
	add("Gaussian", l1, gaussian)
	names, y, errs := []string{"Gaussian"}, []float64{gaussian.modes.LL}, []float64{gaussian.modes.LogZErr}
	measured := []Measured{{"log-likelihood, Gaussian", gaussian.modes.LL, gaussian.modes.LogZErr}}
	valid := []Measured{{"images, Gaussian", gaussian.modes.Valid, gaussian.modes.ValidErr}}
	worse := true
	for k, kind := range []basKind{basSpin, basBernoulli} {
		name := []string{"spin", "Bernoulli"}[k]
		var best *bas
		for _, l1 := range []float64{2 * l1, l1, l1 / 10} {
			b, err := s.basWith(ctx, kind, l1)
			if err != nil {
				return nil, err
			}
			add(name, l1, b)
			if best == nil || b.modes.LL > best.modes.LL {
				best = b
			}
		}
		names, y, errs = append(names, name), append(y, best.modes.LL), append(errs, 0)
		measured = append(measured, Measured{"best " + name, best.modes.LL, 0})
		valid = append(valid, Measured{name, best.modes.Valid, 0})
		worse = worse && best.modes.LL < gaussian.modes.LL-0.5-2*gaussian.modes.LogZErr && best.modes.Valid < gaussian.modes.Valid-2*gaussian.modes.ValidErr
	}
	perfect := -math.Log(float64(gaussian.Data.States.Len))
	r.Draw("", fmt.Sprintf("Mean log-likelihood of the images of Bars and Stripes, L = %d, below a perfect model, with %d hidden units of each kind; for spin and Bernoulli units the best of three strengths of L1.", gaussian.side, 2*gaussian.side),
		plot.Figure{Panels: []plot.Panel{{X: plot.Axis{Ticks: plot.Categories(names...), Limits: plot.Between(-0.6, 2.6)}, Y: plot.Axis{Label: "missing log-likelihood", Limits: plot.From(0)}, Legend: plot.LegendNone,
			Series: []plot.Series{plot.Bars{X: []float64{0, 1, 2}, Y: missing(perfect, y), YErr: errs, Width: 0.5}}}}})
	r.Claim(Claim{
		Name: "real-units", Where: "section on the BAS data",
		Statement: "It is essential to use real hidden units for Bars and Stripes; discrete ones cannot be strongly and weakly magnetized both.",
		Criterion: "spin and Bernoulli units, at the best of three strengths of L1, end at least 0.5 below the log-likelihood with Gaussian ones and at a lower probability of all images, by two standard errors",
		Measured:  append(measured, valid...),
		Verdict:   Judge(worse),
	})
	return &r, nil
}

// missing is how far values lie below the best.
func missing(best float64, y []float64) []float64 {
	out := make([]float64, len(y))
	for k := range y {
		out[k] = best - y[k]
	}
	return out
}
