package statearray_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"instanton/internal/npy"
	"instanton/internal/statearray"
	"instanton/unit"
)

// anyStates draws configurations of every type that a batch can have.
func anyStates(t unit.Type, n, configurations int, r *rand.Rand) *unit.States {
	spec := unit.Spec{Type: t, N: n}
	if t == unit.Potts {
		spec.Q = 5
	}
	s := unit.NewStates(spec, configurations)
	for k := range s.Len {
		for i := range s.N {
			x := math.Abs(float64(float32(r.NormFloat64())))
			if t.Discrete() {
				x = spec.StateValue(r.IntN(spec.States()))
			}
			s.Set(k, i, x)
		}
	}
	return s
}

// Batches of every type come back from arrays of two and three dimensions, and from a
// member of an archive.
func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, kind := range unit.Types() {
		for _, n := range []int{1, 63, 64, 65, 150} {
			s := anyStates(kind, n, 6, r)
			for _, a := range []npy.Array{statearray.FromStates(s), statearray.FromStates(s, 2, 3)} {
				back, err := statearray.ToStates(s.Spec, a)
				if err != nil {
					t.Fatal(err)
				}
				if !back.Equal(s) {
					t.Errorf("%s differs after a round trip through shape %v", s.Spec, a.Shape)
				}
			}
			var file, want strings.Builder
			if err := npy.WriteMember(&file, statearray.Member("v", s)); err != nil {
				t.Fatal(err)
			}
			if err := npy.WriteMember(&want, npy.ArrayMember("v", statearray.FromStates(s))); err != nil {
				t.Fatal(err)
			}
			if file.String() != want.String() {
				t.Errorf("%s: the member differs from the array", s.Spec)
			}
		}
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		array npy.Array
		want  string
	}{
		{npy.New([]int8{1, -1}, 1, 2), "spin:2"},
		{npy.New([]uint8{1, 0}, 2, 1), "bernoulli:1"},
		{npy.New([]int64{1, 4}, 1, 2), "potts:2x5"},
		{npy.New([]float32{1, 0.5}, 1, 2), "gaussian:2"},
		{npy.New([]float64{300, 0}, 1, 2), "gaussian:2"},
	} {
		if spec, err := statearray.Detect(c.array); err != nil || spec.String() != c.want {
			t.Errorf("%v: %v, %v, want %s", c.array, spec, err, c.want)
		}
	}
	for _, a := range []npy.Array{npy.New([]int8{1}), npy.New([]int8{}, 0, 2), npy.New([]float64{math.NaN()}, 1, 1)} {
		if spec, err := statearray.Detect(a); err == nil {
			t.Errorf("%v was taken for %v", a, spec)
		}
	}
}

func TestToStatesRefuses(t *testing.T) {
	for _, c := range []struct {
		spec  string
		array npy.Array
		want  string
	}{
		{"spin:2", npy.New([]int8{1, 0}, 1, 2), "configuration 0, unit 1: value 0: expected -1 or 1"},
		{"bernoulli:2", npy.New([]float32{1, 0.5}, 1, 2), "value 0.5: expected 0 or 1"},
		{"potts:2x3", npy.New([]int64{1, 3}, 1, 2), "from 0 to 2"},
		{"potts:2x3", npy.New([]int64{-1, 0}, 1, 2), "from 0 to 2"},
		{"gaussian:1", npy.New([]float64{math.Inf(1)}, 1, 1), "finite"},
		{"relu:1", npy.New([]float64{-2}, 1, 1), "not negative"},
		{"spin:2", npy.New([]int8{1, 1, 1}, 1, 3), "expected 2 units"},
		{"spin:2", npy.Scalar(1.0), "expected 2 units"},
	} {
		spec, _ := unit.ParseSpec(c.spec)
		if _, err := statearray.ToStates(spec, c.array); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s from %v: error %v, want one with %q", c.spec, c.array, err, c.want)
		}
	}
}
