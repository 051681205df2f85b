package paper

import (
	"math"
	"math/rand/v2"
	"testing"

	"instanton/mixing"
	"instanton/unit"
)

// refreshed are chains in which every spin is drawn anew with the given probability in every step, so that
// C(t) = (1−p)^t in either class; the first spin is the class and stays.
func refreshed(chains, draws, n int, p float64) *classRun {
	r := &classRun{v: unit.NewStates(unit.Spec{Type: unit.Spin, N: n}, chains*draws), chains: chains, draws: draws, every: 10}
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
			r.v.SetValues(c*draws+d, x)
		}
	}
	for k := range r.v.Len {
		r.p = append(r.p, []float64{(1 - r.v.Value(k, 0)) / 2, (1 + r.v.Value(k, 0)) / 2})
	}
	r.Occupancy = mixing.Occupy(r.v, chains, draws, judged{[]string{"down", "up"}, r.p, 0.5})
	return r
}

func TestMemoryOfAKnownProcess(t *testing.T) {
	const p = 0.25
	r := refreshed(30, 400, 200, p)
	if rate, _ := r.rate(); rate != 0 || r.Share[0] != 0.5 {
		t.Errorf("%g changes, shares %v: the class never changes", rate, r.Share)
	}
	m := memoryOf(r, 40)
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
	for c := 1 - p; c > forgotten; c *= 1 - p {
		want += 2 * c
	}
	if math.Abs(m.Tau-10*want) > 5*m.TauError+2 || !m.Whole || m.Fast != 40 {
		t.Errorf("time %g ± %g and %d to 1/e, want %g and 40", m.Tau, m.TauError, m.Fast, 10*want)
	}
	if c := m.claim(Claim{}, 100, true); c.Verdict != Holds {
		t.Errorf("after 100 steps: %+v", c)
	}
	if c := m.claim(Claim{}, 50, true); c.Verdict != Corrected || c.Correction == "" {
		t.Errorf("the essence after 50 steps, with an integral of 67: %+v", c)
	}
	if c := m.claim(Claim{}, 50, false); c.Verdict != Fails || c.Correction == "" {
		t.Errorf("after 50 steps, with an integral of 67: %+v", c)
	}
	if c := m.claim(Claim{}, 20, true); c.Verdict != Fails {
		t.Errorf("after 20 steps: %+v", c)
	}
}
