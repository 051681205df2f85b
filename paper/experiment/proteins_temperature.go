package experiment

import (
	"context"
	"slices"

	"instanton/lattice"
	"instanton/paper/verdict"
	"instanton/sampler"
)

// TemperatureRun says how a model is tried out at β = 1, 2, …, MaxBeta.
type TemperatureRun struct{ MaxBeta, Chains, Steps int }

// TemperatureRuns are those of the paper's model.
func TemperatureRuns(quick bool) TemperatureRun {
	if quick {
		return TemperatureRun{3, 20, 1000}
	}
	return TemperatureRun{4, 40, 5000}
}

// Temperature is what was found at one β.
type Temperature struct {
	Beta        int       `json:"beta"`
	Pnat        []float64 `json:"pnat_quantiles"` // of the larger P_nat of both structures, for the shares below
	Good        float64   `json:"share_above_0.99"`
	GoodError   float64   `json:"error"`
	Transitions int       `json:"changes_of_family"`
	Steps       float64   `json:"steps"`
}

// shares of the quantiles of P_nat.
var pnatShares = [5]float64{0.1, 0.25, 0.5, 0.75, 0.9}

func (t Temperature) median() float64 { return t.Pnat[2] }

// FoldingBeta is the least β at which most sequences fold as well as those that were learnt from, or else the
// last.
func FoldingBeta(levels []Temperature) int {
	for _, t := range levels {
		if t.median() > MinPnat {
			return t.Beta
		}
	}
	return len(levels)
}

// Temperatures samples at β = 1, 2, …
func (x *Proteins) Temperatures(ctx context.Context, s verdict.Settings, runs TemperatureRun) ([]Temperature, error) {
	return verdict.Keep(s, x.Dir, "temperatures", runs, func() (all []Temperature, err error) {
		for beta := 1; beta <= runs.MaxBeta; beta++ {
			s.Progress("sampling at β = %d", beta)
			t, err := x.temperature(ctx, s, runs, beta)
			if err != nil {
				return nil, err
			}
			all = append(all, *t)
		}
		return all, nil
	})
}

func (x *Proteins) temperature(ctx context.Context, s verdict.Settings, runs TemperatureRun, beta int) (*Temperature,
	error) {
	s.Seed = s.SeedFor("temperatures") // other chains than those that claims rest on
	kernel, err := sampler.NewGibbs(x.Model, float64(beta))
	if err != nil {
		return nil, err
	}
	run, err := x.Record(ctx, s, kernel, runs.Chains, runs.Steps, 50)
	if err != nil {
		return nil, err
	}
	sequences, err := lattice.Sequences(run.V)
	if err != nil {
		return nil, err
	}
	t := &Temperature{Beta: beta, Transitions: run.Transitions, Steps: run.Steps()}
	all, good := make([]float64, len(sequences)), make([]float64, run.Chains)
	for k, v := range sequences {
		p := x.Pnat(v)
		all[k] = max(p[0], p[1])
		if all[k] > MinPnat {
			good[k/run.Draws] += 1 / float64(run.Draws)
		}
	}
	slices.Sort(all)
	for _, share := range pnatShares {
		t.Pnat = append(t.Pnat, all[int(share*float64(len(all)-1))])
	}
	t.Good, t.GoodError = MeanError(good)
	return t, nil
}
