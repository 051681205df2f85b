package experiment

import (
	"testing"

	"instanton/unit"
)

func TestHammingDistance(t *testing.T) {
	spins := unit.NewStates(unit.Spec{Type: unit.Spin, N: 70}, 2)
	for _, i := range []int{0, 63, 64, 69} {
		spins.Set(1, i, 1)
	}
	potts := unit.NewStates(unit.Spec{Type: unit.Potts, N: 5, Q: 20}, 2)
	potts.SetValues(0, []float64{1, 2, 3, 4, 5})
	potts.SetValues(1, []float64{1, 19, 3, 0, 5})
	if a, b := HammingDistance(spins, 0, spins, 1), HammingDistance(potts, 0, potts, 1); a != 4 || b != 2 {
		t.Errorf("%d spins and %d Potts units apart, want 4 and 2", a, b)
	}
}
