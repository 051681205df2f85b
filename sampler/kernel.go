// Package sampler holds Markov kernels on batches of chains.
//
// A kernel states its stationary law P(v)^β and moves the visible configurations of
// many chains; the configuration is the whole state of a chain. Random numbers are
// numbered by (seed, purpose, chain, sweep, unit), so chains can be split over workers
// and runs over time without a change of one bit.
package sampler

import (
	"fmt"
	"math"
	"math/rand/v2"

	"instanton/batch"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/unit"
)

// Kernel is a Markov kernel that leaves P(v)^β of a model invariant. This is all that a Pool
// asks for; a kernel may also be Enumerable or Updatable.
type Kernel interface {
	Model() *rbm.RBM
	Beta() float64
	// Worker returns what one goroutine needs to move chains.
	Worker() Worker
}

// Worker moves chains; one goroutine uses it at a time.
type Worker interface {
	// Sweep moves chains lo to hi-1 through n sweeps, the first of which has the given
	// number. What becomes of a chain may depend on its state, its number, the seed and the
	// number of the sweep, and on nothing else. It allocates nothing once it is warm.
	Sweep(c *Chains, lo, hi int, first uint64, n int)
}

// Enumerable is a kernel whose transition matrix can be written out, so that it can be proved:
// the matrix satisfies detailed balance, and the code follows the matrix.
type Enumerable interface {
	Kernel
	// Transition is the matrix of one step on the configurations of v; h is the space of the
	// hidden layer that the kernel draws (see Hidden). Grids in place of real layers make it
	// exact up to their quadrature.
	Transition(v, h *rbm.Space) (*rbm.Transition, error)
	// Hidden is the hidden layer whose space Transition needs, nil if none.
	Hidden() rbm.Layer
	// Steps is the number of steps of Transition in one sweep.
	Steps() int
}

// Updatable is a kernel that follows a model that changes, as in training.
type Updatable interface {
	Kernel
	// Update takes the parameters of a model of the same shape. Workers made before go on with
	// them; none may be at work meanwhile.
	Update(m *rbm.RBM) error
}

// Name is what a kernel calls itself by a method Name, otherwise its type.
func Name(k Kernel) string {
	if named, ok := k.(interface{ Name() string }); ok {
		return named.Name()
	}
	return fmt.Sprintf("%T", k)
}

// checkBeta refuses an inverse temperature at which there is no distribution.
func checkBeta(m *rbm.RBM, beta float64) error {
	if !(beta >= 0) || math.IsInf(beta, 0) {
		return fmt.Errorf("inverse temperature β = %g: expected a number that is not negative", beta)
	}
	if beta < 1e-30 && !m.Visible.Spec().Type.Discrete() {
		return fmt.Errorf("β = %g with %s visible units: the flat distribution on real numbers cannot be normalised, expected at least 1e-30", beta, m.Visible.Spec().Type)
	}
	return nil
}

// Chains is a batch of Markov chains.
type Chains struct {
	Seed  uint64
	First uint32 // number of the first chain, when the batch is a part of a larger one
	Sweep uint64 // sweeps done so far
	V     *unit.States

	// Moves proposed and accepted by each chain.
	Proposed, Accepted []uint64
}

// NewChains returns n chains in random configurations: uniform for discrete units,
// drawn from the potential alone for real ones.
func NewChains(m *rbm.RBM, n int, seed uint64) *Chains {
	spec := m.Visible.Spec()
	c := &Chains{Seed: seed, V: unit.NewStates(spec, n), Proposed: make([]uint64, n), Accepted: make([]uint64, n)}
	zero, words := make([]float32, spec.Width()), make([]uint32, m.Visible.Words())
	for k := range n {
		s := rng.New(seed, rng.Start, uint32(k), 0)
		if !spec.Type.Discrete() {
			s.Fill(words)
			m.Visible.Draw(c.V, k, zero, words)
			continue
		}
		r := s.Rand()
		for i := range spec.N {
			c.V.Set(k, i, spec.StateValue(r.IntN(spec.States())))
		}
	}
	return c
}

// stream numbers the random numbers of chains from lo on, in a sweep.
func (c *Chains) stream(lo int, sweep uint64) batch.Stream {
	return batch.Stream{Seed: c.Seed, Chain: c.First + uint32(lo), Sweep: sweep}
}

// Rand returns the random numbers of chain k in a sweep, for kernels from outside this module.
// Every call returns the same numbers from their beginning.
func (c *Chains) Rand(k int, sweep uint64) *rand.Rand {
	return rng.New(c.Seed, rng.Foreign, c.First+uint32(k), sweep).Rand()
}

// count adds to the moves of chains lo to hi-1.
func (c *Chains) count(lo, hi int, proposed, accepted uint64) {
	for k := lo; k < hi; k++ {
		c.Proposed[k] += proposed
		c.Accepted[k] += accepted
	}
}

// Begin puts the chains into given configurations, over and over if there are fewer
// than chains.
func (c *Chains) Begin(v *unit.States) error {
	if v.Spec != c.V.Spec {
		return fmt.Errorf("starting configurations of %s: the model has %s", v.Spec, c.V.Spec)
	}
	if v.Len == 0 {
		return fmt.Errorf("no starting configurations")
	}
	for k := range c.V.Len {
		c.V.CopyRow(k, v, k%v.Len)
	}
	return nil
}

// Acceptance is the fraction of proposed moves that were accepted, NaN before the
// first.
func (c *Chains) Acceptance() float64 {
	var proposed, accepted uint64
	for k := range c.Proposed {
		proposed += c.Proposed[k]
		accepted += c.Accepted[k]
	}
	return float64(accepted) / float64(proposed)
}
