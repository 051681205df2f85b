package dataset_test

import (
	"math"
	"slices"
	"testing"

	"instanton/dataset"
	"instanton/unit"
)

// Marginals agree with counts by hand, with and without weights.
func TestMarginals(t *testing.T) {
	d := read(t, ">a\nAC-\n>b\nAD-\n>c\nAC-\n>d\nWC-\n", dataset.FASTAOptions{Alphabet: "-ACDW"})
	want := [][]float64{{0, 0.75, 0, 0, 0.25}, {0, 0, 0.75, 0.25, 0}, {1, 0, 0, 0, 0}}
	compareRows(t, d.Marginals(), want)
	d.Weights = []float64{0.5, 1, 0.5, 2}
	compareRows(t, d.Marginals(), [][]float64{{0, 0.5, 0, 0, 0.5}, {0, 0, 0.75, 0.25, 0}, {1, 0, 0, 0, 0}})

	spins := &dataset.Dataset{States: unit.NewStates(unit.Spec{Type: unit.Spin, N: 70}, 4)}
	spins.States.Set(1, 66, 1)
	p := spins.Marginals()
	if p[66][1] != 0.25 || p[66][0] != 0.75 || p[65][0] != 1 {
		t.Errorf("marginals %v and %v", p[66], p[65])
	}
	spins.Weights = []float64{0, 0, 0, 0}
	if p := spins.Marginals(); p[0][0] != 0 {
		t.Errorf("no weight at all gives %v", p[0])
	}
}

func compareRows(t *testing.T, got, want [][]float64) {
	t.Helper()
	for i := range want {
		for a := range want[i] {
			if math.Abs(got[i][a]-want[i][a]) > 1e-15 {
				t.Errorf("unit %d: %v, want %v", i, got[i], want[i])
				break
			}
		}
	}
}

func TestEntropyAndInformation(t *testing.T) {
	for _, c := range []struct {
		p             []float64
		entropy, info float64
	}{
		{[]float64{0.25, 0.25, 0.25, 0.25}, 2, 0},
		{[]float64{0, 1, 0, 0}, 0, 2},
		{[]float64{0.5, 0.5, 0, 0}, 1, 1},
	} {
		if e, i := dataset.Entropy(c.p), dataset.Information(c.p); math.Abs(e-c.entropy) > 1e-15 ||
			math.Abs(i-c.info) > 1e-15 {
			t.Errorf("%v: entropy %g, information %g, want %g, %g", c.p, e, i, c.entropy, c.info)
		}
	}
}

func TestSummary(t *testing.T) {
	d := read(t, ">a class=x\nAC-\n>b class=y\nAD-\n>c class=x\nAC-\n>d class=x\nWC-\n",
		dataset.FASTAOptions{Alphabet: "-ACDW"})
	d.Weights = []float64{0.5, 1, 0.5, 1}
	s := d.Summary()
	if s.Samples != 4 || s.Distinct != 3 || s.Duplicates != 1 || s.Weights.Sum != 3 || s.Weights.Min != 0.5 ||
		s.Weights.Max != 1 {
		t.Errorf("summary %+v", s)
	}
	if !slices.Equal(s.Classes, []dataset.Class{{Label: 0, Name: "x", Count: 3}, {Label: 1, Name: "y", Count: 1}}) {
		t.Errorf("classes %v", s.Classes)
	}
	if gaps, ok := s.GapShare(); !ok || math.Abs(gaps-1./3) > 1e-15 || s.Discrete.ConstantUnits != 1 {
		t.Errorf("gaps %g %v, discrete %+v", gaps, ok, s.Discrete)
	}
	real := &dataset.Dataset{States: unit.NewStates(unit.Spec{Type: unit.Gaussian, N: 2}, 2), Labels: []int{1 << 60, 0}}
	real.States.SetValues(0, []float64{1, -2})
	real.States.SetValues(1, []float64{3, -2})
	r := real.Summary()
	if r.Real.Min != -2 || r.Real.Max != 3 || !slices.Equal(r.Real.Mean, []float64{2, -2}) ||
		!slices.Equal(r.Real.SD, []float64{1, 0}) || len(r.Classes) != 2 {
		t.Errorf("summary %+v of %+v", r, r.Real)
	}
}
