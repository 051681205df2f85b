package train

import (
	"context"

	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// mover moves the chains under a model that changes. Alternating Gibbs sampling takes new
// parameters in place; other kernels, also those built around it, are made afresh.
type mover struct {
	name    string
	workers int
	kernel  sampler.Kernel
	pool    *sampler.Pool

	before             *unit.States // where the chains stood, to go back to
	proposed, accepted []uint64
}

func newMover(name string, m *rbm.RBM, chains, workers int) (*mover, error) {
	k, err := sampler.New(name, m, 1)
	if err != nil {
		return nil, err
	}
	return &mover{
		name: name, workers: workers, kernel: k, pool: sampler.NewPool(k, workers),
		before: unit.NewStates(m.Visible.Spec(), chains), proposed: make([]uint64, chains), accepted: make([]uint64, chains),
	}, nil
}

// move takes all chains through some sweeps. An update is done whole or not at all: when
// the context ends or a chain runs away, they stand where they stood.
func (v *mover) move(ctx context.Context, m *rbm.RBM, c *sampler.Chains, sweeps int) error {
	if _, ok := v.kernel.(*sampler.Gibbs); !ok {
		k, err := sampler.New(v.name, m, 1)
		if err != nil {
			return err
		}
		v.kernel, v.pool = k, sampler.NewPool(k, v.workers)
	}
	v.before.CopyFrom(c.V)
	copy(v.proposed, c.Proposed)
	copy(v.accepted, c.Accepted)
	sweep := c.Sweep
	err := v.pool.Run(ctx, c, sweeps)
	if err != nil {
		c.V.CopyFrom(v.before)
		copy(c.Proposed, v.proposed)
		copy(c.Accepted, v.accepted)
		c.Sweep = sweep
	}
	return err
}
