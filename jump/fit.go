package jump

import (
	"context"
	"fmt"
	"math"
	"time"

	"instanton/batch"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Options are the settings of Fit. The zero value stands for the defaults.
type Options struct {
	Kind       string // "products", "network", or "" for the cheaper of those that work
	Side       string // "visible", "hidden", or "" for the choice of Side
	Chains     int    // default 1000
	Burn       int    // Gibbs sweeps before the first fit; default 200
	Rows       int    // configurations of each fit; default 750 per unit, 20,000 to 150,000
	Rounds     int    // at most; default 3
	Around     int    // Gibbs steps on either side of a jump; default 1 in the visible layer, 0 in the hidden one
	Components int    // of a mixture of products; 0 finds the number
	Network    NetworkOptions
	Seed       uint64
	Workers    int
	// Report, if non-nil, is called after every round.
	Report func(Round)
}

// Kinds lists the kinds of proposals.
var Kinds = []string{"products", "network"}

// Round is what one round of a fit gave.
type Round struct {
	Proposal   string     `json:"proposal"`
	Rows       int        `json:"rows"`
	Acceptance float64    `json:"acceptance"`
	Idle       float64    `json:"idle"` // fraction of chains without an accepted jump
	Divergence Divergence `json:"divergence"`
	Seconds    float64    `json:"seconds"` // since the beginning of the fit
}

// Fitted is a proposal that fits a model, with the kernel that uses it.
type Fitted struct {
	Kernel  *Kernel
	Chains  *sampler.Chains // where the chains of the fit ended
	Rounds  []Round
	Best    int // the round whose proposal was kept
	Seconds float64

	options Options
	data    *fitData // of the latest fit
	refits  int      // of the network
}

// Acceptance is the fraction of jumps that were accepted in the round whose proposal was kept.
func (f *Fitted) Acceptance() float64 { return f.Rounds[f.Best].Acceptance }

func (o Options) resolve(m *rbm.RBM, beta float64) (Options, batch.Side, error) {
	side := Side(m, beta)
	switch o.Side {
	case "":
	case "visible":
		side = batch.Visible
	case "hidden":
		side = batch.Hidden
	default:
		return o, side, fmt.Errorf("jumps in the layer %q: expected visible or hidden", o.Side)
	}
	if o.Kind != "" && o.Kind != Kinds[0] && o.Kind != Kinds[1] {
		return o, side, fmt.Errorf("proposal %q: expected %s or %s", o.Kind, Kinds[0], Kinds[1])
	}
	set := func(x *int, value int) {
		if *x == 0 {
			*x = value
		}
	}
	spec := turned(m, side).Visible.Spec()
	set(&o.Chains, 1000)
	set(&o.Burn, 200)
	set(&o.Rows, min(max(750*spec.N, 20000), 150000))
	set(&o.Rounds, 3)
	set(&o.Around, 1-int(side))
	if o.Chains < 2 || o.Burn < 0 || o.Rows < o.Chains || o.Rounds < 1 || o.Around < 0 {
		return o, side, fmt.Errorf("%d chains, %d Gibbs sweeps, %d configurations, %d rounds, %d steps around a jump: "+
			"expected at least 2 chains, a configuration from each, and no negative numbers", o.Chains, o.Burn, o.Rows,
			o.Rounds, o.Around)
	}
	o.Network.Seed, o.Network.Workers = o.Seed, o.Workers
	return o, side, nil
}

// Fit fits a proposal to a model. Chains start from the given visible configurations, which should come from every
// mode that is known; what they visit by Gibbs sampling is fitted. In the following rounds the chains jump, exactly,
// so that their configurations have the right weights of the modes, and these are fitted again, until neither
// the acceptance nor the divergences improve. A mixture of products is tried first; a network takes its place where
// that is accepted too rarely. The proposal is frozen in the end.
func Fit(ctx context.Context, m *rbm.RBM, beta float64, starts *unit.States, o Options) (*Fitted, error) {
	o, side, err := o.resolve(m, beta)
	if err != nil {
		return nil, err
	}
	g, err := sampler.NewGibbs(m, beta)
	if err != nil {
		return nil, err
	}
	c := sampler.NewChains(m, o.Chains, o.Seed)
	if err := c.Begin(thin(starts, o.Chains)); err != nil {
		return nil, err
	}
	f := &fitter{Fitted: &Fitted{Chains: c, options: o}, model: m, beta: beta, side: side, began: time.Now()}
	if err := sampler.NewPool(g, o.Workers).Run(ctx, c, o.Burn); err != nil {
		return nil, err
	}
	if err := f.gather(ctx, nil); err != nil {
		return nil, err
	}
	for _, kind := range Kinds {
		if o.Kind != "" && o.Kind != kind {
			continue
		}
		if err := f.begin(ctx, kind); err != nil {
			return nil, err
		}
		if f.good() {
			break
		}
	}
	err = f.improve(ctx)
	f.Seconds = time.Since(f.began).Seconds()
	return f.Fitted, err
}

// fitter is a fit in progress.
type fitter struct {
	*Fitted
	model *rbm.RBM
	beta  float64
	side  batch.Side
	began time.Time
}

const (
	every      = 10   // Gibbs sweeps between configurations that are fitted
	parts      = 5    // in which they are collected
	partJumps  = 20   // before each part
	pilotEvery = 15   // sweeps between configurations of the pilot run, which measures
	pilotDraws = 4    // the number of these configurations
	enough     = 0.15 // acceptance of a mixture of products with which no network is tried
)

// good reports whether the latest proposal needs no better kind.
func (f *fitter) good() bool {
	r := f.Rounds[len(f.Rounds)-1]
	return r.Acceptance >= enough && r.Idle < 0.01
}

// gather collects the configurations of a fit by Gibbs sampling, in parts; before each of them the chains jump, if
// there is a proposal, so that the modes have their right weights. Gibbs sweeps cost far less than jumps.
func (f *fitter) gather(ctx context.Context, jumps *Kernel) error {
	g, err := sampler.NewGibbs(f.model, f.beta)
	if err != nil {
		return err
	}
	draws := (f.options.Rows + f.Chains.V.Len*parts - 1) / (f.Chains.V.Len * parts)
	f.data = &fitData{group: draws, chains: f.Chains.V.Len}
	x, v := unit.NewStates(turned(f.model, f.side).Visible.Spec(), parts*draws*f.Chains.V.Len), (*unit.States)(nil)
	if f.side == batch.Hidden {
		v = unit.NewStates(f.model.Visible.Spec(), x.Len)
		if f.data.engine, err = batch.New(f.model, 1); err != nil {
			return err
		}
	}
	for part := range parts {
		if jumps != nil {
			if err := sampler.NewPool(jumps, f.options.Workers).Run(ctx, f.Chains, partJumps); err != nil {
				return err
			}
		}
		someX, someV, err := f.collect(ctx, g, every, draws)
		if err != nil {
			return err
		}
		for k := range someX.Len {
			x.CopyRow(part*someX.Len+k, someX, k)
			if v != nil {
				v.CopyRow(part*someX.Len+k, someV, k)
			}
		}
	}
	f.data.x, f.data.v = x, v
	return nil
}

// collect runs the chains and keeps configurations of the layer, and the visible ones, those of a chain one after the
// other.
func (f *fitter) collect(ctx context.Context, k sampler.Kernel, every, draws int) (x, v *unit.States, err error) {
	plan := sampler.Plan{Burn: int(f.Chains.Sweep), Every: every, Draws: draws}
	r := sampler.NewRecord(k, f.Chains, plan, f.side == batch.Hidden)
	if err := sampler.NewPool(k, f.options.Workers).Record(ctx, f.Chains, r, nil); err != nil {
		return nil, nil, err
	}
	if f.side == batch.Hidden {
		return r.H, r.V, nil
	}
	return r.V, r.V, nil
}

// begin fits a proposal of a kind to the rows.
func (f *fitter) begin(ctx context.Context, kind string) error {
	var q Proposal
	var err error
	if kind == "products" {
		q, err = f.products()
	} else {
		var n *Network
		n, err = newNetworkFor(f.data.x, f.options.Network)
		if err == nil {
			err = n.fit(ctx, f.data, f.options.Network.defaults(n.spec))
		}
		q = n
	}
	if err != nil {
		return err
	}
	return f.try(ctx, q)
}

func (f *fitter) products() (*Products, error) {
	return FitProducts(f.data.x, turned(f.model, f.side).Visible,
		ProductsOptions{Components: f.options.Components, Seed: f.options.Seed, Workers: f.options.Workers})
}

// try measures a proposal on the chains, which it moves, and keeps it if it is the best.
func (f *fitter) try(ctx context.Context, q Proposal) error {
	k, err := New(f.model, f.beta, f.side, q, f.options.Around)
	if err != nil {
		return err
	}
	c := f.Chains
	clear(c.Proposed)
	clear(c.Accepted)
	fresh, _, err := f.collect(ctx, k, pilotEvery, pilotDraws)
	if err != nil {
		return err
	}
	r := Round{Proposal: q.Name(), Rows: f.data.x.Len, Acceptance: c.Acceptance()}
	for _, n := range c.Accepted {
		if n == 0 {
			r.Idle += 1 / float64(len(c.Accepted))
		}
	}
	r.Divergence = divergence(k.weigh(fresh, f.options.Seed))
	r.Seconds = time.Since(f.began).Seconds()
	f.Rounds = append(f.Rounds, r)
	if f.Kernel == nil || merit(r, k) > merit(f.Rounds[f.Best], f.Kernel) {
		f.Kernel, f.Best = k, len(f.Rounds)-1
	}
	if f.options.Report != nil {
		f.options.Report(r)
	}
	return nil
}

// merit compares proposals: accepted jumps per multiplication, less for chains that have none.
func merit(r Round, k *Kernel) float64 { return r.Acceptance * (1 - r.Idle) / k.Cost() }

// divergenceRows is the number of configurations, and of draws, with which the divergences are estimated. The
// configurations are others than those fitted.
const divergenceRows = 2000

// weigh returns the logarithms of the weights of configurations of the chains, and of draws from the proposal.
func (k *Kernel) weigh(rows *unit.States, seed uint64) (chains, draws []float64) {
	rows = thin(rows, divergenceRows)
	x, logq := unit.NewStates(rows.Spec, divergenceRows), make([]float64, divergenceRows)
	d, w := k.proposal.Drawer(), k.target.Worker()
	d.Draw(x, 0, logq, batch.Stream{Seed: seed, Chain: 1 << 31})
	return k.logWeights(d, w, rows), k.logWeights(d, w, x)
}

// logWeights is log(p/q) of configurations, up to log Z.
func (k *Kernel) logWeights(d Drawer, w batch.Worker, x *unit.States) []float64 {
	weights, logq := make([]float64, x.Len), make([]float64, x.Len)
	w.Energies(weights, x, 0)
	d.Score(logq, x, 0)
	for i := range weights {
		weights[i] = -k.Beta()*weights[i] - logq[i]
	}
	return weights
}

// improve fits again what the chains visit with jumps, until that no longer helps.
func (f *fitter) improve(ctx context.Context) error {
	for range f.options.Rounds - 1 {
		before := f.Rounds[f.Best]
		if err := f.gather(ctx, f.Kernel); err != nil {
			return err
		}
		if err := f.refit(ctx); err != nil {
			return err
		}
		after := f.Rounds[len(f.Rounds)-1]
		better := after.Acceptance > 1.05*before.Acceptance || after.Idle < before.Idle-0.002
		closer := math.Min(before.Divergence.Forward-after.Divergence.Forward,
			before.Divergence.Reverse-after.Divergence.Reverse) > 0.05
		if !better && !closer {
			return nil
		}
	}
	return nil
}

// refit fits the best proposal again, to the rows.
func (f *fitter) refit(ctx context.Context) error {
	n, ok := f.Kernel.proposal.(*Network)
	if !ok {
		p, err := f.products()
		if err != nil {
			return err
		}
		return f.try(ctx, p)
	}
	return f.refitNetwork(ctx, n)
}

// refitNetwork continues the fit of a network, on a copy of it: once for long, since the first round has only found the
// modes, then with small steps.
func (f *fitter) refitNetwork(ctx context.Context, n *Network) error {
	n = n.clone()
	o := f.options.Network.defaults(n.spec)
	if f.refits++; f.refits == 1 {
		o.Steps *= 3
	} else {
		o.Rate /= 3
	}
	o.Seed += uint64(len(f.Rounds))
	if err := n.fit(ctx, f.data, o); err != nil {
		return err
	}
	return f.try(ctx, n)
}
