package evaluate_test

import (
	"math"
	"testing"

	"instanton/evaluate"
	"instanton/rbm"
	"instanton/unit"
)

// A fit reproduces the weighted means of the data, for every type of unit.
func TestSitesReproduceTheData(t *testing.T) {
	values := map[unit.Type][]float64{
		unit.Spin: {-1, 1, 1, 1}, unit.Bernoulli: {0, 1, 1, 0}, unit.Potts: {0, 2, 1, 2},
		unit.Gaussian: {-1, 0.5, 3, 2}, unit.ReLU: {0.5, 1, 2, 0.2}, unit.DReLU: {-1, 0.5, 3, -2},
	}
	weights := []float64{1, 2, 0.5, 0.25}
	for _, kind := range unit.Types() {
		xs, ok := values[kind]
		if !ok {
			t.Fatalf("no data for %s units", kind)
		}
		spec := unit.Spec{Type: kind, N: 1}
		if kind == unit.Potts {
			spec.Q = 3
		}
		data := unit.NewStates(spec, 4)
		for k, x := range xs {
			data.SetValues(k, []float64{x})
		}
		l, err := evaluate.Sites(data, weights, nil)
		if err != nil {
			t.Fatal(err)
		}
		zero := make([]float64, spec.Width())
		mean, variance, want := make([]float64, spec.Width()), make([]float64, spec.Width()), make([]float64,
			spec.Width())
		l.Mean(mean, zero)
		l.Variance(variance, zero)
		var second, total float64
		for k, x := range xs {
			total += weights[k]
			second += weights[k] * x * x
			if kind == unit.Potts {
				want[int(x)] += weights[k]
			} else {
				want[0] += weights[k] * x
			}
		}
		second /= total
		for c := range want {
			want[c] /= total
		}
		switch kind {
		case unit.ReLU: // with θ = 0 the mean square is 1/γ
			if got := variance[0] + mean[0]*mean[0]; math.Abs(got-second) > 1e-6 {
				t.Errorf("%s: mean square %g, want %g", kind, got, second)
			}
		case unit.DReLU: // conditional mean squares of either side
			d := l.(*rbm.DReLU)
			right := (2*0.25 + 0.5*9) / 2.5
			left := (1 + 0.25*4) / 1.25
			if math.Abs(1/d.GammaPlus[0]-right) > 1e-6 || math.Abs(1/d.GammaMinus[0]-left) > 1e-6 {
				t.Errorf("%s: mean squares %g and %g, want %g and %g", kind, 1/d.GammaPlus[0], 1/d.GammaMinus[0], right,
					left)
			}
		default:
			for c := range want {
				if math.Abs(mean[c]-want[c]) > 1e-5 {
					t.Errorf("%s: mean %g of channel %d, want %g", kind, mean[c], c, want[c])
				}
			}
			if kind == unit.Gaussian && math.Abs(variance[0]-(second-want[0]*want[0])) > 1e-6 {
				t.Errorf("variance %g, want %g", variance[0], second-want[0]*want[0])
			}
		}
	}
	if _, err := evaluate.Sites(unit.NewStates(unit.Spec{Type: unit.Spin, N: 2}, 0), nil, nil); err == nil {
		t.Error("no data, but a fit")
	}
}

// A state that is never seen keeps a small probability instead of none.
func TestSitesOfConstantData(t *testing.T) {
	data := unit.NewStates(unit.Spec{Type: unit.Bernoulli, N: 1}, 10)
	l, err := evaluate.Sites(data, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	mean := make([]float64, 1)
	l.Mean(mean, []float64{0})
	if !(mean[0] > 0 && mean[0] < 1e-5) {
		t.Errorf("mean %g of a unit that is always off, want small and positive", mean[0])
	}
}
