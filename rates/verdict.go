package rates

import (
	"fmt"
	"math"
)

// Verdict says whether an estimate can be believed.
type Verdict string

const (
	Good     Verdict = "good"
	NotKnown Verdict = "not known"
)

// Fault is why rates are not known.
type Fault int

const (
	None       Fault = iota
	NotJoined        // the chains did not join the states
	Imprecise        // too few transitions were seen, or the groups of chains differ too much
	Hysteresis       // chains from the two states differ at the same q
	Unseen           // chains from elsewhere differ from those at the same q
	Committor        // q hardly tells where a chain goes next
	Fluxes           // the flux is not the same through all surfaces or both ways
	OtherState       // shots end in states that are not those asked for
	Waiting          // free chains pass more or less often than they should
)

// notKnown is an error after which there is no estimate, but a verdict.
type notKnown struct {
	fault  Fault
	reason string
}

func (n *notKnown) Error() string { return n.reason }

// Checks are what the verdict rests on. Probabilities are those of a disagreement as large by chance, times the number
// of looks that were taken.
type Checks struct {
	Crossings  float64 `json:"crossings"`         // that the flux is made from, counted as if all had the same weight
	Renewals   float64 `json:"renewals"`          // of the rates of moves that a chain sees at the same q
	Hysteresis float64 `json:"hysteresis_p"`      // chains from the two states at the same q
	Elsewhere  float64 `json:"elsewhere_p"`       // chains from random configurations
	Sides      float64 `json:"surfaces_p"`        // flux through surfaces on either side
	Directions float64 `json:"directions_p"`      // flux by steps up and by steps down
	Arrivals   float64 `json:"arrivals_p"`        // where shots end, and the states
	Spread     float64 `json:"committor_spread"`  // 0 where the committor is a function of q, 1 where q tells nothing
	Committor  float64 `json:"committor_p"`       // committors at the same q of chains from the two states
	Waiting    float64 `json:"waiting_p"`         // passages of free chains
	Passages   float64 `json:"passages"`          // seen by waiting
	Expected   float64 `json:"passages_expected"` // by the rates
}

// Limits of the verdict.
const (
	chance       = 1e-4 // probability of a disagreement that is believed to be one
	largestError = 0.25
	fewest       = 30   // crossings
	mostSpread   = 0.97 // of committors

	fewestRenewals = 5
)

// judge draws the conclusion, given the relative error and the feature in which chains of the two states differ most.
func (k *Checks) judge(relative float64, what string) (Fault, string) {
	switch {
	case k.Hysteresis < chance:
		return Hysteresis, fmt.Sprintf("chains that come from the two states differ at the same q (in %s): q does not "+
			"tell the states apart", what)
	case k.Committor < chance:
		return Hysteresis, "chains that come from the two states go on to different states from the same q: q does " +
			"not tell the states apart"
	case k.Renewals < fewestRenewals:
		return Hysteresis, fmt.Sprintf("chains do not find all that is likely at the same q, as a chain renews only "+
			"%.1f times what it sees there: more sweeps or a better coordinate is needed", k.Renewals)
	case k.Elsewhere < chance:
		return Unseen, "chains from random configurations differ at the same q from those that come from the two " +
			"states: there are other states"
	case k.Sides < chance:
		return Fluxes, "the flux is not the same through dividing surfaces near the one state and near the other"
	case k.Directions < chance:
		return Fluxes, "the flux by steps up and by steps down is not the same"
	case k.Arrivals < chance:
		return OtherState, "shots from the top end in states that differ from those of the two configurations: there " +
			"are other states"
	case k.Waiting < chance:
		return Waiting, fmt.Sprintf("free chains passed %.0f times from state to state where the rates make it %.3g",
			k.Passages, k.Expected)
	case !(relative < largestError):
		return Imprecise, fmt.Sprintf("the groups of chains disagree: a standard error of %.0f %% is too large to be "+
			"relied on", 100*relative)
	case !(k.Crossings >= fewest):
		return Imprecise, fmt.Sprintf("the flux rests on %.0f crossings only", k.Crossings)
	case k.Spread > mostSpread:
		return Committor, "from the same q chains are already bound for different states: q does not measure how far " +
			"a transition has come"
	}
	return None, "chains from both states agree at each q, and so do the fluxes"
}

// newChecks compares everything that can be.
func newChecks(groups []*group, w *umbrella, surface int, over *surfaces, r *Kinetics, leave bool) (*Checks, string,
	error) {
	k := &Checks{}
	pool, main, witness := []*record{}, chainsOf{}, chainsOf{take: func(int) bool { return true }}
	for _, u := range groups {
		main.records = append(main.records, u.record)
		witness.records = append(witness.records, u.check.witness.record)
	}
	pool = append(append(pool, main.records...), witness.records...)
	half, f := len(groups[0].q)/2, groups[0].record.f
	features, windows := f.count(), groups[0].record.windows
	if leave { // beyond the top there may be many states, of which the second is one
		features, windows = moves, groups[0].record.window[surface]+1
	}
	first, second := main, main
	first.take, second.take = func(c int) bool { return c < half }, func(c int) bool { return c >= half }
	d := compare(pool, first, second, features, windows)
	k.Hysteresis = min(1, d.p*float64(d.tests))
	what := f.name(d.feature)

	main.take = witness.take
	k.Renewals = min(renewals(main, windows), 1e6)
	d = compare(pool, main, witness, moves, windows)
	k.Elsewhere = min(1, d.p*float64(d.tests))

	var err error
	if k.Sides, k.Directions, err = agree(groups, w, surface, over); err != nil {
		return nil, "", err
	}
	k.arrivals(groups, leave)
	k.committors(groups)
	k.waiting(groups, r, leave)
	k.Crossings = newTally(groups, -1).crossings(groups[0].c, w, surface)
	return k, what, nil
}

// arrivals compares shots that end in a state with chains that began there, a group being one observation.
func (k *Checks) arrivals(groups []*group, leave bool) {
	k.Arrivals = 1
	tests := 0.0
	for side := range 2 {
		if leave && side == 1 {
			continue
		}
		n := len(groups[0].check.settled[side])
		visible := groups[0].record.f.visible.n
		for j := range n {
			if j >= moves && j != n-1 && (j < units || j >= units+visible) {
				continue // energies and hidden units also depend on what q does not
			}
			var x, y moments
			for _, u := range groups {
				s, a := u.check.settled[side], u.check.arrived[side]
				if a == nil {
					continue
				}
				x.add(s[j], 1, math.Abs(s[j]))
				y.add(a[j], 1, math.Abs(a[j]))
			}
			if p, ok := distinct(&x, &y); ok {
				tests++
				k.Arrivals = min(k.Arrivals, p)
			}
		}
	}
	k.Arrivals = min(1, tests*k.Arrivals)
}

// committors measures how much they differ at the same q, and between chains from the two states.
func (k *Checks) committors(groups []*group) {
	bins := groups[0].c.bins
	count, sum, pairs := make([]float64, bins), make([]float64, bins), make([]float64, bins)
	for _, u := range groups {
		for j, s := range u.check.tops.second {
			b := u.check.tops.bin[j]
			count[b]++
			sum[b] += s / volley
			pairs[b] += s * (s - 1) / (volley * (volley - 1)) // unbiased for the square
		}
	}
	var spread, most float64
	for b, n := range count {
		if n < 2 {
			continue
		}
		mean := sum[b] / n
		// The square of the mean less what its own noise adds.
		square := (sum[b]*sum[b] - squares(groups, b)) / (n * (n - 1))
		spread += n * (pairs[b]/n - square)
		most += n * (mean - square)
	}
	k.Spread = 0
	if most > 0 {
		k.Spread = min(1, max(0, spread/most))
	}
	var x, y moments
	half := len(groups[0].q) / 2
	for _, u := range groups {
		rest, number := make([]float64, 2*half), make([]float64, 2*half)
		for j, s := range u.check.tops.second {
			if b, c := u.check.tops.bin[j], u.check.tops.chain[j]; count[b] > 1 {
				rest[c%len(rest)] += s/volley - sum[b]/count[b]
				number[c%len(rest)]++
			}
		}
		for c, n := range number {
			switch {
			case n == 0:
			case c < half:
				x.add(rest[c], n, n)
			default:
				y.add(rest[c], n, n)
			}
		}
	}
	k.Committor, _ = distinct(&x, &y)
}

func squares(groups []*group, bin int) (sum float64) {
	for _, u := range groups {
		for j, s := range u.check.tops.second {
			if u.check.tops.bin[j] == bin {
				sum += s * s / (volley * volley)
			}
		}
	}
	return sum
}

// waiting compares free chains with the rates. States that are left as fast as they are explored have no rate to a few
// per cent.
func (k *Checks) waiting(groups []*group, r *Kinetics, leave bool) {
	const few = 0.1
	k.Waiting = 1
	var all passages
	for _, u := range groups {
		for side := range 2 {
			all.steps[side] += u.check.passage.steps[side]
			all.count[side] += u.check.passage.count[side]
		}
	}
	for side, rate := range []float64{r.Forward, r.Backward} {
		if leave && side == 1 {
			continue
		}
		expected := rate * all.steps[side]
		k.Passages, k.Expected = k.Passages+all.count[side], k.Expected+expected
		k.Waiting = min(k.Waiting, 2*unlikely(all.count[side], expected, math.Hypot(few, 2*r.Error)))
	}
	k.Waiting = min(1, k.Waiting)
}

// crossings is the number of crossings of equal weight that the flux is worth.
func (t *tally) crossings(c *coordinate, w *umbrella, surface int) float64 {
	logP, lo, err := t.profile(c, w)
	if err != nil {
		return 0
	}
	often := t.often(logP, lo, surface)
	var sum, square float64
	for _, s := range t.crossed {
		if n := often(s.x) + often(s.y); n > 0 && s.gain != 0 {
			sum, square = sum+s.gain/n, square+s.gain*s.gain/(n*n)
		}
	}
	if square == 0 {
		return 0
	}
	return sum * sum / square
}
