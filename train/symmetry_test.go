package train

import (
	"slices"
	"strings"
	"testing"

	"instanton/dataset"
	"instanton/rbm"
	"instanton/unit"
)

// Tied by transposition, an image and its transpose have the same probability to the last bits of rounding, all along,
// though the chains and minibatches have no symmetry: bars and stripes weigh the same.
func TestTiedModelsAreSymmetric(t *testing.T) {
	data, err := dataset.BarsAndStripes(3, unit.Spin)
	if err != nil {
		t.Fatal(err)
	}
	rows := []int{0, 1, 2, 3, 5, 8, 13} // more of one class than of the other
	for _, hidden := range []unit.Spec{
		{Type: unit.Gaussian, N: 5}, {Type: unit.DReLU, N: 4}, {Type: unit.Potts, N: 3, Q: 2},
	} {
		cfg := small(60)
		cfg.Tie, cfg.Batch, cfg.Regularize.L1 = "transpose", 4, 0.01
		tr, err := cfg.New(hidden, Data{States: data.States, Shape: data.Shape, Rows: rows}, 2)
		if err != nil {
			t.Fatal(err)
		}
		advance(t, tr, tr.Total())
		m := tr.model
		pi, _ := Transposition([]int{3, 3}, 9)
		d, err := rbm.NewDistribution(m, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		x, y := make([]float64, 9), make([]float64, 9)
		for k, p := range d.P {
			d.Space.State(x, k)
			for i, j := range pi {
				y[j] = x[i]
			}
			if q := d.P[d.Space.Index(y)]; p > 1e-6 && (p-q > 1e-9*p || q-p > 1e-9*p) {
				t.Fatalf("%s: an image has probability %g, its transpose %g", hidden, p, q)
			}
		}
		if tr.WeightNorm() < 0.5 {
			t.Errorf("%s: the norm of the weights is %g: nothing was learnt", hidden, tr.WeightNorm())
		}
	}
}

func TestSymmetryChecks(t *testing.T) {
	if p, err := Transposition([]int{2, 2}, 4); err != nil || !slices.Equal(p, []int{0, 2, 1, 3}) {
		t.Errorf("transposition %v, error %v", p, err)
	}
	for _, shape := range [][]int{nil, {2, 3}, {4}, {3, 3}} {
		if _, err := Transposition(shape, 6); err == nil || !strings.Contains(err.Error(), "square") {
			t.Errorf("shape %v: error %v", shape, err)
		}
	}
	if _, err := NewSymmetry([]int{1, 2, 0}, 4); err == nil {
		t.Error("a permutation that is not its own inverse was accepted")
	}
	s, err := NewSymmetry([]int{1, 0}, 5)
	if err != nil || !slices.Equal(s.Hidden, []int{2, 3, 0, 1, 4}) {
		t.Errorf("partners %v, error %v", s, err)
	}
}
