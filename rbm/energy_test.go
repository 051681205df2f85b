package rbm_test

import (
	"math"
	"testing"

	"instanton/internal/problem"
	"instanton/rbm"
	"instanton/unit"
)

func forPairs(t *testing.T, f func(t *testing.T, m *rbm.RBM)) {
	for _, p := range problem.Pairs() {
		t.Run(p.String(), func(t *testing.T) { f(t, problem.Tiny(p.Visible, p.Hidden)) })
	}
}

// someStates returns a few visible configurations of a model.
func someStates(l rbm.Layer) [][]float64 {
	s := problem.Space(l)
	var states [][]float64
	for k := 0; k < s.Size(); k += 1 + s.Size()/8 {
		x := make([]float64, l.Spec().N)
		s.State(x, k)
		states = append(states, x)
	}
	return states
}

// E_eff(v) = −log Σ_h e^{−E(v,h)} and E_eff(h) = −log Σ_v e^{−E(v,h)}, up to the quadrature of real units.
func TestEffectiveEnergyIsMarginal(t *testing.T) {
	forPairs(t, func(t *testing.T, m *rbm.RBM) {
		marginal := func(over rbm.Layer, energy func(y []float64) float64) float64 {
			s, y := problem.Space(over), make([]float64, over.Spec().N)
			var sum float64
			for k := range s.Size() {
				s.State(y, k)
				sum += s.Weight(k) * math.Exp(-energy(y))
			}
			return -math.Log(sum)
		}
		for _, v := range someStates(m.Visible) {
			if math.Abs(v[0]) > 5 {
				continue // a real unit out there: the grid of the hidden units does not reach as far
			}
			want := marginal(m.Hidden, func(h []float64) float64 { return m.Energy(v, h) })
			near(t, "E_eff(v)", m.EffectiveEnergy(v), want, 1e-9)
		}
		h := make([]float64, m.Hidden.Spec().N)
		m.Hidden.Mode(h, make([]float64, m.Hidden.Spec().Width()))
		want := marginal(m.Visible, func(v []float64) float64 { return m.Energy(v, h) })
		near(t, "E_eff(h)", m.HiddenEnergy(h), want, 1e-9)
		near(t, "E_eff of the transposed model", m.Transpose().EffectiveEnergy(h), want, 1e-9)
	})
}

// The gradient of E_eff by every parameter against central differences.
func TestGradientIsDerivative(t *testing.T) {
	const step = 1e-5
	forPairs(t, func(t *testing.T, m *rbm.RBM) {
		for _, v := range someStates(m.Visible) {
			g := m.NewGradient()
			m.AddGradient(g, v, 1)
			check := func(name string, got float64, param *float64) {
				keep := *param
				*param = keep + step
				up := m.EffectiveEnergy(v)
				*param = keep - step
				down := m.EffectiveEnergy(v)
				*param = keep
				near(t, name, got, (up-down)/(2*step), 1e-6)
			}
			for k := range m.W {
				check("∂E/∂W", g.W[k], &m.W[k])
			}
			for side, l := range []rbm.Layer{m.Visible, m.Hidden} {
				slopes := []rbm.Layer{g.Visible, g.Hidden}[side].Params()
				for k, p := range l.Params() {
					for i := range p.Data {
						check("∂E/∂"+p.Name, slopes[k].Data[i], &p.Data[i])
					}
				}
			}
		}
	})
}

// The slope in v: differences for real units, and for two-state units the exact identity that E_eff's visible part is
// linear while the hidden part is −Γ(I).
func TestSlopeIsDerivative(t *testing.T) {
	const step = 1e-5
	forPairs(t, func(t *testing.T, m *rbm.RBM) {
		spec := m.Visible.Spec()
		if spec.Type == unit.Potts {
			return // no continuation in the value of a Potts state
		}
		for _, v := range someStates(m.Visible) {
			slope := make([]float64, spec.Width())
			m.Slope(slope, v)
			for i := range v {
				keep := v[i]
				if spec.Type != unit.Spin && spec.Type != unit.Bernoulli && math.Abs(keep) < 2*step {
					continue
				}
				v[i] = keep + step
				up := m.EffectiveEnergy(v)
				v[i] = keep - step
				down := m.EffectiveEnergy(v)
				v[i] = keep
				near(t, "∂E/∂v", slope[i], (up-down)/(2*step), 1e-6)
			}
		}
	})
}

func TestInputsAndFieldsAreAdjoint(t *testing.T) {
	forPairs(t, func(t *testing.T, m *rbm.RBM) {
		v, h := someStates(m.Visible)[1], someStates(m.Hidden)[1]
		// E(v,h) computed from the hidden side must equal E computed from the visible side.
		near(t, "E", m.Energy(v, h), m.Transpose().Energy(h, v), 1e-12)
		I := make([]float64, m.Visible.Spec().Width())
		m.Fields(I, h)
		J := make([]float64, len(I))
		m.Transpose().Inputs(J, h)
		for c := range I {
			near(t, "field", I[c], J[c], 1e-12)
		}
	})
}
