package jump

import (
	"context"
	"fmt"
	"time"

	"instanton/sampler"
	"instanton/unit"
)

// Plan is a measurement: chains that start from different modes, and how their configurations are kept.
type Plan struct {
	Chains, Burn, Every, Draws int
	Seed                       uint64
	// Refits is how often a trapped chain may extend the fit and begin the measurement again.
	Refits int
}

// Measurement is what chains with a frozen proposal visited.
type Measurement struct {
	V       *unit.States // draw d of chain k is configuration k·Draws+d
	Chains  *sampler.Chains
	Trapped []int // chains that were trapped when the measurement ended
	Refits  int   // how often the measurement began again
}

// Measure runs chains from the given configurations with the proposal and keeps their draws, under a Guard. If a chain
// is trapped, q lacks the mode that it is in: the states of that mode join the fit, and the measurement begins
// again with the new proposal, from the same starts. Within a measurement the proposal never changes.
func (f *Fitted) Measure(ctx context.Context, starts *unit.States, p Plan) (*Measurement, error) {
	for refits := 0; ; refits++ {
		r, err := f.measure(ctx, starts, p)
		if err != nil {
			return nil, err
		}
		r.Refits = refits
		if len(r.Trapped) == 0 || refits == p.Refits {
			return r, nil
		}
		if err := f.include(ctx, pick(r.Chains.V, r.Trapped)); err != nil {
			return nil, err
		}
	}
}

// measure is one measurement; it ends when a chain is trapped.
func (f *Fitted) measure(ctx context.Context, starts *unit.States, p Plan) (*Measurement, error) {
	if p.Chains < 1 || p.Burn < 0 || p.Every < 1 || p.Draws < 1 {
		return nil, fmt.Errorf("%d chains, burn-in %d, %d draws every %d sweeps: expected at least one chain, draw "+
			"and sweep between draws", p.Chains, p.Burn, p.Draws, p.Every)
	}
	c := sampler.NewChains(f.Kernel.Model(), p.Chains, p.Seed)
	if err := c.Begin(starts); err != nil {
		return nil, err
	}
	r := &Measurement{V: unit.NewStates(c.V.Spec, p.Chains*p.Draws), Chains: c}
	pool := sampler.NewPool(f.Kernel, f.options.Workers)
	if err := pool.Run(ctx, c, p.Burn); err != nil {
		return nil, err
	}
	guard := NewGuard(c)
	for d := range p.Draws {
		if err := pool.Run(ctx, c, p.Every); err != nil {
			return nil, err
		}
		for k := range p.Chains {
			r.V.CopyRow(k*p.Draws+d, c.V, k)
		}
		if r.Trapped = guard.Look(c); len(r.Trapped) > 0 {
			break
		}
	}
	return r, nil
}

// include adds a mode to the fit: a tenth of the chains start in the given configurations, what all chains then visit
// by Gibbs sampling is fitted, and the rounds of jumps find the weight of the mode.
func (f *Fitted) include(ctx context.Context, v *unit.States) error {
	c := f.Chains
	for k := 0; k < c.V.Len; k += 10 {
		c.V.CopyRow(k, v, k/10%v.Len)
	}
	t := &fitter{Fitted: f, model: f.Kernel.Model(), beta: f.Kernel.Beta(), side: f.Kernel.side}
	t.began = time.Now().Add(-time.Duration(f.Seconds * float64(time.Second)))
	defer func() { f.Seconds = time.Since(t.began).Seconds() }()
	_, network := f.Kernel.proposal.(*Network)
	if err := t.gather(ctx, nil); err != nil {
		return err
	}
	old := f.Kernel
	f.Kernel = nil // it lacks the mode, whatever its acceptance elsewhere
	var err error
	if network {
		err = t.refitNetwork(ctx, old.proposal.(*Network))
	} else {
		err = t.begin(ctx, "products")
	}
	if err != nil {
		f.Kernel = old
		return err
	}
	return t.improve(ctx)
}
