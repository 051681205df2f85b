package rbm

import "fmt"

// Copies returns the model of P(v)^β/Z_β for a whole β ≥ 1: every hidden unit copied
// β times and the visible potentials multiplied by β, since
// e^{−βE_eff(v)} = e^{−βΣV_i} Π_μ [∫dh e^{I_μh−U_μ(h)}]^β. Copy c of hidden unit μ is
// unit c·M+μ.
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
