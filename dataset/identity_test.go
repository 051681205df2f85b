package dataset_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"instanton/dataset"
	"instanton/unit"
)

// related draws sequences from a few families, so that some are close and most are not.
func related(spec unit.Spec, count int, mutate float64) *unit.States {
	r := rand.New(rand.NewPCG(1, 2))
	s := unit.NewStates(spec, count)
	q := spec.States()
	for k := range count {
		for i := range spec.N {
			a := r.IntN(q)
			if family := k % 7; k >= 7 && r.Float64() > mutate {
				s.Set(k, i, s.Value(family, i))
			} else {
				s.Set(k, i, spec.StateValue(a))
			}
		}
	}
	return s
}

// Weights agree with the definition, for every number of planes and lengths around a word.
func TestIdentityWeights(t *testing.T) {
	for _, spec := range []unit.Spec{
		{Type: unit.Potts, N: 100, Q: 21}, {Type: unit.Potts, N: 64, Q: 20}, {Type: unit.Potts, N: 65, Q: 4},
		{Type: unit.Potts, N: 5, Q: 2}, {Type: unit.Potts, N: 130, Q: 256}, {Type: unit.Spin, N: 70},
		{Type: unit.Bernoulli, N: 28},
	} {
		s := related(spec, 140, 0.18)
		same := make([][]int, s.Len) // units on which two configurations agree
		for k := range s.Len {
			same[k] = make([]int, s.Len)
			for j := range s.Len {
				for i := range s.N {
					if s.Value(k, i) == s.Value(j, i) {
						same[k][j]++
					}
				}
			}
		}
		for _, identity := range []float64{0.8, 1, 0.62, 0.01} {
			want := make([]float64, s.Len)
			for k := range s.Len {
				n := 0
				for j := range s.Len {
					if float64(same[k][j]) >= identity*float64(s.N)-1e-9 {
						n++
					}
				}
				want[k] = 1 / float64(n)
			}
			for _, workers := range []int{1, 3, 0} {
				got, err := dataset.IdentityWeights(s, identity, workers)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s at identity %g with %d workers: weights differ from the definition", spec, identity,
						workers)
				}
			}
		}
	}
}

func TestIdentityWeightsRefuses(t *testing.T) {
	for _, identity := range []float64{0, -1, 1.01} {
		if _, err := dataset.IdentityWeights(related(unit.Spec{Type: unit.Spin, N: 4}, 3, 1), identity, 1); err == nil {
			t.Errorf("identity %g accepted", identity)
		}
	}
	if _, err := dataset.IdentityWeights(unit.NewStates(unit.Spec{Type: unit.Gaussian, N: 4}, 3), 0.8, 1); err == nil {
		t.Error("real units accepted")
	}
}

// An alignment of 50,000 sequences of 100 columns: unrelated pairs are told apart by one block, related ones (mutate
// 0.1: about 0.81 identical) need both.
func BenchmarkIdentityWeights(b *testing.B) {
	for _, mutate := range []float64{0.1, 0.5} {
		s := related(unit.Spec{Type: unit.Potts, N: 100, Q: 21}, 50000, mutate)
		b.Run(fmt.Sprintf("50000x100/mutate=%g", mutate), func(b *testing.B) {
			for b.Loop() {
				if _, err := dataset.IdentityWeights(s, 0.8, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
