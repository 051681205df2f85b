package evaluate

import (
	"fmt"
	"math"
	"slices"

	"instanton/internal/special"
)

// Limits of the verdict.
const (
	leastShare  = 0.2  // of the forward chains that carry weight
	leastChains = 10   // that carry weight
	widestGap   = 1    // between the estimates of the two sides, in nats, beyond their errors
	rounding    = 1e-5 // of energies of float32 chains, relative
)

// judge says whether the estimates can be relied on. Whatever is impossible comes first.
func (a *AIS) judge() {
	say := func(format string, args ...any) {
		a.Judgement = notKnown(format+"%s", append(args, a.where())...)
	}
	forwardTop := a.LogZ + sigmas*a.Error
	margin := rounding * (1 + math.Abs(a.LogZ))
	both := sigmas * math.Hypot(a.Error, a.ReverseError)
	missed, most := "", 0.0
	for _, s := range a.Starts {
		if excess := s.Highest - a.LogZ - a.allowed(); excess > most {
			missed, most = s.From, excess
		}
	}
	switch {
	case math.IsNaN(a.LogZ+a.Reverse) || math.IsInf(a.LogZ+a.Reverse, 0):
		say("the weights of the chains are not finite")
	case a.Floor != nil && *a.Floor > forwardTop+margin:
		say("the configurations seen sum to log Z ≥ %.4f, but annealing finds %.4f: their probability would be above "+
			"one", *a.Floor, a.LogZ)
	case missed != "":
		say("chains that start at %s find a mode that chains annealed to the model miss: up to %.4g nats above "+
			"their log Z", startNames[missed], most+a.allowed())
	case a.Reverse < a.LogZ-both-margin:
		say("chains that go back find log Z = %.4f, below the %.4f of those that go up", a.Reverse, a.LogZ)
	case a.ESS < max(leastShare*float64(a.Chains), leastChains):
		say("only %.1f of %d chains carry weight", a.ESS, a.Chains)
	case a.Reverse-a.LogZ > widestGap+both:
		say("the estimates from the two sides differ by %.3g", a.Reverse-a.LogZ)
	default:
		if a.Floor != nil { // certain
			a.Lower = max(a.Lower, min(*a.Floor, a.Upper))
		}
		a.Judgement = good("chains that go up and chains that come back from %s agree within %.2g nats, and %.0f of "+
			"%d carry weight", a.from(), a.Upper-a.Lower, a.ESS, a.Chains)
	}
}

// startNames are words for starts in a sentence.
var startNames = map[string]string{fromEnds: "their ends", fromData: "the data", fromMinima: "minima of the energy",
	fromRandom: "random configurations"}

// from lists where reverse chains started.
func (a *AIS) from() string {
	text := ""
	for k, s := range a.Starts {
		switch {
		case k > 0 && k == len(a.Starts)-1:
			text += " and "
		case k > 0:
			text += ", "
		}
		text += startNames[s.From]
	}
	return text
}

// where says near which β the chains have trouble.
func (a *AIS) where() string {
	if h := a.Hysteresis; h.Sigmas > wideHysteresis {
		return fmt.Sprintf("; at β = %.3g their energies differ by %.2g standard deviations between the two "+
			"directions, as at a first-order transition or in a glass", h.Beta, h.Sigmas)
	}
	if p := a.Transition; p != nil {
		return fmt.Sprintf("; there is a transition on the way, at β = %.3g", p.Beta)
	}
	return ""
}

// allowed is how far the highest weights of reverse chains may lie above log Z. Weights of paths that are Gaussian
// with a standard deviation s have the mean log Z + s²/2 on the way back. What all of 200 forward chains miss has a
// probability of 3/200 at most (95 %), and a mode with a weight of e^x Z on the way back a share of at most 3e^x/200.
func (a *AIS) allowed() float64 { return a.spread*a.spread/2 + 3.5*a.spread + 0.3 + sigmas*a.Error }

// highest is the estimate −log⟨e^{−w}⟩ from the fiftieth part of the reverse chains with the largest w, given −w.
func highest(minus []float64) (logZ float64, chains int) {
	chains = min(len(minus), max(2, len(minus)/50))
	sorted := slices.Clone(minus)
	slices.Sort(sorted)
	mean, _ := special.LogMeanExp(sorted[:chains])
	return -mean, chains
}

// robustSpread is the standard deviation that a Gaussian with the same quartiles has.
func robustSpread(x []float64) float64 {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	n := len(sorted)
	return (sorted[(3*n-1)/4] - sorted[n/4]) / 1.349
}
