package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"

	"instanton/paper/verdict"
)

// noHelp is the gain in changes per step from which moves are a help.
const noHelp = 2.0

// events are changes seen in so many steps.
type events struct{ changes, steps float64 }

// gain is how much more often things change with some moves than without, between limits at 97.5 % each.
type gain struct{ low, high float64 }

// gainOf is the ratio of two rates of rare, independent changes. Given their sum, the changes with the moves are
// binomial, which gives the limits of Clopper and Pearson; high is infinite if there are none without.
func gainOf(with, without events) gain {
	const tail = 0.025
	n, k := with.changes+without.changes, with.changes
	odds := func(p float64) float64 { return p / (1 - p) * without.steps / with.steps }
	g := gain{0, math.Inf(1)}
	if k > 0 {
		g.low = odds(mathext.InvRegIncBeta(k, n-k+1, tail))
	}
	if k < n {
		g.high = odds(mathext.InvRegIncBeta(k+1, n-k, 1-tail))
	}
	return g
}

// noHelpVerdict judges that moves are no help: the gains exclude a factor of two, or one of them proves it, or the
// question is open.
func noHelpVerdict(gains ...gain) verdict.Verdict {
	v := verdict.Holds
	for _, g := range gains {
		switch {
		case g.low > noHelp:
			return verdict.Fails
		case !(g.high < noHelp):
			v = verdict.Open
		}
	}
	return v
}

// noHelpNeeds says how many steps it would take to exclude a gain of two if there is none: both rates to so many
// changes that the factor exp(1.96·√(2/n)) is below two.
func noHelpNeeds(without events) string {
	const enough = 16
	if without.changes == 0 {
		return fmt.Sprintf("no change was seen in %s steps without the moves: chains that are longer until %d are "+
			"seen, with and without.", verdict.Number(without.steps, 2), enough)
	}
	return fmt.Sprintf("about %d changes each with and without the moves, to exclude a gain of %g: %s steps of each "+
		"at the rate that was seen without.", enough, noHelp,
		verdict.Number(enough*without.steps/without.changes, 2))
}

// measured are the limits of a gain, those that are finite.
func (g gain) measured(name string) (all []verdict.Measured) {
	all = append(all, verdict.Measured{Name: name + ", at least", Value: g.low})
	if !math.IsInf(g.high, 1) {
		all = append(all, verdict.Measured{Name: "at most", Value: g.high})
	}
	return all
}
