package rbm

import "instanton/unit"

// Inputs sets I (hidden width) to I_μ(v) = Σ_i W_iμ v_i.
func (m *RBM) Inputs(I, v []float64) {
	clear(I)
	spec := m.Visible.Spec()
	for i, x := range v {
		if spec.Type == unit.Potts {
			axpy(I, 1, m.Row(i*spec.Q+int(x)))
		} else if x != 0 {
			axpy(I, x, m.Row(i))
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
	axpy(I, to-from, m.Row(i))
}

// Fields sets I (visible width) to the inputs Σ_μ W_iμ h_μ that the visible units
// receive from h.
func (m *RBM) Fields(I, h []float64) {
	spec := m.Hidden.Spec()
	for c := range I {
		row := m.Row(c)
		var sum float64
		for mu, x := range h {
			if spec.Type == unit.Potts {
				sum += row[mu*spec.Q+int(x)]
			} else {
				sum += row[mu] * x
			}
		}
		I[c] = sum
	}
}

// Energy is E(v,h).
func (m *RBM) Energy(v, h []float64) float64 {
	I := make([]float64, m.Hidden.Spec().Width())
	m.Inputs(I, v)
	return m.Visible.Potential(v) + m.Hidden.Potential(h) - Contract(m.Hidden.Spec(), I, h)
}

// EffectiveEnergy is E_eff(v) = Σ V_i(v_i) − Σ Γ_μ(I_μ(v)), so that
// P(v) = e^{−E_eff(v)}/Z.
func (m *RBM) EffectiveEnergy(v []float64) float64 {
	return m.EffectiveEnergyWith(make([]float64, m.Hidden.Spec().Width()), v)
}

// EffectiveEnergyWith is EffectiveEnergy without an allocation: it leaves the inputs
// of the hidden units in I.
func (m *RBM) EffectiveEnergyWith(I, v []float64) float64 {
	m.Inputs(I, v)
	return m.Visible.Potential(v) - m.Hidden.CGF(I)
}

// HiddenEnergy is E_eff(h) = Σ U_μ(h_μ) − Σ Γ_i(Σ_μ W_iμ h_μ), so that
// P(h) = e^{−E_eff(h)}/Z with the same Z.
func (m *RBM) HiddenEnergy(h []float64) float64 {
	I := make([]float64, m.Visible.Spec().Width())
	m.Fields(I, h)
	return m.Hidden.Potential(h) - m.Visible.CGF(I)
}

// EffectiveEnergies sets dst to E_eff of every configuration of a batch.
func (m *RBM) EffectiveEnergies(dst []float64, v *unit.States) {
	x := make([]float64, v.N)
	I := make([]float64, m.Hidden.Spec().Width())
	for k := range v.Len {
		v.Values(x, k)
		dst[k] = m.EffectiveEnergyWith(I, x)
	}
}

// Contract is Σ x_i I_i; a Potts unit picks the input of its state.
func Contract(spec unit.Spec, I, x []float64) float64 {
	if spec.Type != unit.Potts {
		return dot(I, x)
	}
	var sum float64
	for i, a := range x {
		sum += I[i*spec.Q+int(a)]
	}
	return sum
}

func dot(a, b []float64) float64 {
	var sum float64
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// axpy adds s·x to y.
func axpy(y []float64, s float64, x []float64) {
	for i := range y {
		y[i] += s * x[i]
	}
}

func addTo(y, x []float64) { axpy(y, 1, x) }

func sum(x []float64) float64 {
	var s float64
	for _, xi := range x {
		s += xi
	}
	return s
}
