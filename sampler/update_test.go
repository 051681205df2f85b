package sampler_test

import (
	"context"
	"testing"

	"instanton/internal/problem"
	"instanton/rbm"
	"instanton/sampler"
)

// A kernel that is given new parameters moves chains like one made for them.
func TestUpdatedGibbsIsAFreshOne(t *testing.T) {
	for _, pair := range problem.Pairs() {
		for _, beta := range []float64{1, 1.4} {
			m := problem.Tiny(pair.Visible, pair.Hidden)
			old, err := rbm.New(m.Visible.Spec(), m.Hidden.Spec())
			if err != nil {
				t.Fatal(err)
			}
			updated, err := sampler.NewGibbs(old, beta)
			if err != nil {
				t.Fatal(err)
			}
			pool := sampler.NewPool(updated, 1)
			run := func(p *sampler.Pool) *sampler.Chains {
				c := sampler.NewChains(m, 40, 3)
				if err := p.Run(context.Background(), c, 5); err != nil {
					t.Fatal(err)
				}
				return c
			}
			run(pool) // with the old parameters
			if err := updated.Update(m); err != nil {
				t.Fatal(err)
			}
			fresh, err := sampler.NewGibbs(m, beta)
			if err != nil {
				t.Fatal(err)
			}
			if !run(pool).V.Equal(run(sampler.NewPool(fresh, 1)).V) {
				t.Errorf("%s at β = %g: the updated kernel draws other chains", pair, beta)
			}
		}
	}
}
