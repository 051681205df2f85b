package rbm_test

import (
	"math"
	"testing"

	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/unit"
)

// Units of one layer are independent given their inputs: means, variances and correlations of three units of every
// type, within five standard errors. (Gaussian units are made in pairs, dReLU units from two words each.)
func TestUnitsAreDrawnIndependently(t *testing.T) {
	const n, units = 20000, 3
	for _, kind := range unit.Types() {
		spec := unit.Spec{Type: kind, N: units}
		if kind == unit.Potts {
			spec.Q = 3
		}
		m, err := rbm.Random(spec, unit.Spec{Type: unit.Spin, N: 1}, 1, 13)
		if err != nil {
			t.Fatal(err)
		}
		l := m.Visible
		I, narrow := make([]float64, spec.Width()), make([]float32, spec.Width())
		for c := range I {
			I[c] = 0.4*float64(c%4) - 0.5
			narrow[c] = float32(I[c])
		}
		out, words := unit.NewStates(spec, n), make([]uint32, l.Words())
		for k := range n {
			rng.New(3, rng.Hidden, uint32(k), 0).Fill(words)
			l.Draw(out, k, narrow, words)
		}
		mean, variance := make([]float64, spec.Width()), make([]float64, spec.Width())
		l.Mean(mean, I)
		l.Variance(variance, I)
		q := spec.Channels()
		x := func(k, i int) float64 { // standardised; for Potts units, the indicator of state 0
			v := out.Value(k, i)
			if kind == unit.Potts {
				v = indicator(v == 0)
			}
			return (v - mean[i*q]) / math.Sqrt(variance[i*q])
		}
		for i := range units {
			for j := range i + 1 {
				var first, second, square float64
				for k := range n {
					first += x(k, i) / n
					p := x(k, i) * x(k, j)
					second += p / n
					square += p * p / n
				}
				want := indicator(i == j)
				if tol := 5 / math.Sqrt(n); math.Abs(first) > tol {
					t.Errorf("%s unit %d: standardised mean %g, want 0 ± %g", kind, i, first, tol)
				}
				if tol := 5 * math.Sqrt((square-second*second)/n); math.Abs(second-want) > tol {
					t.Errorf("%s units %d and %d: correlation %g, want %g ± %g", kind, i, j, second, want, tol)
				}
			}
		}
	}
}

// Real layers whose weights overcome the potentials are refused, those that do not are taken, whatever the signs.
func TestNormalisable(t *testing.T) {
	for _, c := range []struct {
		visible, hidden unit.Type
		w               float64
		ok              bool
	}{
		{unit.Gaussian, unit.Gaussian, 0.99, true}, {unit.Gaussian, unit.Gaussian, -1.01, false},
		{unit.ReLU, unit.ReLU, 1.01, false}, {unit.ReLU, unit.ReLU, -5, true}, {unit.ReLU, unit.ReLU, 0.9, true},
		{unit.ReLU, unit.Gaussian, -1.01, false}, {unit.Gaussian, unit.ReLU, 1.01, false},
		{unit.DReLU, unit.DReLU, 1.01, false}, {unit.DReLU, unit.ReLU, 0.9, true}, {unit.Spin, unit.ReLU, 50, true},
	} {
		m, err := rbm.New(unit.Spec{Type: c.visible, N: 1}, unit.Spec{Type: c.hidden, N: 1})
		if err != nil {
			t.Fatal(err)
		}
		m.W[0] = c.w
		if err := m.Validate(); (err == nil) != c.ok {
			t.Errorf("%s-%s with weight %g: %v", c.visible, c.hidden, c.w, err)
		}
	}
	// Several units: no weight reaches one, but all together do.
	four := unit.Spec{Type: unit.ReLU, N: 4}
	m, _ := rbm.New(four, four)
	for k := range m.W {
		m.W[k] = 0.26
	}
	if m.Validate() == nil {
		t.Error("a model with a divergent direction was accepted")
	}
}
