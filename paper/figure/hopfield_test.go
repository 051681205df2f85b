package figure

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/rbm"
	"instanton/sampler"
)

func TestCrossings(t *testing.T) {
	one := mat.NewDiagDense(experiment.HopfieldPatterns, []float64{1, 1, 1, 1, 1, 1})
	var aligned mat.Dense
	aligned.CloneFrom(one)
	if got := crossings(&aligned); math.Abs(got-2) > 1e-12 {
		t.Errorf("%g units change with aligned weights, want 2", got)
	}
	if d := crossing(&aligned, 2, 2+experiment.HopfieldPatterns); d[2] != -2 || participation(d) != 1 {
		t.Errorf("from a pattern to its opposite hidden units change by %v", d)
	}
	if d := crossing(&aligned, 0, 1+experiment.HopfieldPatterns); d[0] != -1 || d[1] != -1 || participation(d) != 2 {
		t.Errorf("from pattern 1 to the opposite of 2 hidden units change by %v", d)
	}
	for seed := range uint64(200) { // least of 3000 rotations: 2.39
		if got := crossings(rbm.RandomRotation(experiment.HopfieldPatterns, seed)); got < 2.2 ||
			got > experiment.HopfieldPatterns {
			t.Errorf("rotation %d: %g units change on the average", seed, got)
		}
	}
}

// The fit finds the code of recorded hidden units, and tells it from another.
func TestCodeOfHiddenUnits(t *testing.T) {
	const seed = 5
	m, err := experiment.RotatedHopfield(transitionWeight, seed)
	if err != nil {
		t.Fatal(err)
	}
	k, err := sampler.NewGibbs(m, 1)
	if err != nil {
		t.Fatal(err)
	}
	run, err := experiment.RunHopfield(t.Context(), k, experiment.HopfieldPlan{Chains: 12, Draws: 200, Hidden: true,
		Seed: 1}, verdict.Settings{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		rotation uint64
		right    bool
	}{{"own rotation", seed, true}, {"another", seed + 1, false}} {
		var claimed mat.Dense
		claimed.Scale(transitionWeight, rbm.RandomRotation(experiment.HopfieldPatterns, c.rotation))
		got, err := fitCode(run, &claimed)
		if err != nil {
			t.Fatal(err)
		}
		// 36 normal deviations: one beyond 4.5 in 4000 times.
		if right := got.worst(&claimed) < 4.5 && math.Abs(got.rest-1) < 4*got.restErr; right != c.right {
			t.Errorf("%s: largest deviation %.2f standard errors, rest %.4f ± %.4f", c.name, got.worst(&claimed),
				got.rest, got.restErr)
		}
	}
}
