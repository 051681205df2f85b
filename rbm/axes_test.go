package rbm_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/unit"
)

// The axes of a rotated Hopfield model are those of its patterns, whether they are found from the weights or from
// hidden activities; P(v) does not change.
func TestAxesOfHopfield(t *testing.T) {
	const n, m = 128, 6
	patterns := must(rbm.OrthogonalPatterns(n, m))
	model := must(rbm.Hopfield(patterns, 1.5))
	if err := model.Rotate(rbm.RandomRotation(m, 3)); err != nil {
		t.Fatal(err)
	}
	var activities [][]float64 // of the patterns and their opposites
	x, I := make([]float64, n), make([]float64, m)
	for k := range patterns.Len {
		for _, sign := range []float64{1, -1} {
			patterns.Values(x, k)
			for i := range x {
				x[i] *= sign
			}
			h := make([]float64, m)
			model.Inputs(I, x)
			model.Hidden.Mean(h, I)
			activities = append(activities, h)
		}
	}
	for _, given := range [][][]float64{nil, activities} {
		fixed := model.Clone()
		if err := fixed.Rotate(must(model.Axes(given))); err != nil {
			t.Fatal(err)
		}
		for mu := range m {
			var best float64
			for k := range patterns.Len {
				var overlap, norm float64
				for i := range n {
					w := fixed.Row(i)[mu]
					overlap += w * patterns.Value(k, i) / math.Sqrt(n)
					norm += w * w
				}
				best = max(best, math.Abs(overlap)/math.Sqrt(norm))
			}
			if best < 0.9999 {
				t.Errorf("hidden unit %d has overlap %.5f with the nearest pattern: want 1", mu, best)
			}
		}
		r := rng.New(1, rng.Data, 0, 0).Rand()
		for range 20 {
			for i := range x {
				x[i] = float64(2*r.IntN(2) - 1)
			}
			if a, b := model.EffectiveEnergy(x), fixed.EffectiveEnergy(x); math.Abs(a-b) > 1e-9*math.Abs(a) {
				t.Errorf("E_eff = %.12g before and %.12g after", a, b)
			}
		}
	}
}

// Sparse rows have their axes where the fourth moment is largest.
func TestAxesOfSparseRows(t *testing.T) {
	const n = 5
	x := mat.NewDense(40, n, nil)
	r := rng.New(2, rng.Data, 0, 0).Rand()
	for i := range 40 {
		x.Set(i, i%n, r.NormFloat64())
	}
	var mixed, back mat.Dense
	mixed.Mul(x, rbm.RandomRotation(n, 9))
	back.Mul(&mixed, rbm.QuarticAxes(&mixed))
	for i := range 40 {
		large := 0
		for _, y := range back.RawRowView(i) {
			if math.Abs(y) > 1e-6 {
				large++
			}
		}
		if large > 1 {
			t.Errorf("row %d has %d entries that are not zero, want 1", i, large)
		}
	}
}

func TestAxesNeedGaussianUnits(t *testing.T) {
	m := must(rbm.Random(unit.Spec{Type: unit.Spin, N: 3}, unit.Spec{Type: unit.ReLU, N: 2}, 1, 1))
	if _, err := m.Axes(nil); err == nil {
		t.Error("ReLU units have axes")
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
