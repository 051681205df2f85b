package synthetic_test

import (
	"context"
	"math"
	"testing"

	"instanton/rbm"
	"instanton/synthetic"
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// Data made from patterns: at low temperature every configuration stays near the pattern named by its label, but the
// sweeps do move it.
func TestFromPatterns(t *testing.T) {
	p := must(rbm.OrthogonalPatterns(64, 3))
	m := must(rbm.Hopfield(p, 1.6))
	d := must(synthetic.FromPatterns(context.Background(), m, 300, 20, 5))
	labels, moved := map[int]int{}, 0
	for k := range d.States.Len {
		var overlap float64
		for i := range p.N {
			overlap += p.Value(d.Labels[k]%3, i) * d.States.Value(k, i) / float64(p.N)
		}
		if d.Labels[k] >= 3 {
			overlap = -overlap
		}
		if overlap < 0.7 {
			t.Errorf("configuration %d has overlap %g with %s", k, overlap, d.LabelNames[d.Labels[k]])
		}
		if overlap < 1 {
			moved++
		}
		labels[d.Labels[k]]++
	}
	if moved < 100 {
		t.Errorf("%d of 300 configurations differ from their pattern: were there sweeps?", moved)
	}
	for l := range 6 { // binomial, five standard deviations
		if tol := 5 * math.Sqrt(300.0/6*5/6); math.Abs(float64(labels[l])-50) > tol {
			t.Errorf("label %d stands %d times, want 50 ± %.0f", l, labels[l], tol)
		}
	}
	if _, err := synthetic.FromPatterns(context.Background(), must(rbm.CurieWeiss(4, 1)), 3, 1, 1); err == nil {
		t.Error("a model without patterns was accepted")
	}
}
