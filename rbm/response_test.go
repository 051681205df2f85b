package rbm_test

import (
	"math"
	"testing"

	"instanton/rbm"
	"instanton/unit"
)

// The response of a mean to a parameter is its finite difference.
func TestMeanResponse(t *testing.T) {
	const eps = 1e-5
	for _, kind := range unit.Types() {
		if kind == unit.Potts {
			continue
		}
		m, err := rbm.Random(unit.Spec{Type: unit.Spin, N: 2}, unit.Spec{Type: kind, N: 4}, 1, 3)
		if err != nil {
			t.Fatal(err)
		}
		l, I, scale := m.Hidden, []float64{-2.1, -0.3, 0.4, 1.9}, []float64{1, -0.5, 2, 0.7}
		g := m.NewGradient().Hidden
		if err := rbm.AddMeanResponse(l, g, I, scale); err != nil {
			t.Fatal(err)
		}
		weighted := func() (sum float64) {
			mean := make([]float64, 4)
			l.Mean(mean, I)
			for i, s := range scale {
				sum += s * mean[i]
			}
			return sum
		}
		for k, p := range l.Params() {
			for i, x := range p.Data {
				p.Data[i] = x + eps
				up := weighted()
				p.Data[i] = x - eps
				down := weighted()
				p.Data[i] = x
				// Truncation ε² and rounding 1e-16/ε are both below 1e-9.
				if got, want := g.Params()[k].Data[i], (up-down)/(2*eps); math.Abs(got-want) > 1e-8 {
					t.Errorf("%s: ∂⟨x⟩/∂%s[%d] is %g, want %g", kind, p.Name, i, got, want)
				}
			}
		}
	}
	potts, _ := rbm.NewLayer(unit.Spec{Type: unit.Potts, N: 1, Q: 3})
	if err := rbm.AddMeanResponse(potts, potts, make([]float64, 3), make([]float64, 3)); err == nil {
		t.Error("Potts units have no response of one mean, but no error was given")
	}
}
