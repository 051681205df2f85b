package figure

import (
	"fmt"
	"math"

	"instanton/paper/experiment"
	"instanton/paper/verdict"
)

// decorrelationClaim judges whether chains have forgotten after so many steps, by the integral of C. Where C has a slow
// tail this is much longer than the time in which it falls to 1/e; if that much is true the claim holds with a
// correction.
func decorrelationClaim(m experiment.Decorrelation, c verdict.Claim, steps int) verdict.Claim {
	at := 0
	for k, lag := range m.Lag {
		if lag <= steps {
			at = k
		}
	}
	c.Criterion = fmt.Sprintf("the integrated time 1 + 2ΣC of a chain's correlation with itself within a class, "+
		"C(t) = 1 − d(t)/d(∞) by Hamming distances, is below %d steps by two standard errors; the sum "+
		"ends where C < %g; with a correction, C(%d) is below 1/e by two standard errors", steps,
		experiment.Decorrelated, m.Lag[at])
	name := "integrated time, steps"
	if !m.Whole {
		name += ", at least" // C was larger than that to the end
	}
	c.Measured = []verdict.Measured{
		{Name: name, Value: m.Tau, Error: m.TauError},
		{Name: fmt.Sprintf("C(%d)", m.Lag[at]), Value: m.Correlation[at], Error: m.Error[at]},
	}
	fallen := m.Correlation[at]+2*m.Error[at] < 1/math.E
	c.Verdict = verdict.JudgeOr(m.Whole && m.Tau+2*m.TauError < float64(steps), fallen)
	if m.Fast > 0 {
		c.Measured = append(c.Measured, verdict.Measured{Name: "steps to 1/e", Value: float64(m.Fast)})
		if fallen {
			c.Correction = fmt.Sprintf("C falls to 1/e in %d steps, and a slow part of it lasts longer.", m.Fast)
		}
	}
	return c
}
