package problem

import (
	"math"
	"sort"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/unit"
)

// Equilibrium sets configurations to exact draws from a distribution and returns the indices of their states.
func Equilibrium(v *unit.States, d *rbm.Distribution) []int {
	cumulative := make([]float64, len(d.P))
	var sum float64
	for k, p := range d.P {
		sum += p
		cumulative[k] = sum
	}
	start := make([]int, v.Len)
	x := make([]float64, v.N)
	r := rng.New(99, rng.Data, 0, 0).Rand()
	for k := range start {
		start[k] = min(sort.SearchFloat64s(cumulative, r.Float64()*sum), len(d.P)-1)
		d.Space.State(x, start[k])
		v.SetValues(k, x)
	}
	return start
}

// ChiSquare fails the test if counts this far from the expected ones have a probability below 1e-6. Cells with fewer
// than ten expected counts are pooled.
func ChiSquare(t testing.TB, observed, expected []float64) {
	t.Helper()
	var chi, poolSeen, poolWant float64
	cells := 0
	for k := range observed {
		if expected[k] < 10 {
			poolSeen += observed[k]
			poolWant += expected[k]
			continue
		}
		d := observed[k] - expected[k]
		chi += d * d / expected[k]
		cells++
	}
	if poolWant >= 10 {
		chi += (poolSeen - poolWant) * (poolSeen - poolWant) / poolWant
		cells++
	} else if poolSeen > poolWant+6*math.Sqrt(poolWant)+6 {
		t.Errorf("%g counts where %g are expected", poolSeen, poolWant)
	}
	if cells < 2 {
		t.Fatal("no cells to compare")
	}
	if p := (distuv.ChiSquared{K: float64(cells - 1)}).Survival(chi); p < 1e-6 {
		t.Errorf("χ² = %.1f over %d cells: probability %.2g", chi, cells, p)
	}
}
