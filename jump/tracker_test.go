package jump_test

import (
	"context"
	"testing"

	"instanton/internal/problem"
	"instanton/jump"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// A tracker follows a model that changes: its jumps are accepted more and more often, on two modes between which
// Gibbs sampling does not move.
func TestTrackerFollows(t *testing.T) {
	m := must(rbm.CurieWeiss(40, 0.5))
	o := jump.TrackerOptions{Network: jump.NetworkOptions{Seed: 1, Rate: 0.02, Batch: 64}}
	tracker := must(jump.NewTracker(m, o))
	k := tracker.Kernel()
	c, pool := sampler.NewChains(m, 200, 1), sampler.NewPool(k, 1)
	for t := range 300 {
		m = must(rbm.CurieWeiss(40, 0.5+0.9*min(1, float64(t)/100)))
		_ = k.Update(m)
		_ = pool.Run(context.Background(), c, 1)
		tracker.Refit(c)
	}
	clear(c.Proposed)
	clear(c.Accepted)
	if err := pool.Run(context.Background(), c, 20); err != nil {
		t.Fatal(err)
	}
	if a := c.Acceptance(); a < 0.3 {
		t.Errorf("acceptance %g on two modes in one dimension: expected more", a)
	}
}

// A tracker that is restored from its state continues to the same bits.
func TestTrackerState(t *testing.T) {
	for _, m := range problem.Stored() {
		o := jump.TrackerOptions{Network: jump.NetworkOptions{Seed: 3, Batch: 32}}
		a, b := must(jump.NewTracker(m, o)), must(jump.NewTracker(m, o))
		c := sampler.NewChains(m, 50, 1)
		for range 3 {
			a.Refit(c)
		}
		if err := b.Restore(a.State()); err != nil {
			t.Fatal(err)
		}
		ca, cb := sampler.NewChains(m, 50, 2), sampler.NewChains(m, 50, 2)
		for _, at := range []struct {
			t *jump.Tracker
			c *sampler.Chains
		}{{a, ca}, {b, cb}} {
			pool := sampler.NewPool(at.t.Kernel(), 2)
			for range 3 {
				if err := pool.Run(context.Background(), at.c, 2); err != nil {
					t.Fatal(err)
				}
				at.t.Refit(at.c)
			}
		}
		if !ca.V.Equal(cb.V) {
			t.Errorf("%s-%s: the chains part", m.Visible.Spec(), m.Hidden.Spec())
		}
		if err := b.Restore(jump.TrackerState{}); err == nil {
			t.Error("an empty state is accepted")
		}
	}
}

// The size of the network is known before it is made, up to rounding and biases.
func TestTrackerSize(t *testing.T) {
	m := must(rbm.Random(unit.Spec{Type: unit.Potts, N: 64, Q: 5}, unit.Spec{Type: unit.DReLU, N: 20}, 0.1, 1))
	want := float64(len(must(jump.NewTracker(m, jump.TrackerOptions{})).State().Parameters))
	if got := jump.TrackerSize(m); got < 0.95*want || got > want {
		t.Errorf("%g parameters, want about %g", got, want)
	}
}
