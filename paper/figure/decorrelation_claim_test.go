package figure

import (
	"math"
	"math/rand/v2"
	"testing"

	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/unit"
)

// refreshed are chains in which every spin is drawn anew with the given probability in every step, so that
// C(t) = (1−p)^t in either class; the first spin is the class and stays.
func refreshed(t *testing.T, chains, draws, n int, p float64) *experiment.ClassRun {
	v := unit.NewStates(unit.Spec{Type: unit.Spin, N: n}, chains*draws)
	random := rand.New(rand.NewPCG(1, 2))
	for c := range chains {
		x := make([]float64, n)
		for d := range draws {
			for i := range x {
				if d == 0 || random.Float64() < p {
					x[i] = float64(1 - 2*random.IntN(2))
				}
			}
			x[0] = float64(2*(c%2) - 1)
			v.SetValues(c*draws+d, x)
		}
	}
	classify := func(v *unit.States) (p [][]float64, err error) {
		for k := range v.Len {
			p = append(p, []float64{(1 - v.Value(k, 0)) / 2, (1 + v.Value(k, 0)) / 2})
		}
		return p, nil
	}
	classes := experiment.Classes{Names: []string{"down", "up"}, Classify: classify, Threshold: 0.5}
	r, err := experiment.NewClassRun(v, chains, 10, classes)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestDecorrelationOfAKnownProcess(t *testing.T) {
	const p = 0.25
	r := refreshed(t, 30, 400, 200, p)
	if rate, _ := r.Rate(); rate != 0 || r.Share[0] != 0.5 {
		t.Errorf("%g changes, shares %v: the class never changes", rate, r.Share)
	}
	m := experiment.MeasureDecorrelation(r, 40)
	// Independent chains differ in half of the 199 free spins; pairs of 30 chains give an error of about 0.1.
	for class, far := range m.Far {
		if math.Abs(far-99.5) > 0.5 {
			t.Errorf("chains of class %d are %g apart, want 99.5", class, far)
		}
	}
	if want := 1 - p; math.Abs(m.Correlation[0]-want) > 0.02 {
		t.Errorf("C after a step is %g, want %g", m.Correlation[0], want)
	}
	// The integral ends where C < 0.05: Σ over 11 steps of 0.75^t is 2.87.
	want := 1.0
	for c := 1 - p; c > experiment.Decorrelated; c *= 1 - p {
		want += 2 * c
	}
	if math.Abs(m.Tau-10*want) > 5*m.TauError+2 || !m.Whole || m.Fast != 40 {
		t.Errorf("time %g ± %g and %d to 1/e, want %g and 40", m.Tau, m.TauError, m.Fast, 10*want)
	}
	if c := decorrelationClaim(m, verdict.Claim{}, 100); c.Verdict != verdict.Holds {
		t.Errorf("after 100 steps: %+v", c)
	}
	if c := decorrelationClaim(m, verdict.Claim{}, 50); c.Verdict != verdict.Corrected || c.Correction == "" {
		t.Errorf("the essence after 50 steps, with an integral of 67: %+v", c)
	}
	if c := decorrelationClaim(m, verdict.Claim{}, 20); c.Verdict != verdict.Fails {
		t.Errorf("after 20 steps: %+v", c)
	}
}
