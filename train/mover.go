package train

import (
	"context"

	"instanton/rbm"
	"instanton/sampler"
)

// mover moves the chains under a model that changes. Alternating Gibbs sampling takes new
// parameters in place; other kernels, also those built around it, are made afresh.
type mover struct {
	name    string
	workers int
	kernel  sampler.Kernel
	pool    *sampler.Pool
}

// move takes all chains through some sweeps. It is not interrupted: an update is done
// whole or not at all.
func (v *mover) move(m *rbm.RBM, c *sampler.Chains, sweeps int) error {
	if g, ok := v.kernel.(*sampler.Gibbs); ok {
		if err := g.Update(m); err != nil {
			return err
		}
	} else {
		k, err := sampler.New(v.name, m, 1)
		if err != nil {
			return err
		}
		v.kernel, v.pool = k, sampler.NewPool(k, v.workers)
	}
	return v.pool.Run(context.Background(), c, sweeps)
}
