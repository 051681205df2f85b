package rates_test

import (
	"context"
	"math"
	"testing"

	"instanton/rates"
	"instanton/rbm"
	"instanton/sampler"
)

// Three patterns, none of which lies beyond another: the time in which chains leave the first is compared with plain
// simulation.
func TestLeaveThreePatterns(t *testing.T) {
	const n, chains, longest = 64, 1024, 4000
	patterns, err := rbm.OrthogonalPatterns(n, 3)
	if err != nil {
		t.Fatal(err)
	}
	m, err := rbm.Hopfield(patterns, 1.3)
	if err != nil {
		t.Fatal(err)
	}
	o := rates.Options{Chains: 128, Sweeps: 1500, Seed: 2, Leave: true}
	if o.From, err = rates.Pattern(m, 1); err != nil {
		t.Fatal(err)
	}
	if o.To, err = rates.Pattern(m, 2); err != nil {
		t.Fatal(err)
	}
	r, err := rates.Estimate(context.Background(), m, o)
	if err != nil {
		t.Fatal(err)
	}

	// A chain has left once its overlap with the pattern is that of the other patterns; few chains come back.
	k, err := sampler.NewGibbs(m, 1)
	if err != nil {
		t.Fatal(err)
	}
	c := sampler.NewChains(m, chains, 7)
	for i := range chains {
		c.V.SetValues(i, o.From)
	}
	worker, x := k.Worker(), make([]float64, n)
	gone, exits, steps := make([]bool, chains), 0.0, 0.0
	for sweep := range uint64(longest) {
		worker.Sweep(c, 0, chains, sweep, 1)
		for i := range chains {
			if gone[i] {
				continue
			}
			if sweep > 100 { // once the chains have settled in the state
				steps++
			}
			c.V.Values(x, i)
			overlap := 0.0
			for j, v := range x {
				overlap += v * o.From[j]
			}
			if overlap <= 0 {
				gone[i] = true
				if sweep > 100 {
					exits++
				}
			}
		}
	}
	simple, relative := steps/exits, 1/math.Sqrt(exits)
	t.Logf("left after %.4g steps ± %.3f, by simple runs %.4g ± %.3f (%g exits)", 1/r.Forward, r.Error, simple,
		relative, exits)
	d := math.Log(simple * r.Forward)
	if math.Abs(d) > 4*math.Hypot(relative, r.Error) || exits < 300 || r.Error > 0.1 {
		t.Errorf("left after %g steps ± %g, by simple runs %g ± %g of %g exits", 1/r.Forward, r.Error, simple, relative,
			exits)
	}
}
