package jump_test

import (
	"context"
	"fmt"
	"testing"

	"instanton/internal/problem"
	"instanton/jump"
	"instanton/sampler"
	"instanton/unit"
)

// centresOf returns jumps around configurations of a model, some of them after refits.
func centresOf(t *testing.T, n, refits int, p problem.Pair) (*jump.Centres, *sampler.Chains) {
	t.Helper()
	m := problem.Tiny(p.Visible, p.Hidden)
	c := sampler.NewChains(m, 50, 4)
	at := unit.NewStates(c.V.Spec, n)
	shares := make([]float64, n)
	for z := range n {
		at.CopyRow(z, c.V, z)
		shares[z] = float64(z + 1)
	}
	centres := must(jump.NewCentres(m, at, shares, 1))
	for range refits {
		centres.Refit(c)
	}
	return centres, c
}

// Jumps around centres satisfy detailed balance and follow their matrix, before and after refits.
func TestCentresFollowTheMatrix(t *testing.T) {
	for _, p := range problem.Pairs() {
		if !p.Visible.Discrete() {
			continue
		}
		for _, refits := range []int{0, 40} {
			t.Run(fmt.Sprintf("%s/%d", p, refits), func(t *testing.T) {
				centres, _ := centresOf(t, 3, refits, p)
				balanced(t, centres.Kernel())
				follows(t, centres.Kernel())
			})
		}
	}
}

// Centres that are restored from their state continue to the same bits, and refuse states of others.
func TestCentresState(t *testing.T) {
	for _, p := range problem.Pairs() {
		if !p.Visible.Discrete() {
			continue
		}
		a, c := centresOf(t, 4, 5, p)
		b, _ := centresOf(t, 4, 0, p)
		if err := b.Restore(a.State()); err != nil {
			t.Fatal(err)
		}
		if x, y := a.Refit(c), b.Refit(c); x != y {
			t.Errorf("mean log q %g and %g", x, y)
		}
		ca, cb := sampler.NewChains(a.Kernel().Model(), 50, 2), sampler.NewChains(a.Kernel().Model(), 50, 2)
		errA := sampler.NewPool(a.Kernel(), 2).Run(context.Background(), ca, 5)
		errB := sampler.NewPool(b.Kernel(), 1).Run(context.Background(), cb, 5)
		if errA != nil || errB != nil || !ca.V.Equal(cb.V) {
			t.Errorf("the chains part (%v, %v)", errA, errB)
		}
		for _, bad := range []jump.CentresState{{}, {Flip: 0.1, Shares: make([]float64, 4)}} {
			if b.Restore(bad) == nil {
				t.Errorf("the state %v is accepted", bad)
			}
		}
	}
}
