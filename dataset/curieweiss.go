package dataset

import (
	"fmt"
	"math"

	"instanton/internal/rng"
	"instanton/unit"
)

// CurieWeiss draws independent exact configurations of the mean-field ferromagnet: first the number k of up spins,
// with probability ∝ (n choose k) e^{(w²/2n)(2k−n)²}, then which spins they are.
func CurieWeiss(n int, w float64, count int, seed uint64) (*Dataset, error) {
	spec := unit.Spec{Type: unit.Spin, N: n}
	if err := spec.Check(); err != nil {
		return nil, err
	}
	if !(w >= 0 && w <= 1e30) {
		return nil, fmt.Errorf("weight w = %g: expected a number from 0 to 1e30", w)
	}
	if count < 1 {
		return nil, fmt.Errorf("%d samples: expected at least one", count)
	}
	if err := spec.CheckCount(count); err != nil {
		return nil, err
	}
	law := make([]float64, n+1)
	for up := range law {
		s := float64(2*up - n)
		law[up] = logChoose(n, up) + w*w*s*s/(2*float64(n))
	}
	d := &Dataset{
		Name:   "curie-weiss",
		States: unit.NewStates(spec, count),
		Info:   map[string]string{"w": fmt.Sprint(w), "method": "exact"},
	}
	weights := make([]float64, len(law))
	for k := range count {
		r := rng.New(seed, rng.Data, uint32(k), 0).Rand()
		copy(weights, law)
		up := rng.Categorical(weights, r.Float64())
		for _, i := range r.Perm(n)[:up] {
			d.States.Set(k, i, 1)
		}
	}
	return d, nil
}

func logChoose(n, k int) float64 {
	lg := func(x int) float64 { v, _ := math.Lgamma(float64(x + 1)); return v }
	return lg(n) - lg(k) - lg(n-k)
}
