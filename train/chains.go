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

// chains are the Markov chains whose configurations represent the law of the model.
type chains struct {
	*sampler.Chains
	sweeps      int
	contrastive bool // they restart at the minibatch in every update
	workers     int

	up      *sampler.Gibbs // computes the hidden units, and moves the chains by default
	prepare func(m *rbm.RBM) (sampler.Kernel, error)
	kernel  sampler.Kernel
	pool    *sampler.Pool
	jumps   *jumps // nil: none

	before             *unit.States // configurations before the update
	proposed, accepted []uint64
}

// newChains starts chains at draws from the independent-site model of the data.
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
	c.jumps, err = newJumps(o, m, data, c.Chains, batch)
	return c, err
}

// follow gives the kernels the current parameters of the model.
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

// ranAway turns an error of a kernel into a divergence, and nil into nil.
func ranAway(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w (%w)", diverged("a unit of a chain", math.Inf(1)), err)
}

// move makes the sweeps of an update and returns the weights of the configurations. An update is completed or not done
// at all: if the context ends or a chain diverges, the chains are put back.
func (c *chains) move(ctx context.Context, m *rbm.RBM, batch *minibatches, update int) (weights []float64,
	err error) {
	c.before.CopyFrom(c.V)
	copy(c.proposed, c.Proposed)
	copy(c.accepted, c.Accepted)
	sweep := c.Sweep
	if c.contrastive {
		weights = batch.weight
		c.V.CopyFrom(batch.states)
	}
	err = c.follow(m)
	if err == nil {
		err = c.travel(ctx, m, batch, update)
	}
	if err != nil {
		c.V.CopyFrom(c.before)
		copy(c.Proposed, c.proposed)
		copy(c.Accepted, c.accepted)
		c.Sweep = sweep
	}
	return weights, err
}

// travel makes the sweeps and, if it is their turn, the jumps.
func (c *chains) travel(ctx context.Context, m *rbm.RBM, batch *minibatches, update int) error {
	j, sweeps := c.jumps, c.sweeps
	due := j.due(update)
	if due {
		sweeps = max(0, sweeps-j.steps())
	}
	if err := c.pool.Run(ctx, c.Chains, sweeps); err != nil {
		return unlessEnded(ctx, err)
	}
	if due {
		at := j.chains.Sweep
		if err := j.move(ctx, m); err != nil {
			j.back(at)
			return unlessEnded(ctx, err)
		}
		j.refit(batch)
	}
	if j != nil {
		return j.look(m, batch, update)
	}
	return nil
}

// unlessEnded turns an error of a kernel into a divergence, unless the context has ended.
func unlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return ranAway(err)
}
