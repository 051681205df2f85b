package evaluate

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"instanton/batch"
	"instanton/rbm"
	"instanton/sampler"
)

// Sizes of the ladder.
const (
	maxRungs     = 1000
	rungSigmas   = 0.7 // between two rungs, in standard deviations of the energy
	drawsPerRung = 4
	groups       = 8 // of chains, for errors
)

// rungs are the energies of chains at each β: energies[k] has the draws of one chain after the other.
type rungs struct {
	betas    []float64
	chains   int
	energies [][]float64
}

// climber runs chains on the ladder.
type climber struct {
	m *rbm.RBM
	o ScanOptions
}

// run moves the chains at β and returns their energies: the draws of one chain after the other.
func (r *climber) run(ctx context.Context, c *sampler.Chains, beta float64, burn int) ([]float64, error) {
	k, err := sampler.NewGibbs(r.m, beta)
	if err != nil {
		return nil, err
	}
	pool := sampler.NewPool(k, r.o.Workers)
	if err := pool.Run(ctx, c, burn); err != nil {
		return nil, err
	}
	energies := make([]float64, c.V.Len*drawsPerRung)
	for d := range drawsPerRung {
		if err := pool.Run(ctx, c, r.o.Sweeps/drawsPerRung); err != nil {
			return nil, err
		}
		e, err := batch.EffectiveEnergies(r.m, c.V)
		if err != nil {
			return nil, err
		}
		for chain, x := range e {
			energies[chain*drawsPerRung+d] = x
		}
	}
	share := (beta - r.o.Betas[0]) / max(r.o.Betas[len(r.o.Betas)-1]-r.o.Betas[0], 1e-300)
	if c.First == reverseFirst {
		share = 2 - share
	}
	r.o.Progress(int(500*min(max(share, 0), 2)), 1000)
	return energies, nil
}

// up finds the ladder as it goes.
func (r *climber) up(ctx context.Context) (*rungs, *sampler.Chains, error) {
	stops := slices.Clone(r.o.Betas)
	if r.m.Visible.Spec().Type.Discrete() {
		stops = append(stops, 0)
	} else {
		stops = append(stops, 1)
	}
	slices.Sort(stops)
	stops = slices.Compact(stops)
	c := sampler.NewChains(r.m, r.o.Chains, r.o.Seed)
	out := &rungs{chains: r.o.Chains}
	beta, next := stops[0], 1
	for len(out.betas) < maxRungs {
		burn := r.o.Sweeps
		if len(out.betas) == 0 {
			burn *= 5
		}
		e, err := r.run(ctx, c, beta, burn)
		if err != nil {
			return nil, nil, err
		}
		out.betas, out.energies = append(out.betas, beta), append(out.energies, e)
		if next == len(stops) {
			break
		}
		step := rungSigmas / math.Max(stat.StdDev(e, nil), 1e-300)
		if beta += step; beta >= stops[next]-step/10 {
			beta = stops[next]
			next++
		}
	}
	return out, c, nil
}

// down comes back from the minima and the data, half of the chains from each.
func (r *climber) down(ctx context.Context, betas []float64, ends *sampler.Chains) (*rungs, error) {
	low, err := minima(ctx, r.m, ends, AISOptions{Chains: 8 * r.o.Chains, Seed: r.o.Seed, Data: r.o.Data,
		Workers: r.o.Workers})
	if err != nil {
		return nil, err
	}
	c := sampler.NewChains(r.m, r.o.Chains, r.o.Seed)
	c.First = reverseFirst
	if err := c.Begin(low); err != nil {
		return nil, err
	}
	if r.o.Data != nil {
		for k := 0; k < c.V.Len; k += 2 {
			c.V.CopyRow(k, r.o.Data, k/2*r.o.Data.Len/((c.V.Len+1)/2))
		}
	}
	out := &rungs{betas: betas, chains: r.o.Chains, energies: make([][]float64, len(betas))}
	for k := len(betas) - 1; k >= 0; k-- {
		burn := r.o.Sweeps
		if k == len(betas)-1 {
			burn *= 5
		}
		if out.energies[k], err = r.run(ctx, c, betas[k], burn); err != nil {
			return nil, err
		}
	}
	return out, nil
}
