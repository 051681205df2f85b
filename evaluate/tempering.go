package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"instanton/sampler"
	"instanton/tempering"
	"instanton/unit"
)

// TemperingOptions are the settings of estimates from replica exchange. The zero value works.
type TemperingOptions struct {
	Chains  int // from each side; 0: 64
	Sweeps  int // of each chain; 0: 800, of which the first half does not count
	Seed    uint64
	Data    *unit.States // configurations that the model should know, if there are any: half of the cold replicas
	Workers int
	// Progress hears how many of the sweeps of both sides are done.
	Progress func(done, total int)
}

// Tempering are estimates from chains on a ladder whose bottom has a known log Z: the draws on all rungs together give
// log Z of the model, and the weights of classes, by MBAR. Half of the chains start hot, with all replicas at random;
// the others cold, with all replicas at minima of the energy and at data. What the two do not agree on is not known.
type Tempering struct {
	Judgement
	LogZ      float64 `json:"log_z"`
	Error     float64 `json:"log_z_error"`
	Hot       float64 `json:"log_z_hot"`
	HotError  float64 `json:"log_z_hot_error"`
	Cold      float64 `json:"log_z_cold"`
	ColdError float64 `json:"log_z_cold_error"`
	// Floor is log Σ e^{−E_eff} over the distinct configurations seen, data included; nil for real visible units.
	Floor   *float64          `json:"log_z_floor"`
	Classes []ClassWeight     `json:"classes,omitempty"` // where the ladder knows classes
	Sampler string            `json:"sampler"`
	Chains  int               `json:"chains"` // from each side
	Sweeps  int               `json:"sweeps"`
	Ladder  *tempering.Report `json:"ladder"` // of both sides
	Pilot   tempering.Pilot   `json:"pilot"`
}

// Limits of the verdict.
const (
	leastTrips    = 20   // round trips of the chains of each side
	leastExchange = 0.02 // of any pair of rungs
)

// chainDraws is the number of draws of each chain.
const chainDraws = 20

// side is what chains from one side have seen.
type side struct {
	chains *sampler.Chains
	draws  []*unit.States // on each rung: those of one chain after the other
	each   int            // draws of a chain
}

// NewTempering estimates log Z of a model with a ladder of replicas that leads to it.
func NewTempering(ctx context.Context, k *tempering.Kernel, o TemperingOptions) (*Tempering, error) {
	bottom, known := k.BottomLogZ()
	if !known || k.Beta() != 1 {
		return nil, fmt.Errorf("the %s ladder, up to β = %g: log Z is known only from ladders that begin at "+
			"independent sites or a mixture, and end at β = 1", k.Name(), k.Beta())
	}
	if o.Chains == 0 {
		o.Chains = 64
	}
	if o.Sweeps == 0 {
		o.Sweeps = 800
	}
	if o.Chains < 2*groups || o.Sweeps < 3*chainDraws {
		return nil, fmt.Errorf("%d chains of %d sweeps: expected at least %d and %d", o.Chains, o.Sweeps, 2*groups,
			3*chainDraws)
	}
	hot, err := climb(ctx, k, o, nil, 0)
	if err != nil {
		return nil, err
	}
	low, err := minima(ctx, k.Model(), hot.chains, AISOptions{Chains: 8 * o.Chains, Seed: o.Seed, Data: o.Data,
		Workers: o.Workers})
	if err != nil {
		return nil, err
	}
	cold, err := climb(ctx, k, o, low, 1)
	if err != nil {
		return nil, err
	}
	t := &Tempering{Sampler: k.Name(), Chains: o.Chains, Sweeps: o.Sweeps, Pilot: k.Pilot()}
	return t, t.estimate(k, o, bottom, hot, cold)
}

// climb runs the chains of one side: from noise, or from the given configurations and the data.
func climb(ctx context.Context, k *tempering.Kernel, o TemperingOptions, low *unit.States, number int) (*side, error) {
	m := k.Model()
	c := sampler.NewChains(m, o.Chains, o.Seed)
	if number > 0 {
		c.First = reverseFirst
	}
	if err := k.Begin(c); err != nil {
		return nil, err
	}
	for r, v := range append([]*unit.States{c.V}, c.Replicas...) {
		if low == nil {
			v.CopyFrom(sampler.NewChains(m, o.Chains, o.Seed+uint64(r)).V)
			continue
		}
		for j := range v.Len {
			if o.Data != nil && j%2 == 0 {
				v.CopyRow(j, o.Data, (r+j/2*o.Data.Len/((v.Len+1)/2))%o.Data.Len)
			} else {
				v.CopyRow(j, low, (r+j)%low.Len)
			}
		}
	}
	pool := sampler.NewPool(k, o.Workers)
	run := func(sweeps int) error {
		err := pool.Run(ctx, c, sweeps)
		if o.Progress != nil {
			o.Progress(number*o.Sweeps+int(c.Sweep), 2*o.Sweeps)
		}
		return err
	}
	if err := run(o.Sweeps / 2); err != nil {
		return nil, err
	}
	clear(c.Tally)
	s := &side{chains: c, each: chainDraws}
	for range k.Rungs() {
		s.draws = append(s.draws, unit.NewStates(c.V.Spec, o.Chains*s.each))
	}
	rest := o.Sweeps - o.Sweeps/2
	for d := range s.each {
		if err := run((d+1)*rest/s.each - d*rest/s.each); err != nil {
			return nil, err
		}
		for r, v := range append(append([]*unit.States{}, c.Replicas...), c.V) {
			for j := range v.Len {
				s.draws[r].CopyRow(j*s.each+d, v, j)
			}
		}
	}
	return s, nil
}

// draw is what MBAR needs of a draw.
type draw struct {
	rung, chain int
	u           []float64 // reduced energy on every rung
	class       int
}

// collect computes the reduced energies of all draws of a side; its chains are numbered from first on.
func collect(k *tempering.Kernel, s *side, first, workers int) []draw {
	rungs := k.Rungs()
	var all []draw
	for r, v := range s.draws {
		from := len(all)
		class := make([]int, v.Len)
		if q := k.Classes(); q != nil {
			q.Classify(class, v)
		}
		for n := range v.Len {
			all = append(all, draw{rung: r, chain: first + n/s.each, u: make([]float64, rungs), class: class[n]})
		}
		for l := range rungs {
			for n, x := range k.Reduced(l, v, workers) {
				all[from+n].u[l] = x
			}
		}
	}
	return all
}

// solve is log Z of the last rung less that of the first, and its share of each class, from draws that are kept.
func solve(all []draw, rungs, classes int, keep func(d *draw) bool) (float64, []float64, error) {
	u, counts := make([][]float64, rungs), make([]int, rungs)
	var class []int
	for r := range rungs {
		for n := range all {
			if d := &all[n]; d.rung == r && keep(d) {
				counts[r]++
				class = append(class, d.class)
				for l := range u {
					u[l] = append(u[l], d.u[l])
				}
			}
		}
	}
	f, err := MBAR(u, counts)
	if err != nil {
		return 0, nil, err
	}
	logs := make([]float64, len(class))
	denominators(logs, f, u, counts)
	shares := make([]float64, classes)
	for n, c := range class {
		shares[c] += math.Exp(-u[rungs-1][n] - f[rungs-1] - logs[n])
	}
	return f[rungs-1], shares, nil
}

// estimate does the sums.
func (t *Tempering) estimate(k *tempering.Kernel, o TemperingOptions, bottom float64, hot, cold *side) error {
	rungs, classes := k.Rungs(), 1
	if q := k.Classes(); q != nil {
		classes = q.Classes()
	}
	all := append(collect(k, hot, 0, o.Workers), collect(k, cold, o.Chains, o.Workers)...)
	estimate := func(from, to int) (logZ, standardError float64, shares, errs []float64, err error) {
		inside := func(d *draw) bool { return d.chain >= from && d.chain < to }
		if logZ, shares, err = solve(all, rungs, classes, inside); err != nil {
			return 0, 0, nil, nil, err
		}
		var values []float64
		parts := make([][]float64, classes)
		for g := range groups {
			z, part, err := solve(all, rungs, classes, func(d *draw) bool { return inside(d) && d.chain%groups == g })
			if err != nil {
				return 0, 0, nil, nil, err
			}
			values = append(values, z)
			for c, x := range part {
				parts[c] = append(parts[c], x)
			}
		}
		for c := range parts {
			errs = append(errs, stat.StdDev(parts[c], nil)/math.Sqrt(groups))
		}
		return bottom + logZ, stat.StdDev(values, nil) / math.Sqrt(groups), shares, errs, nil
	}
	var err error
	var shares, errs []float64
	if t.LogZ, t.Error, shares, errs, err = estimate(0, 2*o.Chains); err != nil {
		return err
	}
	var hotShares, coldShares []float64
	if t.Hot, t.HotError, hotShares, _, err = estimate(0, o.Chains); err != nil {
		return err
	}
	if t.Cold, t.ColdError, coldShares, _, err = estimate(o.Chains, 2*o.Chains); err != nil {
		return err
	}
	t.Error = max(t.Error, math.Abs(t.Hot-t.Cold)/2)
	for c := 0; classes > 1 && c < classes; c++ {
		e := max(errs[c], math.Abs(hotShares[c]-coldShares[c])/2)
		t.Classes = append(t.Classes, ClassWeight{Name: fmt.Sprint(c), Share: shares[c], Error: e,
			LogZ: t.LogZ + math.Log(shares[c]), LogZErr: math.Hypot(t.Error, e/shares[c])})
	}
	seen := newDistinct(k.Model())
	for _, v := range []*unit.States{hot.draws[rungs-1], cold.draws[rungs-1], o.Data} {
		if v != nil {
			if err := seen.add(v); err != nil {
				return err
			}
		}
	}
	t.Floor = seen.logSum()
	return t.judge(k, hot, cold)
}

// judge says whether the estimate can be relied on.
func (t *Tempering) judge(k *tempering.Kernel, hot, cold *side) error {
	both := *hot.chains
	both.V = unit.NewStates(hot.chains.V.Spec, hot.chains.V.Len+cold.chains.V.Len)
	both.Tally = append(append([]uint64{}, hot.chains.Tally...), cold.chains.Tally...)
	var err error
	if t.Ladder, err = k.Report(&both); err != nil {
		return err
	}
	least := 1.0
	for _, x := range t.Ladder.Exchange {
		least = min(least, x)
	}
	trips := t.Ladder.RoundTrips
	for _, s := range []*side{hot, cold} {
		r, err := k.Report(s.chains)
		if err != nil {
			return err
		}
		trips = min(trips, r.RoundTrips)
	}
	gap, limit := math.Abs(t.Hot-t.Cold), min(widestGap, max(scanNats, scanSigmas*math.Hypot(t.HotError, t.ColdError)))
	margin := rounding * (1 + math.Abs(t.LogZ))
	switch {
	case t.Floor != nil && *t.Floor > t.LogZ+sigmas*t.Error+margin:
		t.Judgement = notKnown("the configurations seen sum to log Z ≥ %.4f, but the ladder finds %.4f", *t.Floor,
			t.LogZ)
	case least < leastExchange:
		t.Judgement = notKnown("two neighbours on the ladder exchange only %.2g of their configurations: expected at "+
			"least %g; more rungs may help", least, leastExchange)
	case trips < leastTrips:
		t.Judgement = notKnown("the replicas of %d chains made %d round trips from one side: expected at least %d; "+
			"more sweeps may help", t.Chains, trips, leastTrips)
	case gap > limit:
		t.Judgement = notKnown("chains from noise and chains from minima and data differ by %.3g nats in log Z", gap)
	default:
		t.Judgement = good("chains from noise and chains from minima and data agree within %.2g nats, after %d round "+
			"trips on a ladder of %d rungs", gap, t.Ladder.RoundTrips, t.Ladder.Rungs)
	}
	return nil
}

// SetTempering takes over an estimate, unless log Z is known exactly.
func (s *Score) SetTempering(t *Tempering) error {
	if t == nil {
		return errors.New("no estimate: expected one")
	}
	s.Tempering = t
	if s.LogZ != nil {
		return nil
	}
	if s.Judgement = t.Judgement; t.Verdict != Good {
		return nil
	}
	lower, upper := t.LogZ-sigmas*t.Error, t.LogZ+sigmas*t.Error
	s.Method, s.LogZ, s.LogZLower, s.LogZUpper = ByTempering, &t.LogZ, &lower, &upper
	s.setLikelihood()
	return nil
}

// ByTempering is the method of estimates from replica exchange.
const ByTempering Method = "tempering"
