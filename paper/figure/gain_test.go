package figure

import (
	"math"
	"testing"

	"instanton/paper/verdict"
)

// Limits against the binomial: 5 of 10 lie between 0.187 and 0.813; none of n give 1 − 0.025^(1/n).
func TestGain(t *testing.T) {
	near := func(name string, got, want float64) {
		if math.Abs(got-want) > 1e-3*want {
			t.Errorf("%s: %g, want %g", name, got, want)
		}
	}
	g := gainOf(events{5, 1000}, events{5, 2000})
	near("low", g.low, 2*0.18709/0.81291)
	near("high", g.high, 2*0.81291/0.18709)
	g = gainOf(events{0, 1000}, events{8, 1000})
	p := 1 - math.Pow(0.025, 1.0/8)
	near("none with the moves", g.high, p/(1-p))
	if g = gainOf(events{3, 1000}, events{0, 1000}); g.low <= 0 || !math.IsInf(g.high, 1) {
		t.Errorf("none without the moves: %v", g)
	}
	for want, c := range map[verdict.Verdict][2]events{
		verdict.Holds: {{100, 1000}, {100, 1000}},
		verdict.Fails: {{100, 1000}, {20, 1000}},
		verdict.Open:  {{0, 40}, {3, 4000}},
	} {
		if got := noHelpVerdict(gainOf(c[0], c[1])); got != want {
			t.Errorf("%v against %v: %s, want %s", c[0], c[1], got, want)
		}
	}
}
