package figure

import (
	"math"
	"testing"

	"instanton/paper/verdict"
)

func TestTrainedCurieWeiss(t *testing.T) {
	if testing.Short() {
		t.Skip("trains a model")
	}
	s := tiny()
	r, err := trainedCurieWeissFigure().Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	drawn(t, r)
	if c := claimOf(t, r, "weights"); c.Verdict != verdict.Holds {
		t.Errorf("%s (%s)", c.Verdict, c.Numbers())
	}
	first, err := trainCurieWeiss(t.Context(), s, 1)
	if err != nil {
		t.Fatal(err)
	}
	second, err := trainCurieWeiss(t.Context(), s, 2)
	if err != nil {
		t.Fatal(err)
	}
	if first.Data.States.Fingerprint() == second.Data.States.Fingerprint() {
		t.Error("two trainings have the same samples")
	}
}

func TestScaledWeights(t *testing.T) {
	x, mean, deviation := scaledWeights([]float64{-0.5, -0.7, -0.6, -0.6})
	if math.Abs(x[1]-1.4) > 1e-12 || math.Abs(mean-1.2) > 1e-12 || math.Abs(deviation-0.2*math.Sqrt(2.0/3)) > 1e-12 {
		t.Errorf("weights %v, mean %g, deviation %g", x, mean, deviation)
	}
}
