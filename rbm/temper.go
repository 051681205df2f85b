package rbm

import (
	"fmt"
	"math"
)

// Copies returns the model of P(v)^β/Z_β for a whole number β ≥ 1: every hidden unit is copied β times and the visible
// potentials are multiplied by β, since e^{−βE_eff(v)} = e^{−βΣV_i} Π_μ [∫dh e^{I_μh−U_μ(h)}]^β. Copy c of hidden unit
// μ is unit c·M+μ.
func (m *RBM) Copies(beta int) (*RBM, error) {
	if beta < 1 {
		return nil, fmt.Errorf("%d copies of the hidden layer: expected at least one", beta)
	}
	hidden := m.Hidden.Spec()
	width := hidden.Width()
	hidden.N *= beta
	c, err := New(m.Visible.Spec(), hidden)
	if err != nil {
		return nil, err
	}
	c.Visible = cloneLayer(m.Visible)
	scaleLayer(c.Visible, float64(beta))
	from := m.Hidden.Params()
	for k, p := range c.Hidden.Params() {
		for lo := 0; lo < len(p.Data); lo += len(from[k].Data) {
			copy(p.Data[lo:], from[k].Data)
		}
	}
	for r := range m.Visible.Spec().Width() {
		for copies := range beta {
			copy(c.Row(r)[copies*width:], m.Row(r))
		}
	}
	c.Patterns, c.Info = m.Patterns, m.Info
	return c, nil
}

// Scaled returns the model of e^{−bE(v,h)}/Z_b, b > 0: all potentials and weights are multiplied by b. Only for
// Gaussian hidden units is its effective energy b E_eff, up to a constant.
func (m *RBM) Scaled(b float64) (*RBM, error) {
	if !(b > 0) || math.IsInf(b, 0) {
		return nil, fmt.Errorf("an energy scaled by %g: expected a positive number", b)
	}
	s := m.Clone()
	scaleLayer(s.Visible, b)
	scaleLayer(s.Hidden, b)
	for k := range s.W {
		s.W[k] *= b
	}
	return s, nil
}
