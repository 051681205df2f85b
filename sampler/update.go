package sampler

import (
	"instanton/internal/kernel"
	"instanton/rbm"
)

// Update gives the kernel the parameters of a model of the same shape, as training does
// after every step. Workers made before go on with them; none may be at work meanwhile. At
// β = 1 the memory that the kernel has is used again.
func (g *Gibbs) Update(m *rbm.RBM) error {
	if g.beta != 1 {
		fresh, err := NewGibbs(m, g.beta)
		if err == nil {
			*g = *fresh
		}
		return err
	}
	g.model, g.proposal = m, m
	if g.up.weights != nil && g.down.weights != nil {
		cols := m.Hidden.Spec().Width()
		w := kernel.View{Data: m.W, Row: cols, Col: 1}
		return kernel.SetPair(g.up.weights, g.down.weights, w, g.up.takeLaw(m.Hidden), g.down.takeLaw(m.Visible))
	}
	if err := g.up.set(m, upward); err != nil {
		return err
	}
	return g.down.set(m, downward)
}
