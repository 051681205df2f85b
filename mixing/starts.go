package mixing

import (
	"fmt"

	"instanton/rbm"
	"instanton/unit"
)

// Starts are configurations in different modes: the patterns that a model stores, and their
// opposites where the visible units are spins.
func Starts(m *rbm.RBM) (*unit.States, error) {
	if m.Patterns == nil {
		return nil, fmt.Errorf("the model stores no patterns to start from")
	}
	n := m.Patterns.Len
	if m.Visible.Spec().Type != unit.Spin {
		return m.Patterns, nil
	}
	out := unit.NewStates(m.Patterns.Spec, 2*n)
	for k := range n {
		out.CopyRow(k, m.Patterns, k)
		for i := range m.Patterns.N {
			out.Set(n+k, i, -m.Patterns.Value(k, i))
		}
	}
	return out, nil
}
