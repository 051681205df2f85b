package sampler

import (
	"math"

	"instanton/batch"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/unit"
)

// Correction is the Metropolis test for kernels whose proposals, at an inverse temperature β, follow a law other than
// P(v)^β. It tests the excess of βE_eff(v) over the effective energy of the model that is run. The excess, n
// ΣΓ_μ^b(bI_μ) − β ΣΓ_μ(I_μ) with b = β/n, stays small even where energies are large, so most proposals are accepted.
// It is for one goroutine at a time.
type Correction struct {
	of     *Gibbs
	rows   batch.Worker
	excess []float64 // of the current configuration of each chain
	inputs []float64
	scaled []float64 // b times the inputs of one row
}

// Correction returns what one goroutine needs, or nil if there is nothing to correct.
func (g *Gibbs) Correction() *Correction {
	if g.scaled == nil {
		return nil
	}
	return &Correction{of: g, rows: g.target.Worker(), scaled: make([]float64, g.scaled.Spec().Width())}
}

// Begin takes the configurations of n chains, starting at row lo of v.
func (t *Correction) Begin(v *unit.States, lo, n int) {
	if cap(t.excess) < n {
		t.excess, t.inputs = make([]float64, n), make([]float64, n*len(t.scaled))
	}
	t.excess = t.excess[:n]
	t.receive(v, lo)
	for k := range t.excess {
		t.excess[k] = t.at(k)
	}
}

// Test moves each chain, starting at number lo, to its proposal in v or leaves it where it is.
func (t *Correction) Test(c *Chains, lo int, v *unit.States, sweep uint64) {
	t.receive(v, 0)
	for k := range t.excess {
		proposed := t.at(k)
		u := rng.Uniform(rng.New(c.Seed, rng.Accept, c.First+uint32(lo+k), sweep).Block(0)[0])
		c.Proposed[lo+k]++
		if u < math.Exp(t.excess[k]-proposed) {
			c.V.CopyRow(lo+k, v, k)
			t.excess[k] = proposed
			c.Accepted[lo+k]++
		}
	}
}

// receive computes the inputs of the hidden units given rows of v.
func (t *Correction) receive(v *unit.States, lo int) {
	t.rows.Inputs(t.inputs[:len(t.excess)*len(t.scaled)], batch.Hidden, v, lo)
}

// at is the excess of row k; the visible potentials are the same in both energies.
func (t *Correction) at(k int) float64 {
	I := t.inputs[k*len(t.scaled):][:len(t.scaled)]
	n := float64(t.of.copies)
	for mu := range I {
		t.scaled[mu] = t.of.beta / n * I[mu]
	}
	return n*t.of.scaled.CGF(t.scaled) - t.of.beta*t.of.model.Hidden.CGF(I)
}

// Excess is the excess of every configuration of a space, zero if there is nothing to correct.
func (g *Gibbs) Excess(v *rbm.Space) []float64 {
	excess := make([]float64, v.Size())
	if g.scaled == nil {
		return excess
	}
	x := make([]float64, v.Spec().N)
	for a := range excess {
		v.State(x, a)
		excess[a] = g.beta*g.model.EffectiveEnergy(x) - g.proposal.EffectiveEnergy(x)
	}
	return excess
}
