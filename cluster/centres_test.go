package cluster

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Three well-separated clusters are found whatever the seed.
func TestCentres(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var x [][]float64
	for k := range 300 {
		x = append(x, []float64{10*float64(k%3) + r.NormFloat64(), r.NormFloat64()})
	}
	for seed := range uint64(5) {
		seen := map[int]bool{}
		for _, c := range Centres(x, 3, seed) {
			seen[int(math.Round(c[0]/10))] = true
			if math.Abs(c[1]) > 0.5 { // five standard errors of 100 points
				t.Errorf("centre %v", c)
			}
		}
		if len(seen) != 3 {
			t.Errorf("seed %d: centres in %d clusters, want 3", seed, len(seen))
		}
	}
}

// There are no more centres than distinct vectors.
func TestFewVectors(t *testing.T) {
	x := [][]float64{{1, 0}, {0, 1}, {1, 0}, {0, 1}}
	if c := Centres(x, 4, 1); len(c) != 2 {
		t.Errorf("%d centres of two different vectors", len(c))
	}
}
