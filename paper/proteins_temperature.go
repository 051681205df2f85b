package paper

import (
	"context"
	"slices"

	"instanton/lattice"
	"instanton/sampler"
)

// temperatureRun says how a model is tried out at β = 1, 2, …, most.
type temperatureRun struct{ most, chains, steps int }

func temperatureRuns(quick bool) temperatureRun {
	if quick {
		return temperatureRun{3, 20, 1000}
	}
	return temperatureRun{4, 40, 5000}
}

// temperature is what was found at one β.
type temperature struct {
	Beta        int       `json:"beta"`
	Pnat        []float64 `json:"pnat_quantiles"` // of the larger P_nat of both structures, for the shares below
	Good        float64   `json:"share_above_0.99"`
	GoodError   float64   `json:"error"`
	Transitions int       `json:"changes_of_family"`
	Steps       float64   `json:"steps"`
}

// shares of the quantiles of P_nat.
var pnatShares = [5]float64{0.1, 0.25, 0.5, 0.75, 0.9}

func (t temperature) median() float64 { return t.Pnat[2] }

// foldingBeta is the least β at which most sequences fold as well as those that were learnt from, or else the
// last.
func foldingBeta(levels []temperature) int {
	for _, t := range levels {
		if t.median() > minPnat {
			return t.Beta
		}
	}
	return len(levels)
}

// temperatures samples at β = 1, 2, …
func (x *proteins) temperatures(ctx context.Context, s Settings, runs temperatureRun) ([]temperature, error) {
	return kept(s, x.Dir, "temperatures", runs, func() (all []temperature, err error) {
		for beta := 1; beta <= runs.most; beta++ {
			s.say("sampling at β = %d", beta)
			t, err := x.temperature(ctx, s, runs, beta)
			if err != nil {
				return nil, err
			}
			all = append(all, *t)
		}
		return all, nil
	})
}

func (x *proteins) temperature(ctx context.Context, s Settings, runs temperatureRun, beta int) (*temperature, error) {
	s.Seed = s.seedFor("temperatures") // other chains than those that claims rest on
	kernel, err := sampler.NewGibbs(x.Model, float64(beta))
	if err != nil {
		return nil, err
	}
	run, err := x.follow(ctx, s, kernel, runs.chains, runs.steps, 50)
	if err != nil {
		return nil, err
	}
	sequences, err := lattice.Sequences(run.v)
	if err != nil {
		return nil, err
	}
	t := &temperature{Beta: beta, Transitions: run.Transitions, Steps: run.steps()}
	all, good := make([]float64, len(sequences)), make([]float64, run.chains)
	for k, v := range sequences {
		p := x.pnat(v)
		all[k] = max(p[0], p[1])
		if all[k] > minPnat {
			good[k/run.draws] += 1 / float64(run.draws)
		}
	}
	slices.Sort(all)
	for _, share := range pnatShares {
		t.Pnat = append(t.Pnat, all[int(share*float64(len(all)-1))])
	}
	t.Good, t.GoodError = meanAndError(good)
	return t, nil
}
