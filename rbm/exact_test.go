package rbm_test

import (
	"fmt"
	"math"
	"testing"

	"instanton/internal/problem"
	"instanton/internal/special"
	"instanton/rbm"
	"instanton/unit"
)

// bruteForce sums e^{−E(v,h)} over both layers, with the second moments.
func bruteForce(m *rbm.RBM) (logZ float64, vh, vv float64) {
	sv, sh := problem.Space(m.Visible), problem.Space(m.Hidden)
	v, h := make([]float64, m.Visible.Spec().N), make([]float64, m.Hidden.Spec().N)
	var z float64
	first := func(spec unit.Spec, x []float64, k int) float64 {
		if spec.Type == unit.Potts {
			return indicator(x[k] == 0)
		}
		return x[k]
	}
	last := m.Visible.Spec().N - 1
	for a := range sv.Size() {
		sv.State(v, a)
		for b := range sh.Size() {
			sh.State(h, b)
			p := sv.Weight(a) * sh.Weight(b) * math.Exp(-m.Energy(v, h))
			z += p
			vh += p * first(m.Visible.Spec(), v, 0) * first(m.Hidden.Spec(), h, 0)
			vv += p * first(m.Visible.Spec(), v, 0) * first(m.Visible.Spec(), v, last)
		}
	}
	return math.Log(z), vh / z, vv / z
}

// For every pair with a discrete layer, enumeration of one side equals the double sum.
func TestEnumerationIsTheDoubleSum(t *testing.T) {
	forPairs(t, func(t *testing.T, m *rbm.RBM) {
		logZ, side, err := rbm.LogZ(m)
		if !m.Visible.Spec().Type.Discrete() && !m.Hidden.Spec().Type.Discrete() {
			if err == nil {
				t.Error("two real layers enumerated")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		want, vh, vv := bruteForce(m)
		near(t, "log Z", logZ, want, 1e-9)
		got, err := rbm.ExactMoments(m)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "⟨vh⟩ from the "+string(side)+" side", got.VH[0], vh, 1e-9)
		q := m.Visible.Spec().Channels()
		near(t, "⟨vv⟩ from the "+string(side)+" side", got.VV[(m.Visible.Spec().N-1)*q], vv, 1e-9)
	})
}

// Both sides of one model must agree: enumerate the hidden layer of a model whose visible one is larger, and the same
// model as a distribution over v.
func TestBothSidesAgree(t *testing.T) {
	for _, hidden := range []string{"spin:3", "bernoulli:3", "potts:2x3"} {
		h, _ := unit.ParseSpec(hidden)
		for _, visible := range []string{"spin:7", "bernoulli:7", "potts:4x4"} {
			v, _ := unit.ParseSpec(visible)
			m, err := rbm.Random(v, h, 1.5, 2)
			if err != nil {
				t.Fatal(err)
			}
			logZ, side, err := rbm.LogZ(m)
			if err != nil || side != rbm.HiddenSide {
				t.Fatalf("%s-%s: enumerated the %s side, error %v", visible, hidden, side, err)
			}
			d, err := rbm.NewDistribution(m, nil, 1)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "log Z", logZ, d.LogZ, 1e-12)
			got, err := rbm.ExactMoments(m)
			if err != nil {
				t.Fatal(err)
			}
			mean := func(i int) func(x []float64) float64 {
				return func(x []float64) float64 {
					if v.Type == unit.Potts {
						return indicator(int(x[i/v.Q]) == i%v.Q)
					}
					return x[i]
				}
			}
			for i := range v.Width() {
				near(t, "⟨v⟩", got.V[i], d.Mean(mean(i)), 1e-12)
				for j := range v.Width() {
					product := func(x []float64) float64 { return mean(i)(x) * mean(j)(x) }
					near(t, "⟨vv⟩", got.VV[i*v.Width()+j], d.Mean(product), 1e-12)
				}
			}
		}
	}
}

// Curie–Weiss by direct summation over the number of up spins.
func TestCurieWeissLogZ(t *testing.T) {
	sizes := []int{1, 2, 16, 21}
	if testing.Short() {
		sizes = sizes[:3] // 2¹⁶ states are several chunks already
	}
	for _, n := range sizes {
		for _, w := range []float64{0, 0.5, 1.2, 3} {
			m, err := rbm.CurieWeiss(n, w)
			if err != nil {
				t.Fatal(err)
			}
			terms := make([]float64, n+1)
			for up := range terms {
				lg := func(k int) float64 { x, _ := math.Lgamma(float64(k + 1)); return x }
				s := float64(2*up - n)
				terms[up] = lg(n) - lg(up) - lg(n-up) + w*w*s*s/(2*float64(n))
			}
			got, _, err := rbm.LogZ(m)
			if err != nil {
				t.Fatal(err)
			}
			want := special.LogSumExp(terms) + math.Log(2*math.Pi)/2
			near(t, fmt.Sprintf("log Z, n = %d, w = %g", n, w), got, want, 1e-12)
		}
	}
}

func TestEntropy(t *testing.T) {
	free, _ := rbm.New(unit.Spec{Type: unit.Potts, N: 3, Q: 5}, unit.Spec{Type: unit.Spin, N: 2})
	d, err := rbm.NewDistribution(free, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "entropy of 125 equal states", d.Entropy(), math.Log(125), 1e-12)
	m := problem.Tiny(unit.Spin, unit.DReLU)
	if d, err = rbm.NewDistribution(m, nil, 2); err != nil {
		t.Fatal(err)
	}
	near(t, "entropy = log Z + β⟨E⟩", d.Entropy(), d.LogZ+2*d.Mean(m.EffectiveEnergy), 1e-12)
}

// A hidden layer of 12 spins: more than one chunk, so the parallel sum is exercised; the answer factorises for zero
// weights.
func TestLogZOfIndependentUnits(t *testing.T) {
	m, _ := rbm.New(unit.Spec{Type: unit.Spin, N: 14}, unit.Spec{Type: unit.Spin, N: 20})
	for i := range 14 {
		m.Visible.(*rbm.Spin).Fields[i] = float64(i) / 7
	}
	want := 20 * math.Ln2
	for i := range 14 {
		want += special.Log2Cosh(float64(i) / 7)
	}
	got, _, err := rbm.LogZ(m)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "log Z", got, want, 1e-13)
}

func TestTooLargeToEnumerate(t *testing.T) {
	m, _ := rbm.New(unit.Spec{Type: unit.Spin, N: 40}, unit.Spec{Type: unit.Gaussian, N: 2})
	if _, _, err := rbm.LogZ(m); err == nil {
		t.Error("2^40 states enumerated")
	}
}

func TestSpaceIndexInvertsState(t *testing.T) {
	for _, text := range []string{"spin:5", "bernoulli:4", "potts:3x4"} {
		spec, _ := unit.ParseSpec(text)
		s, err := rbm.NewSpace(spec)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, spec.N)
		for k := range s.Size() {
			s.State(x, k)
			if got := s.Index(x); got != k {
				t.Fatalf("%s: Index(State(%d)) = %d", text, k, got)
			}
		}
	}
}

func ExampleLogZ() {
	m, _ := rbm.CurieWeiss(16, 1.2)
	logZ, side, _ := rbm.LogZ(m)
	fmt.Printf("log Z = %.10f by the %s units\n", logZ, side)
	// Output: log Z = 14.5806572553 by the visible units
}
