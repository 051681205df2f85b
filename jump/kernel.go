package jump

import (
	"fmt"

	"instanton/batch"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Kernel proposes x' ~ q for a whole layer and accepts it with probability
//
//	min(1, P(x') q(x) / P(x) q(x')),
//
// with the other layer summed out. In the hidden layer the jump is made between the two halves of a step of
// alternating Gibbs sampling: h from P(h|v), the jump, v from P(v|h). Further steps of Gibbs sampling come before
// and after the jump, the same number, so the whole sweep satisfies detailed balance with P(v)^β, whatever q is.
// That holds as long as q stays as it is: a proposal that is refitted must be frozen before anything counts.
type Kernel struct {
	gibbs    *sampler.Gibbs
	proposal Proposal
	side     batch.Side
	around   int

	target batch.Engine // its Energies are those of the layer in which the jumps are made
}

var (
	_ sampler.Enumerable = (*Kernel)(nil)
	_ sampler.Updatable  = (*Kernel)(nil)
)

// Side returns the layer in which to jump: the hidden one if it is smaller and discrete, or real and much smaller;
// otherwise, and at β ≠ 1, where the law of the hidden units is not P(h)^β, the visible one.
func Side(m *rbm.RBM, beta float64) batch.Side {
	v, h := m.Visible.Spec(), m.Hidden.Spec()
	const muchSmaller = 8
	switch {
	case beta != 1:
	case h.Type.Discrete() && h.Width() < v.Width(), !h.Type.Discrete() && muchSmaller*h.N <= v.N:
		return batch.Hidden
	}
	return batch.Visible
}

// New prepares jumps in a layer of a model, with the given number of steps of Gibbs sampling on either side of each
// jump; a jump in the hidden layer comes with one step more, so there it may be zero.
func New(m *rbm.RBM, beta float64, side batch.Side, q Proposal, around int) (*Kernel, error) {
	layer := m.Visible
	if side == batch.Hidden {
		layer = m.Hidden
		if beta != 1 {
			return nil, fmt.Errorf("jumps in the hidden layer at β = %g: they need β = 1, where the law of the hidden "+
				"units is known; jump in the visible layer", beta)
		}
	}
	if q.Spec() != layer.Spec() {
		return nil, fmt.Errorf("a proposal for %s: the %s layer of the model is %s", q.Spec(), side, layer.Spec())
	}
	if least := 1 - int(side); around < least {
		return nil, fmt.Errorf("%d Gibbs steps on either side of a jump in the %s layer: expected at least %d", around,
			side, least)
	}
	g, err := sampler.NewGibbs(m, beta)
	if err != nil {
		return nil, err
	}
	k := &Kernel{gibbs: g, proposal: q, side: side, around: around}
	k.target, err = batch.New(turned(m, side), 1)
	return k, err
}

// turned is the model with the given layer in the place of the visible one.
func turned(m *rbm.RBM, side batch.Side) *rbm.RBM {
	if side == batch.Hidden {
		return m.Transpose()
	}
	return m
}

// Update takes the parameters of a model of the same shape; the proposal stays, and jumps are tested against the new
// model.
func (k *Kernel) Update(m *rbm.RBM) error {
	if err := k.gibbs.Update(m); err != nil {
		return err
	}
	return k.target.Set(turned(m, k.side))
}

// Name, Model, Beta, Side and Proposal say which kernel this is and what it leaves invariant.
func (k *Kernel) Name() string       { return "jump" }
func (k *Kernel) Model() *rbm.RBM    { return k.gibbs.Model() }
func (k *Kernel) Beta() float64      { return k.gibbs.Beta() }
func (k *Kernel) Side() batch.Side   { return k.side }
func (k *Kernel) Proposal() Proposal { return k.proposal }

// Cost is the work of one sweep in multiplications, by which samplers are compared: those of the Gibbs steps, of the
// energies of two configurations and of their log q.
func (k *Kernel) Cost() float64 {
	m := k.Model()
	product := float64(m.Visible.Spec().Width() * m.Hidden.Spec().Width())
	return product*float64(2*(2*k.around+int(k.side))+2) + 2*k.proposal.Cost()
}

// spec is the layer in which the jumps are made.
func (k *Kernel) spec() unit.Spec { return k.proposal.Spec() }
