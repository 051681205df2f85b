package rates

import (
	"math"
	"slices"

	"instanton/internal/vec"
)

// Result is the time scale of transitions between two states A (q ≤ QA) and B (q ≥ QB).
type Result struct {
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason"`
	Fault   Fault   `json:"-"`
	// Time is τ in steps of AGS, nil if it is not known or exceeds float64.
	Time *float64 `json:"relaxation_time"`
	// Kinetics are nil where they are not known. What was found all the same is in Doubtful, nil if nothing was.
	*Kinetics
	Doubtful *Kinetics `json:"estimate,omitempty"`
	Checks   *Checks   `json:"checks,omitempty"`
}

// Kinetics are rates in steps of AGS, and the profile that they come from.
type Kinetics struct {
	// LogTime is the logarithm of the relaxation time τ.
	LogTime float64 `json:"log_relaxation_time"`
	// Error is the relative standard error of τ.
	Error    float64 `json:"error"`
	Forward  float64 `json:"rate_forward"`
	Backward float64 `json:"rate_backward"`
	// Barrier is the rise of −log P(q), in nats, from its minimum in the first state to the top; P(q) is the
	// probability of a bin.
	Barrier float64 `json:"barrier"`

	QA      float64 `json:"q_from"`
	QB      float64 `json:"q_to"`
	Surface float64 `json:"q_surface"`

	// Q holds the lower ends of the bins of q, and Profile −log P of each.
	Q       []float64 `json:"q"`
	Profile []float64 `json:"profile"`
}

// tally is what the estimate is computed from.
type tally struct {
	*flows
	tried   []float64
	crossed []crossing
}

// newTally pools all groups except one.
func newTally(groups []*group, without int) *tally {
	bins := groups[0].c.bins
	t := &tally{flows: newFlows(bins), tried: make([]float64, bins)}
	for g, u := range groups {
		if g == without {
			continue
		}
		t.flows.add(u.seen)
		vec.Add(t.tried, u.pairs.tried)
		t.crossed = append(t.crossed, u.pairs.crossed...)
	}
	return t
}

// newResult judges an estimate.
func newResult(k *Kinetics, checks *Checks, what string) *Result {
	r := &Result{Verdict: NotKnown, Checks: checks}
	if r.Fault, r.Reason = checks.judge(k.Error, what); r.Fault != None {
		r.Doubtful = k
		return r
	}
	r.Verdict, r.Kinetics = Good, k
	if time := math.Exp(k.LogTime); !math.IsInf(time, 0) {
		r.Time = &time
	}
	return r
}

// newKinetics pools the groups; the error comes from leaving out each in turn (jackknife).
func newKinetics(groups []*group, w *umbrella, surface int, qa, qb float64) (*Kinetics, error) {
	c := groups[0].c
	t := newTally(groups, -1)
	logP, lo, err := t.profile(c, w)
	if err != nil {
		return nil, err
	}
	forward, backward, err := t.rates(c, w, surface)
	if err != nil {
		return nil, err
	}
	r := &Kinetics{Forward: math.Exp(forward), Backward: math.Exp(backward), QA: qa, QB: qb, Surface: c.edge(surface)}
	r.LogTime = -logSum([]float64{forward, backward})
	for k, p := range logP {
		r.Q, r.Profile = append(r.Q, c.edge(lo+k)), append(r.Profile, -p)
	}
	r.Barrier = r.Profile[surface-lo] - slices.Min(r.Profile[:surface-lo])

	var sum, square float64
	for g := range groups {
		forward, backward, err := newTally(groups, g).rates(c, w, surface)
		if err != nil {
			return nil, err
		}
		d := -logSum([]float64{forward, backward}) - r.LogTime
		sum, square = sum+d, square+d*d
	}
	n := float64(len(groups))
	r.Error = math.Sqrt((n - 1) / n * (square - sum*sum/n))
	return r, nil
}

// rates returns the logarithms of J/P_A and J/P_B.
//
// A pair of configurations in bins x and y is seen by steps from x on average n_x/P_x times its flux P(x)T(x,y) =
// P(y)T(y,x), and by steps from y n_y/P_y times, where n is the number of steps from a bin. So each pair seen stands
// for a flux of 1/(n_x/P_x + n_y/P_y). This keeps a rare step that happened to be taken from where P is large from
// dominating the sum.
func (t *tally) rates(c *coordinate, w *umbrella, surface int) (forward, backward float64, err error) {
	logP, lo, err := t.profile(c, w)
	if err != nil {
		return 0, 0, err
	}
	often := t.often(logP, lo, surface)
	var flux float64
	for _, s := range t.crossed {
		if n := often(s.x) + often(s.y); n > 0 {
			flux += s.gain / n
		}
	}
	if !(flux > 0) {
		return 0, 0, errNoFlux
	}
	logJ := logP[surface-lo] + math.Log(flux)
	return logJ - logSum(logP[:surface-lo]), logJ - logSum(logP[surface-lo:]), nil
}

// often is n/P of a bin, in units of P at the top.
func (t *tally) often(logP []float64, lo, surface int) func(b int) float64 {
	top := logP[surface-lo]
	return func(b int) float64 {
		if b < lo || b >= lo+len(logP) {
			return 0
		}
		return t.tried[b] / math.Exp(logP[b-lo]-top)
	}
}
