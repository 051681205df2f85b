package train

import (
	"context"
	"fmt"
	"math"

	"instanton/evaluate"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// chains are the Markov chains whose configurations stand for the model's law.
type chains struct {
	*sampler.Chains
	sweeps      int
	contrastive bool // they start at the minibatch every time
	workers     int

	up      *sampler.Gibbs // projects onto the hidden units, and moves the chains unless told otherwise
	prepare func(m *rbm.RBM) (sampler.Kernel, error)
	kernel  sampler.Kernel
	pool    *sampler.Pool

	before             *unit.States // where the chains stood, to go back to
	proposed, accepted []uint64
}

// newChains puts chains at draws from the independent sites that fit the data.
func newChains(o Options, m *rbm.RBM, data Data, batch int) (*chains, error) {
	n := o.Chains
	if n == 0 || o.Contrastive {
		n = batch
	}
	sites, err := evaluate.Sites(data.States, data.Weights, data.Rows)
	if err != nil {
		return nil, err
	}
	c := &chains{
		Chains: sampler.NewChains(m, n, o.Seed), sweeps: o.Sweeps, contrastive: o.Contrastive, workers: o.Workers,
		prepare: o.Kernel, before: unit.NewStates(m.Visible.Spec(), n),
		proposed: make([]uint64, n), accepted: make([]uint64, n),
	}
	c.DrawIndependent(sites, 0)
	if c.up, err = sampler.NewGibbsOn(o.Device, m, 1); err != nil {
		return nil, err
	}
	if c.prepare == nil {
		c.prepare = func(*rbm.RBM) (sampler.Kernel, error) { return c.up, nil }
	}
	if c.kernel, err = c.prepare(m); err != nil {
		return nil, err
	}
	c.pool = sampler.NewPool(c.kernel, c.workers)
	return c, nil
}

// follow gives the kernels the parameters of the model.
func (c *chains) follow(m *rbm.RBM) error {
	if err := c.up.Update(m); err != nil {
		return diverged("a sum of weights", math.NaN())
	}
	if c.kernel == sampler.Kernel(c.up) {
		return nil
	}
	if k, ok := c.kernel.(sampler.Updatable); ok {
		return ranAway(k.Update(m))
	}
	k, err := c.prepare(m)
	if err != nil {
		return ranAway(err)
	}
	c.kernel, c.pool = k, sampler.NewPool(k, c.workers)
	return nil
}

// ranAway is the divergence that an error of a kernel means, nil for none.
func ranAway(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w (%w)", diverged("a unit of a chain", math.Inf(1)), err)
}

// move takes the chains through the sweeps of an update, and returns the weights of their
// configurations. An update is done whole or not at all: when the context ends or a chain
// runs away, they stand where they stood.
func (c *chains) move(ctx context.Context, m *rbm.RBM, batch *minibatches) (weights []float64, err error) {
	c.before.CopyFrom(c.V)
	copy(c.proposed, c.Proposed)
	copy(c.accepted, c.Accepted)
	sweep := c.Sweep
	if c.contrastive {
		weights = batch.weight
		c.V.CopyFrom(batch.states)
	}
	if err = c.follow(m); err == nil {
		if err = c.pool.Run(ctx, c.Chains, c.sweeps); err != nil && ctx.Err() == nil {
			err = ranAway(err)
		}
	}
	if err != nil {
		c.V.CopyFrom(c.before)
		copy(c.Proposed, c.proposed)
		copy(c.Accepted, c.accepted)
		c.Sweep = sweep
	}
	return weights, err
}
