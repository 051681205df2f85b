package unit_test

import (
	"math/rand/v2"
	"testing"

	"instanton/unit"
)

func TestHamming(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, kind := range unit.Types() {
		for _, n := range []int{1, 63, 64, 65, 130} {
			spec := unit.Spec{Type: kind, N: n}
			if kind == unit.Potts {
				spec.Q = 5
			}
			s, u := unit.NewStates(spec, 3), unit.NewStates(spec, 2)
			for _, x := range []*unit.States{s, u} {
				for k := range x.Len {
					for i := range n {
						if kind.Discrete() {
							x.Set(k, i, spec.StateValue(r.IntN(spec.States())))
						} else {
							x.Set(k, i, float64(r.IntN(3)))
						}
					}
				}
			}
			want, squared := 0, 0.0
			for i := range n {
				if x, y := s.Value(2, i), u.Value(1, i); x != y {
					want++
					squared += (x - y) * (x - y)
				}
			}
			if kind.Discrete() {
				squared = float64(want)
			}
			if got := s.Hamming(2, u, 1); got != want {
				t.Errorf("Hamming distance of %s: %d, want %d", spec, got, want)
			}
			if got := s.SquaredDistance(2, u, 1); got != squared {
				t.Errorf("squared distance of %s: %g, want %g", spec, got, squared)
			}
		}
	}
}
