package sampler

import (
	"fmt"
	"math/rand/v2"

	"instanton/batch"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/unit"
)

// Chains is a batch of Markov chains.
type Chains struct {
	Seed  uint64
	First uint32 // number of the first chain, if the batch is part of a larger one
	Sweep uint64 // sweeps done so far
	V     *unit.States

	// Moves proposed and accepted by each chain.
	Proposed, Accepted []uint64

	// Replicas are further configurations that the kernel moves along with each chain, one row per chain in every
	// batch, and Tally is what it counts, the same number of entries for each chain. Both are part of the state, and
	// nil unless the kernel is Replicated.
	Replicas []*unit.States
	Tally    []uint64
}

// NewChains returns n chains in random configurations: uniform for discrete units, drawn from the potentials alone for
// real ones.
func NewChains(m *rbm.RBM, n int, seed uint64) *Chains {
	spec := m.Visible.Spec()
	c := &Chains{Seed: seed, V: unit.NewStates(spec, n), Proposed: make([]uint64, n), Accepted: make([]uint64, n)}
	if !spec.Type.Discrete() {
		c.DrawIndependent(m.Visible, 0)
		return c
	}
	for k := range n {
		r := rng.New(seed, rng.Start, uint32(k), 0).Rand()
		for i := range spec.N {
			c.V.Set(k, i, spec.StateValue(r.IntN(spec.States())))
		}
	}
	return c
}

// DrawIndependent sets the chains to draws from independent units; every number gives other draws.
func (c *Chains) DrawIndependent(l rbm.Layer, number uint64) {
	zero, words := make([]float32, l.Spec().Width()), make([]uint32, l.Words())
	for k := range c.V.Len {
		rng.New(c.Seed, rng.Start, c.First+uint32(k), number).Fill(words)
		l.Draw(c.V, k, zero, words)
	}
}

// stream is the random stream of a sweep for the chains starting at lo.
func (c *Chains) stream(lo int, sweep uint64) batch.Stream {
	return batch.Stream{Seed: c.Seed, Chain: c.First + uint32(lo), Sweep: sweep}
}

// Rand returns the random numbers of chain k in a sweep, for kernels outside this module. Every call returns the same
// sequence from its beginning.
func (c *Chains) Rand(k int, sweep uint64) *rand.Rand {
	return rng.New(c.Seed, rng.Foreign, c.First+uint32(k), sweep).Rand()
}

// count adds to the proposed and accepted moves of chains lo to hi−1.
func (c *Chains) count(lo, hi int, proposed, accepted uint64) {
	for k := lo; k < hi; k++ {
		c.Proposed[k] += proposed
		c.Accepted[k] += accepted
	}
}

// Begin sets the chains to the given configurations, which are repeated if there are fewer of them than chains.
func (c *Chains) Begin(v *unit.States) error {
	if v.Spec != c.V.Spec {
		return fmt.Errorf("starting configurations of %s: the model has %s", v.Spec, c.V.Spec)
	}
	if v.Len == 0 {
		return fmt.Errorf("no starting configurations: expected at least one")
	}
	for k := range c.V.Len {
		c.V.CopyRow(k, v, k%v.Len)
	}
	return nil
}

// Acceptance is the fraction of proposed moves that were accepted, NaN before the first move.
func (c *Chains) Acceptance() float64 {
	var proposed, accepted uint64
	for k := range c.Proposed {
		proposed += c.Proposed[k]
		accepted += c.Accepted[k]
	}
	return float64(accepted) / float64(proposed)
}
