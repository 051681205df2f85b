package dynamics

import (
	"errors"
	"math"
	"testing"

	"instanton/theory"
)

// Glauber's rule keeps P(v) as Metropolis' does, has the same exponent, and at the saddle accepts half as often.
func TestGlauber(t *testing.T) {
	c := theory.CurieWeiss{W: 1.2}
	before := math.Inf(1)
	for _, n := range []int{64, 256, 1024} {
		chain := must[*Chain](t)(CurieWeiss(c, n, Glauber))
		near(t, "stationary law", chain.StationarityError(), 0, 1e-9)
		time := must[Relaxation](t)(chain.Relaxation()).Time
		ratio := time / math.Exp(must[float64](t)(AsymptoticLogTime(c, n, Glauber)))
		metropolis := must[Relaxation](t)(must[*Chain](t)(CurieWeiss(c, n, Metropolis)).Relaxation()).Time
		t.Logf("N = %d: exact τ over asymptotic %.4f, over Metropolis %.4f", n, ratio, time/metropolis)
		if e := math.Abs(ratio - 1); e > before/2 || e > 20/float64(n) {
			t.Errorf("N = %d: exact τ over asymptotic %g", n, ratio)
		} else {
			before = e
		}
	}
}

// Below the transition there is a relaxation time and no passage.
func TestRelaxationOfASingleState(t *testing.T) {
	for _, w := range []float64{0.5, 0.9, 1} {
		chain := must[*Chain](t)(CurieWeiss(theory.CurieWeiss{W: w}, 64, Gibbs))
		if x := must[Relaxation](t)(chain.Relaxation()).Time; !(x > 0 && x < 100) {
			t.Errorf("w = %g: relaxation time %g", w, x)
		}
		if _, err := chain.Passage(); !errors.Is(err, ErrSingleState) {
			t.Errorf("w = %g: %v", w, err)
		}
	}
}
