package theory

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"instanton/internal/special"
	"instanton/rbm"
)

// drawStep is a random step off the kinks of the potentials, so that δΦ is smooth there.
func drawStep(t *rapid.T, l *Landscape) (m, h, next []float64) {
	m = drawVector(t, l.Classes(), -0.9, 0.9, "m")
	next = drawVector(t, l.Classes(), -0.9, 0.9, "next")
	h = drawVector(t, l.units, 0.05, 1.5, "h")
	for mu, input := range l.Inputs(m) {
		for _, p := range l.hidden[mu].pieces {
			for _, end := range []float64{p.lo, p.hi} {
				if math.Abs(input-p.derivative(end)) < 1e-3 {
					t.Skip("an input on a kink")
				}
			}
		}
	}
	return m, h, next
}

func TestDeltaDerivatives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLandscape(t, false)
		m, h, next := drawStep(t, l)
		x := append(append(append([]float64(nil), m...), h...), next...)
		c, u := l.Classes(), l.units
		value := func(x []float64) float64 { return l.Delta(x[:c], x[c:c+u], x[c+u:]) }
		gradient := func(x []float64) []float64 { return l.DeltaGradient(x[:c], x[c:c+u], x[c+u:]) }
		g, hess := gradient(x), l.DeltaHessian(m, h, next)
		const d = 1e-5
		for i := range x {
			up, down := append([]float64(nil), x...), append([]float64(nil), x...)
			up[i] += d
			down[i] -= d
			// central differences: truncation d²·third derivative, rounding 1e-16/d
			if diff := (value(up) - value(down)) / (2 * d); math.Abs(diff-g[i]) > 1e-7*(1+math.Abs(g[i])) {
				t.Fatalf("∂δΦ/∂x%d = %g, differences give %g", i, g[i], diff)
			}
			gu, gd := gradient(up), gradient(down)
			for j := range x {
				if diff := (gu[j] - gd[j]) / (2 * d); math.Abs(diff-hess.At(i, j)) > 1e-6*(1+math.Abs(hess.At(i, j))) {
					t.Fatalf("∂²δΦ/∂x%d∂x%d = %g, differences give %g", i, j, hess.At(i, j), diff)
				}
			}
		}
	})
}

// Detailed balance at large N: a step and its reverse differ by f(m′) − f(m), for every path.
func TestDeltaReversed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLandscape(t, false)
		m, h, next := drawStep(t, l)
		forth, back := l.Delta(m, h, next), l.Delta(next, h, m)
		rise := l.ClassFreeEnergy(next) - l.ClassFreeEnergy(m)
		if math.Abs(forth-back-rise) > 1e-13 {
			t.Fatalf("δΦ − δΦ reversed = %g, f′ − f = %g", forth-back, rise)
		}
		if forth < -1e-15 || back < -1e-15 {
			t.Fatalf("δΦ = %g and %g: a probability above 1", forth, back)
		}
	})
}

// Item 2 of the errata: with the printed sum over μ ≤ ν the diagonal is counted twice and M = 1 is not the Curie–Weiss
// model.
func TestErratumDiagonalCosh(t *testing.T) {
	const w, m, h, next = 1.1, 0.3, 0.4, 0.2
	l := mustLandscape(t, Structured{W: w, Overlap: rbm.Overlap{{1}}})
	corrected := l.Delta([]float64{m}, []float64{h}, []float64{next})
	printed := corrected + special.Log2Cosh(2*w*h)
	want := CurieWeiss{w}.Delta(m, h, next)
	t.Logf("w = %g, m = %g, h = %g, m′ = %g: Curie–Weiss δΦ = %.8f, structured M = 1 corrected %.8f, as printed %.8f",
		w, m, h, next, want, corrected, printed)
	near(t, "corrected", corrected, want, 1e-15)
	if math.Abs(printed-want) < 0.5 {
		t.Error("the printed form agrees with Curie–Weiss")
	}
}
