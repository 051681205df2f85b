package rbm_test

import (
	"math"
	"testing"

	"instanton/internal/problem"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// pair is a random model of three visible and two hidden units.
func pair(t *testing.T, p problem.Pair) *rbm.RBM {
	t.Helper()
	spec := func(kind unit.Type, n int) unit.Spec {
		s := unit.Spec{Type: kind, N: n}
		if kind == unit.Potts {
			s.Q = 3
		}
		return s
	}
	m, err := rbm.Random(spec(p.Visible, 3), spec(p.Hidden, 2), 0.2, 7)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The effective energy of a model and that of its free units differ by the offset, for every configuration.
func TestGivenIsTheConditionalLaw(t *testing.T) {
	for _, p := range problem.Pairs() {
		m := pair(t, p)
		v := sampler.NewChains(m, 20, 1).V
		x := make([]float64, v.N)
		clamped := make([]bool, v.N)
		clamped[0] = true
		for k := range v.Len {
			v.Values(x, k)
			free, offset, err := m.Given(clamped, x)
			if err != nil {
				t.Fatalf("%s: %v", p, err)
			}
			want, got := m.EffectiveEnergy(x), free.EffectiveEnergy(x[1:])+offset
			if math.Abs(want-got) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("%s: E_eff is %.12g, of the free units with the offset %.12g", p, want, got)
			}
		}
	}
}

// A field on a hidden unit, and a hidden unit with a value, leave the joint law of the rest.
func TestTiltedAndFixedHiddenUnits(t *testing.T) {
	for _, p := range problem.Pairs() {
		m := pair(t, p)
		v, h := sampler.NewChains(m, 10, 1).V, sampler.NewChains(m.Transpose(), 10, 2).V
		x, y := make([]float64, v.N), make([]float64, h.N)
		const unit, field = 1, 0.7
		tilted, err := m.Tilted(unit, field)
		if m.Hidden.Spec().Channels() > 1 {
			if err == nil {
				t.Errorf("%s: a field on a Potts unit and no error", p)
			}
			tilted = nil
		} else if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		for k := range v.Len {
			v.Values(x, k)
			h.Values(y, k)
			if tilted != nil {
				if want, got := m.Energy(x, y)-field*y[unit], tilted.Energy(x, y); math.Abs(want-got) > 1e-9 {
					t.Errorf("%s: tilted energy %.12g, want %.12g", p, got, want)
				}
			}
			fixed, err := m.WithHidden(unit, y[unit])
			if err != nil {
				t.Fatalf("%s: %v", p, err)
			}
			rest := append(append([]float64(nil), y[:unit]...), y[unit+1:]...)
			offset := constant(m, unit, y[unit])
			if want, got := m.Energy(x, y), fixed.Energy(x, rest)+offset; math.Abs(want-got) > 1e-9 {
				t.Errorf("%s: energy %.12g with a fixed unit, want %.12g", p, got, want)
			}
		}
	}
}

// constant is the potential of one hidden unit.
func constant(m *rbm.RBM, unit int, value float64) float64 {
	clamped, h := make([]bool, m.Hidden.Spec().N), make([]float64, m.Hidden.Spec().N)
	clamped[unit], h[unit] = true, value
	_, offset, err := m.Transpose().Given(clamped, h)
	if err != nil {
		panic(err)
	}
	return offset
}

func TestGivenRefuses(t *testing.T) {
	m := pair(t, problem.Pairs()[0])
	for name, clamped := range map[string][]bool{"all": {true, true, true}, "too few": {true}} {
		if _, _, err := m.Given(clamped, make([]float64, 3)); err == nil {
			t.Errorf("%s units clamped and no error", name)
		}
	}
	if _, err := m.WithHidden(0, 17); err == nil {
		t.Error("a spin at 17 and no error")
	}
	if _, err := m.Tilted(9, 1); err == nil {
		t.Error("a field on a unit that is not there and no error")
	}
}
