package rbm

import (
	"instanton/internal/vec"
	"instanton/unit"
)

// Inputs sets I (hidden width) to I_μ(v) = Σ_i W_iμ v_i.
func (m *RBM) Inputs(I, v []float64) {
	clear(I)
	spec := m.Visible.Spec()
	for i, x := range v {
		if c, factor := spec.Channel(i, x); factor != 0 {
			vec.AddScaled(I, factor, m.Row(c))
		}
	}
}

// MoveInputs updates the inputs I when visible unit i goes from one value to another.
func (m *RBM) MoveInputs(I []float64, i int, from, to float64) {
	if spec := m.Visible.Spec(); spec.Type == unit.Potts {
		a, b := m.Row(i*spec.Q+int(from)), m.Row(i*spec.Q+int(to))
		for mu := range I {
			I[mu] += b[mu] - a[mu]
		}
		return
	}
	vec.AddScaled(I, to-from, m.Row(i))
}

// Fields sets I (visible width) to the inputs Σ_μ W_iμ h_μ that the visible units receive from h.
func (m *RBM) Fields(I, h []float64) {
	spec := m.Hidden.Spec()
	for c := range I {
		I[c] = Contract(spec, m.Row(c), h)
	}
}

// Energy is E(v,h).
func (m *RBM) Energy(v, h []float64) float64 {
	I := make([]float64, m.Hidden.Spec().Width())
	m.Inputs(I, v)
	return m.Visible.Potential(v) + m.Hidden.Potential(h) - Contract(m.Hidden.Spec(), I, h)
}

// EffectiveEnergy is E_eff(v) = Σ V_i(v_i) − Σ Γ_μ(I_μ(v)), so that P(v) = e^{−E_eff(v)}/Z.
func (m *RBM) EffectiveEnergy(v []float64) float64 {
	return m.EffectiveEnergyWith(make([]float64, m.Hidden.Spec().Width()), v)
}

// EffectiveEnergyWith is EffectiveEnergy without an allocation: it leaves the inputs of the hidden units in I.
func (m *RBM) EffectiveEnergyWith(I, v []float64) float64 {
	m.Inputs(I, v)
	return m.Visible.Potential(v) - m.Hidden.CGF(I)
}

// HiddenEnergy is E_eff(h) = Σ U_μ(h_μ) − Σ Γ_i(Σ_μ W_iμ h_μ), so that P(h) = e^{−E_eff(h)}/Z with the same Z.
func (m *RBM) HiddenEnergy(h []float64) float64 {
	I := make([]float64, m.Visible.Spec().Width())
	m.Fields(I, h)
	return m.Hidden.Potential(h) - m.Visible.CGF(I)
}

// Contract is Σ x_i I_i, summed in order; a Potts unit picks the input of its state.
func Contract(spec unit.Spec, I, x []float64) float64 {
	var sum float64
	for i, xi := range x {
		c, factor := spec.Channel(i, xi)
		sum += factor * I[c]
	}
	return sum
}
