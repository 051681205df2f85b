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
	if err := g.up.set(m, upward); err != nil {
		return err
	}
	return g.down.set(m, downward)
}

// set takes new parameters, as newHalfStep does.
func (s *halfStep) set(m *rbm.RBM, d direction) error {
	to, cols := m.Hidden, m.Hidden.Spec().Width()
	w := kernel.View{Data: m.W, Row: cols, Col: 1}
	if d == downward {
		to = m.Visible
		w.Row, w.Col = 1, cols
	}
	fields := s.takeLaw(to)
	if s.weights != nil {
		return s.weights.Set(w, fields)
	}
	s.dense.Set(w)
	s.bias = narrow(fields, func(_ int, x float64) float64 { return x })
	return nil
}
