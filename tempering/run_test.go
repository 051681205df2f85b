package tempering

import (
	"context"
	"errors"
	"math"
	"testing"

	"instanton/internal/problem"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// ladders returns a kernel of every kind for a model, as far as it has them, without pilots.
func ladders(t *testing.T, m *rbm.RBM) []*Kernel {
	t.Helper()
	data := sampler.NewChains(m, 80, 2).V
	half := must(m.Scaled(0.5))
	next := must(rbm.Random(m.Hidden.Spec(), spec("spin:3"), 0.4, 5))
	all := []*Kernel{
		{ladder: must(newBetaLadder(m, []float64{0.3, 0.7, 1.3})), model: m, beta: 1.3},
		{ladder: must(newModelLadder("trajectory", "", must(trajectory(m, []*rbm.RBM{half})))), model: m, beta: 1},
		must(NewStacked([]*rbm.RBM{m, next})),
	}
	if m.Visible.Spec().Type.Discrete() {
		q := must(FitMixture(data, nil, 3, 1, 1))
		k := &Kernel{ladder: must(newMixtureLadder(m, q, []float64{0, 0.3, 0.8, 1})), model: m, beta: 1}
		k.balance = newBalance(q, 4)
		k.balance.weight[2][1] = -0.5
		all = append(all, k)
	}
	return all
}

// The results do not depend on the number of workers, an interruption changes nothing as long as the replicas are kept,
// and sweeps allocate nothing.
func TestRunsOfLadders(t *testing.T) {
	for _, m := range problem.Stored() {
		for _, k := range ladders(t, m) {
			t.Run(m.Visible.Spec().String()+"-"+m.Hidden.Spec().String()+"/"+k.Name(), func(t *testing.T) {
				run := func(workers int, cut int) *sampler.Chains {
					c := sampler.NewChains(m, 37, 5)
					for _, n := range []int{cut, 12 - cut} {
						if err := sampler.NewPool(k, workers).Run(context.Background(), c, n); err != nil {
							t.Fatal(err)
						}
						c = &sampler.Chains{Seed: c.Seed, First: c.First, Sweep: c.Sweep, V: c.V.Clone(),
							Proposed: c.Proposed, Accepted: c.Accepted, Replicas: c.Replicas, Tally: c.Tally}
					}
					return c
				}
				one := run(1, 0)
				for _, other := range []*sampler.Chains{run(3, 0), run(2, 5)} {
					if !one.V.Equal(other.V) || one.Acceptance() != other.Acceptance() {
						t.Error("other bits with more workers, or after an interruption")
					}
					a, b := must(k.Report(one)), must(k.Report(other))
					if a.Lambda != b.Lambda || a.RoundTrips != b.RoundTrips {
						t.Errorf("reports differ: %+v and %+v", a, b)
					}
				}
				w := k.Worker()
				if n := testing.AllocsPerRun(5, func() { w.Sweep(one, 0, 37, 12, 2) }); n != 0 {
					t.Errorf("%g allocations in a sweep", n)
				}
			})
		}
	}
}

// A pilot spreads the rates of exchange evenly and takes as many rungs as Λ asks for; replicas then go up and down, and
// chains visit both states of a ferromagnet that Gibbs sampling never leaves.
func TestPilotPlacesRungs(t *testing.T) {
	m := must(rbm.CurieWeiss(128, 1.5))
	k := must(NewBeta(m, 1, Options{Seed: 1}))
	c := sampler.NewChains(m, 64, 3)
	up := unit.NewStates(m.Visible.Spec(), 1)
	for i := range 128 {
		up.Set(0, i, 1)
	}
	if err := c.Begin(up); err != nil {
		t.Fatal(err)
	}
	if err := sampler.NewPool(k, 0).Run(context.Background(), c, 600); err != nil {
		t.Fatal(err)
	}
	r := must(k.Report(c))
	for pair, x := range r.Exchange {
		if x < 0.3 || x > 0.8 {
			t.Errorf("rungs %d and %d exchange %.2f of their configurations: want about a half", pair, pair+1, x)
		}
	}
	if r.RoundTrips < 100 {
		t.Errorf("%d round trips", r.RoundTrips)
	}
	positive := 0
	for j := range c.V.Len {
		var sum float64
		for i := range 128 {
			sum += c.V.Value(j, i)
		}
		if sum > 0 {
			positive++
		}
	}
	// Chains are independent and both states equally likely: five binomial errors.
	if math.Abs(float64(positive)-32) > 5*4 {
		t.Errorf("%d of 64 chains are up", positive)
	}
}

func TestBadLadders(t *testing.T) {
	m := problem.Tiny(unit.Spin, unit.Spin)
	other := sampler.NewChains(m, 2, 1)
	other.Replicas = []*unit.States{other.V}
	real := problem.Tiny(unit.Gaussian, unit.Spin)
	for name, err := range map[string]error{
		"β = 0":          second(NewBeta(m, 0, Options{})),
		"one rung":       second(NewBeta(m, 1, Options{Rungs: 1})),
		"no mixture":     second(NewMixture(m, nil, Options{})),
		"no data":        second(FitMixture(nil, nil, 0, 1, 1)),
		"real units":     second(FitMixture(sampler.NewChains(real, 5, 1).V, nil, 0, 1, 1)),
		"labels":         second(FitMixture(sampler.NewChains(m, 5, 1).V, []int{1}, 0, 1, 1)),
		"no models":      second(NewTrajectory(m, nil, Options{})),
		"other units":    second(NewTrajectory(m, []*rbm.RBM{real}, Options{})),
		"a stack of one": second(NewStacked([]*rbm.RBM{m})),
		"no stack":       second(NewStacked([]*rbm.RBM{m, real})),
		"other replicas": must(NewBeta(m, 1, Options{Rungs: 3})).Begin(other),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewBeta(m, 1, Options{Context: ctx}); !errors.Is(err, context.Canceled) {
		t.Errorf("a pilot that was stopped: error %v", err)
	}
}

func second[T any](_ T, err error) error { return err }
