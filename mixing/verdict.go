package mixing

import (
	"fmt"
	"math"

	"instanton/internal/special"
)

// Verdict is the judgement in a few words.
type Verdict string

// The verdicts. Only Mixes is good news; the others say what is missing.
const (
	Mixes    Verdict = "mixes"
	Stuck    Verdict = "stuck"         // chains stay in different places
	OneMode  Verdict = "one mode seen" // no chain saw a second mode: there is none, or all are stuck in this one
	TooShort Verdict = "too short"     // chains move, but not for long enough
)

// Limits of the verdict: R-hat above which chains disagree, and above which they have hardly anything in common; the
// effective sample size, the draws per chain and the autocorrelation times per chain below which nothing is known.
const (
	maxRHat   = 1.05
	stuckRHat = 1.5
	minESS    = 100
	minDraws  = 20
	minTaus   = 50
	minVisits = 10 // to a mode: fewer, and its weight is unknown
	manyMoves = 20 // changes of mode after which one that never changed is not due to chance

	unitChance = 0.01 // that one of all units differs as much as the worst does, if chains mix
)

// extremes are the quantities that decide.
type extremes struct {
	rhat  float64 // the largest R-hat
	apart string  // and its quantity
	ess   float64 // the smallest bulk effective sample size
	small string
	tau   float64 // the largest autocorrelation time that chains are too short for
	long  string  // and whose it is; empty if there is none
	still bool    // nothing moves within any chain
}

func (d *Diagnosis) extremes() extremes {
	e := extremes{ess: math.Inf(1), still: true}
	for _, q := range d.Quantities {
		rhat, tau := float64(q.RHat), float64(q.Tau)
		if chance := q.worst && q.p*float64(d.Compared) > unitChance; rhat > e.rhat && !(chance && rhat < stuckRHat) {
			e.rhat, e.apart = rhat, q.Name
		}
		if float64(q.BulkESS) < e.ess {
			e.ess, e.small = float64(q.BulkESS), q.Name
		}
		if !q.enough && !math.IsNaN(tau) && (e.long == "" || tau > e.tau) {
			e.tau, e.long = tau, q.Name
		}
		if special.Finite(rhat) {
			e.still = false
		}
	}
	return e
}

// judge gives the verdict. Failures come first, the worst before the rest; then what cannot be known; and only then
// that the chains mix.
func (d *Diagnosis) judge(s Samples, o *Occupancy, draws *ensemble) {
	e, seen := d.extremes(), o.Seen()
	say := func(v Verdict, format string, args ...any) { d.Verdict, d.Reason = v, fmt.Sprintf(format, args...) }
	if d.Draws < minDraws {
		say(TooShort, "%s per chain: expected at least %d", count(d.Draws, "draw"), minDraws)
		return
	}
	agree := fmt.Sprintf("the largest R-hat is %.4g (%s), the smallest bulk ESS %.0f (%s)", e.rhat, e.apart, e.ess,
		e.small)
	frozen := s.frozen()
	stayers, changes := o.Stayers()
	rarest, visits := o.Rarest()
	switch {
	case e.still:
		say(Stuck, "no chain ever moved: every quantity stands still in each chain")
	case frozen > 0:
		say(Stuck, "%d of %s never moved", frozen, count(d.Chains, "chain"))
	case o.Outside > 0:
		say(Stuck, "%d of %d chains never came into any of the modes that the others were in", o.Outside, d.Chains)
	case seen > 1 && o.Transitions == 0:
		say(Stuck, "%d modes were seen, but no chain went from one to another in %d draws", seen, d.Draws)
	case o.Islands() > 1:
		say(Stuck, "the %d modes seen fall into %d groups between which no chain ever went", seen, o.Islands())
	case seen > 1 && stayers > 0 && changes >= manyMoves:
		say(Stuck, "%d of %s never left a mode, where the others changed %.0f times on average", stayers,
			count(d.Chains, "chain"), changes)
	case d.persistent != nil:
		say(Stuck, "%s", d.persistent.describe())
	case seen > 1 && e.rhat > maxRHat && (o.Transitions < d.Chains || e.rhat > stuckRHat):
		say(Stuck, "%d changes of mode in %d chains of %d draws; R-hat of %s is %.3g, expected below %.3g",
			o.Transitions, d.Chains, d.Draws, e.apart, e.rhat, maxRHat)
	case e.rhat > stuckRHat:
		say(Stuck, "chains stay in different places: R-hat of %s is %.3g, expected below %.3g", e.apart, e.rhat,
			maxRHat)
	case e.rhat > maxRHat:
		say(TooShort, "chains move, but disagree: R-hat of %s is %.3g, expected below %.3g", e.apart, e.rhat, maxRHat)
	case d.Chains == 1 && seen == 1:
		say(OneMode, "the only chain saw one mode: start others in different modes")
	case e.ess < minESS:
		say(TooShort, "the effective sample size of %s is %.3g: expected at least %d", e.small, e.ess, minESS)
	case e.long != "":
		say(TooShort, "chains of %d draws are shorter than %d autocorrelation times of %s, which are %.3g draws "+
			"each or more", d.Draws, minTaus, e.long, e.tau)
	case seen > 1 && visits < minVisits:
		say(TooShort, "mode %s was entered %s: expected at least %d to know its weight", o.Names[rarest],
			count(visits, "time"), minVisits)
	case d.disagree(s, say):
	case d.Chains == 1:
		say(TooShort, "a single chain changed %d times between %d modes: only chains started elsewhere can tell "+
			"whether there are more", o.Transitions, seen)
	case seen > 1:
		say(Mixes, "%d changes between %d modes; %s", o.Transitions, seen, agree)
	default:
		if apart, how := draws.overdispersed(s); apart {
			say(Mixes, "only one mode was found, by %d chains that %s and agree; %s", d.Chains, how, agree)
		} else {
			say(OneMode, "all %d chains agree on one mode (%s), but %s: these samples cannot tell whether "+
				"there are others, or what their weights are", d.Chains, agree, how)
		}
	}
}

// disagree gives the verdict where the ends of chains resemble their own beginnings.
func (d *Diagnosis) disagree(s Samples, say func(v Verdict, format string, args ...any)) bool {
	r := resemble(s)
	if r == nil || r.z < resembles {
		return false
	}
	verdict := TooShort
	if r.stays > resemblesStays {
		verdict = Stuck
	}
	say(verdict, "the last third of a chain resembles its own first third, by %s, more than other chains' "+
		"(%.0f standard deviations), though no quantity shows it", r.name, r.z)
	return true
}

// describe says where the chains stay.
func (p *persistence) describe() string {
	a, b := p.groups[0], p.groups[1]
	if b.chains < a.chains {
		a, b = b, a
	}
	return fmt.Sprintf("chains stay in different places: %s is about %.3g in %s and %.3g in %d others, from the first "+
		"third of the run to the last", p.name, a.at, count(a.chains, "chain"), b.at, b.chains)
}

// count writes a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// frozen is the number of chains whose configuration never changes.
func (s Samples) frozen() int {
	n := 0
	for c := range s.Chains {
		moved := false
		for d := 1; d < s.Draws && !moved; d++ {
			moved = s.V.SquaredDistance(c*s.Draws, s.V, c*s.Draws+d) > 0
		}
		if !moved {
			n++
		}
	}
	return n
}
