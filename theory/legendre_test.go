package theory

import (
	"math"
	"testing"

	"instanton/internal/vec"

	"pgregory.net/rapid"
)

func TestFieldInvertsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, err := Hopfield{W: rapid.Float64Range(0.5, 2).Draw(t, "w"), M: rapid.IntRange(1, 5).Draw(t, "M")}.Landscape()
		if err != nil {
			t.Fatal(err)
		}
		u := drawVector(t, l.units, -2, 2, "u")
		back, err := l.Field(l.Order(u))
		if err != nil {
			t.Fatal(err)
		}
		// the overlaps lose the digits of u as they saturate: 1e-16 over the smallest curvature
		if d := vec.Distance(l.Order(back), l.Order(u)); d > 1e-12 {
			t.Fatalf("field %v came back as %v, overlaps off by %g", u, back, d)
		}
	})
}

// One saturated pattern is a Curie–Weiss spin, whose field is artanh(m)/w; no line search may fail on the way to |m| =
// 1.
func TestLegendreUpToSaturation(t *testing.T) {
	l := mustLandscape(t, Hopfield{W: 1.5, M: 6})
	for k := 1; k <= 15; k++ {
		m := 1 - math.Pow(10, -float64(k))
		u, err := l.Field([]float64{0, m, 0, 0, 0, 0})
		if err != nil {
			t.Fatalf("1 − m = 1e-%d: %v", k, err)
		}
		exact := math.Atanh(m) / 1.5
		// relative error of 1−m is 1e-16·10^k, and u depends on its logarithm
		near(t, "λ*/w", u[1], exact, 1e-13+1e-15*math.Pow(10, float64(k)))
		s := must[float64](t)(Hopfield{W: 1.5, M: 6}.Entropy([]float64{0, m, 0, 0, 0, 0}))
		near(t, "S^Hop", s, Entropy(m), 1e-13)
	}
	// a face of the polytope of reachable overlaps: m₁ + m₂ → 1
	for k := 1; k <= 12; k++ {
		m := 0.5 * (1 - math.Pow(10, -float64(k)))
		u, err := l.Field([]float64{m, m, 0, 0, 0, 0})
		if err != nil {
			t.Fatalf("1 − m₁ − m₂ = 1e-%d: %v", k, err)
		}
		if d := vec.Distance(l.Order(u), []float64{m, m, 0, 0, 0, 0}); d > 1e-12 {
			t.Errorf("overlaps off by %g", d)
		}
	}
	for _, m := range [][]float64{{0.6, 0.6, 0, 0, 0, 0}, {1.2, 0, 0, 0, 0, 0}} {
		_, err := l.Field(m)
		wantSentence(t, err, "no spin configuration has the overlaps")
	}
}

// joint solves its equation and its curvature is the derivative of the input.
func TestJoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLandscape(t, true)
		m := l.units
		s := drawVector(t, m, -2, 2, "s")
		w := newJointWork(m)
		u, input, curvature := make([]float64, m), make([]float64, m), make([]float64, m*m)
		if !l.joint(s, u, input, curvature, w) {
			t.Fatal("joint did not converge")
		}
		for mu := range s {
			if r := u[mu] + l.hidden[mu].Transfer(input[mu]) - s[mu]; math.Abs(r) > 1e-13 {
				t.Fatalf("residual %g", r)
			}
		}
		const d = 1e-5
		for nu := range s {
			var ends [2][]float64
			for k, sign := range []float64{1, -1} {
				shifted := append([]float64(nil), s...)
				shifted[nu] += sign * d
				ends[k] = make([]float64, m)
				l.joint(shifted, append([]float64(nil), u...), ends[k], nil, w)
			}
			for mu := range s {
				if diff := (ends[0][mu] - ends[1][mu]) / (2 * d); math.Abs(diff-curvature[mu*m+nu]) > 1e-7 {
					t.Fatalf("Ψ″ = %g, differences give %g", curvature[mu*m+nu], diff)
				}
			}
		}
	})
}

// The two forms of S^Hop in the paper: the Legendre transform and the mean entropy of the spins at λ*.
func TestHopfieldEntropyForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Hopfield{W: 1.3, M: 4}
		l, err := p.Landscape()
		if err != nil {
			t.Fatal(err)
		}
		u := drawVector(t, 4, -0.8, 0.8, "u")
		m := l.Order(u)
		entropy, err := p.Entropy(m)
		if err != nil {
			t.Fatal(err)
		}
		legendre := l.cumulant(u)
		for mu := range m {
			legendre -= 1.3 * u[mu] * m[mu] // λ = w u
		}
		if math.Abs(entropy-legendre) > 1e-13 {
			t.Fatalf("S = %g and %g", entropy, legendre)
		}
	})
}
