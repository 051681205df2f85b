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
		spec := unit.Spec{Type: kind, N: 4}
		if kind == unit.Potts {
			spec.Q = 3
		}
		m, err := rbm.Random(unit.Spec{Type: unit.Spin, N: 2}, spec, 1, 3)
		if err != nil {
			t.Fatal(err)
		}
		l, I, scale := m.Hidden, make([]float64, spec.Width()), make([]float64, spec.Width())
		for c := range I {
			I[c] = []float64{-2.1, -0.3, 0.4, 1.9}[c%4]
			scale[c] = []float64{1, -0.5, 2, 0.7, 1.3}[c%5]
		}
		g := m.NewGradient().Hidden
		l.AddMeanResponse(g, I, scale)
		weighted := func() (sum float64) {
			mean := make([]float64, len(I))
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
}
