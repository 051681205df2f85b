package evaluate_test

import (
	"fmt"
	"math"
	"testing"

	"instanton/dataset"
	"instanton/evaluate"
	"instanton/rbm"
	"instanton/unit"
)

// The mean log-likelihood of all configurations weighted by P is minus the entropy; with every configuration once it
// is the mean of log P.
func TestScoreOfAllConfigurations(t *testing.T) {
	m, err := rbm.Random(unit.Spec{Type: unit.Bernoulli, N: 4}, unit.Spec{Type: unit.ReLU, N: 3}, 1, 5)
	if err != nil {
		t.Fatal(err)
	}
	d, err := rbm.NewDistribution(m, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	data := unit.NewStates(m.Visible.Spec(), len(d.P))
	x := make([]float64, 4)
	var want float64
	for k, p := range d.P {
		d.Space.State(x, k)
		data.SetValues(k, x)
		want += math.Log(p) / float64(len(d.P))
	}
	s, err := evaluate.New(m, data, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(*s.LogLikelihood-want) > 1e-12 || math.Abs(*s.LogZ-d.LogZ) > 1e-12 || s.Samples != 16 {
		t.Errorf("score %+v, want log-likelihood %g and log Z %g", s, want, d.LogZ)
	}
	if math.Abs(*s.EffectiveEnergy+want+d.LogZ) > 1e-12 {
		t.Errorf("effective energy %g, want %g", *s.EffectiveEnergy, -want-d.LogZ)
	}
}

func TestLargeModels(t *testing.T) {
	m, _ := rbm.New(unit.Spec{Type: unit.Spin, N: 64}, unit.Spec{Type: unit.Spin, N: 64})
	s, err := evaluate.New(m, unit.NewStates(m.Visible.Spec(), 3), nil, false)
	if err != nil || s.Method != "none" || s.LogZ != nil || s.LogLikelihood != nil ||
		math.Abs(*s.EffectiveEnergy+64*math.Ln2) > 1e-12 {
		t.Errorf("score %+v, error %v", s, err)
	}
	if _, err := evaluate.New(m, nil, nil, true); err == nil {
		t.Error("2^64 configurations enumerated")
	}
	if _, err := evaluate.New(m, unit.NewStates(unit.Spec{Type: unit.Spin, N: 3}, 1), nil, false); err == nil {
		t.Error("data of another size accepted")
	}
}

func ExampleNew() {
	m, _ := rbm.CurieWeiss(16, 1.2)
	data, _ := dataset.CurieWeiss(16, 1.2, 1000, 1)
	s, _ := evaluate.New(m, data.States, nil, true)
	fmt.Printf("log Z = %.4f, %d samples of log-likelihood %.2f each\n", *s.LogZ, s.Samples, *s.LogLikelihood)
	// Output: log Z = 14.5807, 1000 samples of log-likelihood -6.73 each
}

// Samples with integer weights count as that many copies, and those of weight zero not at all.
func TestWeightsCountLikeCopies(t *testing.T) {
	m, err := rbm.Random(unit.Spec{Type: unit.Spin, N: 6}, unit.Spec{Type: unit.Gaussian, N: 3}, 1, 5)
	if err != nil {
		t.Fatal(err)
	}
	weights := []float64{2, 0, 1, 3}
	data, copies := unit.NewStates(m.Visible.Spec(), 4), unit.NewStates(m.Visible.Spec(), 6)
	next := 0
	for k, w := range weights {
		for i := range data.N {
			data.Set(k, i, float64(2*((7*k+i*i)%2)-1))
		}
		for range int(w) {
			copies.CopyRow(next, data, k)
			next++
		}
	}
	weighted, err := evaluate.New(m, data, weights, true)
	if err != nil {
		t.Fatal(err)
	}
	copied, err := evaluate.New(m, copies, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		s       *evaluate.Score
		v       *unit.States
		weights []float64
	}{{weighted, data, weights}, {copied, copies, nil}} {
		if err := c.s.SetPseudo(t.Context(), m, c.v, c.weights, 1); err != nil {
			t.Fatal(err)
		}
		if c.s.Moments, err = evaluate.CompareMoments(m, c.v, c.weights, nil); err != nil {
			t.Fatal(err)
		}
	}
	for name, pair := range map[string][2]float64{
		"log-likelihood":        {*weighted.LogLikelihood, *copied.LogLikelihood},
		"pseudo-log-likelihood": {*weighted.PseudoLogLikelihood, *copied.PseudoLogLikelihood},
		"⟨vv⟩":                  {weighted.Moments.VV.RMS, copied.Moments.VV.RMS},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-12 {
			t.Errorf("%s %g by weights, %g by copies", name, pair[0], pair[1])
		}
	}
	if _, err := evaluate.New(m, data, make([]float64, 4), true); err == nil {
		t.Error("weights that add up to zero were accepted")
	}
}
