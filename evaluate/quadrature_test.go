package evaluate_test

import (
	"fmt"
	"math"
	"testing"

	"instanton/evaluate"
	"instanton/internal/problem"
	"instanton/internal/special"
	"instanton/rbm"
	"instanton/unit"
)

// Up to three real units of every type, in either layer, with discrete ones in the other: the integral is the sum.
func TestQuadratureIsTheSum(t *testing.T) {
	real := []unit.Type{unit.Gaussian, unit.ReLU, unit.DReLU}
	discrete := []unit.Spec{{Type: unit.Spin, N: 10}, {Type: unit.Bernoulli, N: 9}, {Type: unit.Potts, N: 5, Q: 4}}
	for _, kind := range real {
		for _, other := range discrete {
			for n := 1; n <= 3; n++ {
				for _, scale := range []float64{0.3, 1, 8} {
					if n == 3 && (testing.Short() || scale != 0.3 || other.Type != unit.Bernoulli) {
						continue // millions of nodes
					}
					m, err := rbm.Random(other, unit.Spec{Type: kind, N: n}, scale, uint64(n))
					if err != nil {
						t.Fatal(err)
					}
					want, _, err := rbm.LogZ(m)
					if err != nil {
						t.Fatal(err)
					}
					for name, turned := range map[string]*rbm.RBM{"hidden": m, "visible": m.Transpose()} {
						got, err := evaluate.LogZQuadrature(turned)
						if err != nil || math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
							t.Errorf("%s with %d %s units, %s, scale %g: log Z %.15g (%v), want %.15g", other, n, kind,
								name, scale, got, err, want)
						}
					}
				}
			}
		}
	}
}

// Tiny models of the shared list, with their own potentials.
func TestQuadratureOfPairs(t *testing.T) {
	for _, pair := range problem.Pairs() {
		if pair.Visible.Discrete() == pair.Hidden.Discrete() {
			continue
		}
		m := problem.Tiny(pair.Visible, pair.Hidden)
		want, _, err := rbm.LogZ(m)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := evaluate.LogZQuadrature(m); err != nil || math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
			t.Errorf("%s: log Z %.15g (%v), want %.15g", pair, got, err, want)
		}
	}
}

// Curie–Weiss of any size, against the sum over magnetisations.
func TestQuadratureOfManySpins(t *testing.T) {
	for _, n := range []int{100, 3001, 100000} {
		for _, w := range []float64{0.5, 1, 1.3, 4} {
			m, err := rbm.CurieWeiss(n, w)
			if err != nil {
				t.Fatal(err)
			}
			logs := make([]float64, n+1)
			all, _ := math.Lgamma(float64(n) + 1)
			for k := range logs {
				up, _ := math.Lgamma(float64(k) + 1)
				down, _ := math.Lgamma(float64(n-k) + 1)
				total := float64(2*k - n)
				logs[k] = all - up - down + w*w*total*total/(2*float64(n))
			}
			want := special.LogSumExp(logs) + math.Log(2*math.Pi)/2
			got, err := evaluate.LogZQuadrature(m)
			if err != nil || math.Abs(got-want) > 1e-10*want {
				t.Errorf("N = %d, w = %g: log Z %.14g (%v), want %.14g", n, w, got, err, want)
			}
		}
	}
}

// A score takes the integral by itself where no layer can be enumerated.
func TestScoreByQuadrature(t *testing.T) {
	patterns, err := rbm.RandomPatterns(400, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, err := rbm.Hopfield(patterns, 1.4)
	if err != nil {
		t.Fatal(err)
	}
	s, err := evaluate.New(m, nil, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	if s.Method != evaluate.ByQuadrature || s.LogZ == nil || s.Verdict != evaluate.Good {
		t.Errorf("method %s, verdict %s: expected a quadrature", s.Method, s.Verdict)
	}
}

func TestQuadratureRefuses(t *testing.T) {
	for _, specs := range [][2]unit.Spec{
		{{Type: unit.Spin, N: 4}, {Type: unit.Spin, N: 4}},
		{{Type: unit.Spin, N: 4}, {Type: unit.Gaussian, N: 4}},
		{{Type: unit.Gaussian, N: 1}, {Type: unit.Gaussian, N: 1}},
	} {
		m, err := rbm.New(specs[0], specs[1])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := evaluate.LogZQuadrature(m); err == nil {
			t.Error(fmt.Sprint(specs), "was not refused")
		}
	}
}
