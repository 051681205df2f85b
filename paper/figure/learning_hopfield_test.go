package figure

import (
	"math"
	"testing"

	"instanton/paper/verdict"
)

func TestParticipations(t *testing.T) {
	x := [][]float64{{1, 3, 2}, {0, 3, 1}, {0, -3, 0}} // a row a hidden unit
	for nu, want := range []float64{1, 3, 25.0 / 17} {
		if got := participations(x)[nu]; math.Abs(got-want) > 1e-12 {
			t.Errorf("pattern %d is shared by %g units, want %g", nu, got, want)
		}
	}
}

// Learnt Hopfield models spread patterns over hidden units unless the penalty is added, and moves of two units tell
// these models apart.
func TestLearntHopfield(t *testing.T) {
	if testing.Short() {
		t.Skip("trains and samples models")
	}
	s := tiny()
	learnt, err := learningHopfieldFigure().Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	drawn(t, learnt)
	for _, name := range []string{"delocalised", "localised"} {
		if c := claimOf(t, learnt, name); c.Verdict != verdict.Holds {
			t.Errorf("%s: %s (%s)", name, c.Verdict, c.Numbers())
		}
	}
	moves, err := blockFailuresFigure().Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	drawn(t, moves)
	if c := claimOf(t, moves, "rotated"); c.Verdict != verdict.Holds {
		t.Errorf("rotated: %s (%s)", c.Verdict, c.Numbers())
	}
	// Moves of two help without the penalty, too, against what is printed.
	if c := claimOf(t, moves, "penalty"); c.Verdict != verdict.Corrected {
		t.Errorf("penalty: %s (%s)", c.Verdict, c.Numbers())
	}
	// In images of 4 × 4 pixels the way over those with one line or none is wide: 18 of 30 images are of this kind.
	c := claimOf(t, moves, "bars-to-stripes")
	if one := c.Measured[1]; c.Verdict == verdict.Holds || one.Value < 3*one.Error {
		t.Errorf("bars-to-stripes: %s (%s), want changes", c.Verdict, c.Numbers())
	}
	// Clusters of hidden units do not tell the sizes of blocks.
	clusters, err := clustersFigure().Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if c := claimOf(t, clusters, "block-size"); c.Verdict != verdict.Fails || c.Correction == "" {
		t.Errorf("block-size: %s (%s)", c.Verdict, c.Numbers())
	}
}
