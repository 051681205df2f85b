package dataset_test

import (
	"slices"
	"testing"

	"instanton/dataset"
	"instanton/unit"
)

func TestUnique(t *testing.T) {
	for _, spec := range []unit.Spec{{Type: unit.Spin, N: 70}, {Type: unit.Potts, N: 5, Q: 3},
		{Type: unit.Gaussian, N: 2}} {
		s := unit.NewStates(spec, 6)
		for k, x := range []float64{1, 0, 1, 2, 0, 1} { // rows by what stands in them
			s.Set(k, 0, max(x-1, 0))
			s.Set(k, spec.N-1, min(x, 1))
		}
		want := []int{0, 1, 3}
		if got := dataset.Distinct(s); !slices.Equal(got, want) {
			t.Errorf("%s: distinct rows %v, want %v", spec, got, want)
		}
		d := &dataset.Dataset{States: s, Labels: []int{0, 1, 2, 3, 4, 5}, Weights: []float64{0, 1, 2, 3, 4, 5},
			Names: []string{"a", "b", "c", "d", "e", "f"}}
		u := d.Unique()
		if u.States.Len != 3 || !slices.Equal(u.Labels, want) || !slices.Equal(u.Weights, []float64{0, 1, 3}) ||
			!slices.Equal(u.Names, []string{"a", "b", "d"}) {
			t.Errorf("%s: kept %+v", spec, u)
		}
		for k, j := range want {
			if u.States.Value(k, 0) != s.Value(j, 0) || u.States.Value(k, spec.N-1) != s.Value(j, spec.N-1) {
				t.Errorf("%s: row %d is not the old row %d", spec, k, j)
			}
		}
		if u.Unique() != u {
			t.Errorf("%s: a set without copies was copied", spec)
		}
	}
}
