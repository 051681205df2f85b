package sampler

import "instanton/rbm"

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
	if err := g.up.set(m, upward); err != nil {
		return err
	}
	return g.down.set(m, downward)
}
