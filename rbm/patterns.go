package rbm

import "instanton/unit"

// PatternsAndOpposites are the patterns ξ that the model stores, followed by −ξ where the visible units are spins; nil
// for a model without patterns.
func (m *RBM) PatternsAndOpposites() *unit.States {
	if m.Patterns == nil || m.Patterns.Type != unit.Spin {
		return m.Patterns
	}
	n := m.Patterns.Len
	out := unit.NewStates(m.Patterns.Spec, 2*n)
	for k := range n {
		out.CopyRow(k, m.Patterns, k)
		for i := range m.Patterns.N {
			out.Set(n+k, i, -m.Patterns.Value(k, i))
		}
	}
	return out
}
