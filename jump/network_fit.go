package jump

import (
	"context"
	"math"

	"instanton/batch"
	"instanton/internal/rng"
	"instanton/unit"
)

// NetworkOptions are the settings of the fit of a network. The zero value stands for the defaults.
type NetworkOptions struct {
	Hidden  int     // hidden units; default 2 per unit of the layer, 4 for Potts units
	Steps   int     // of the optimiser; default 2000. Later rounds of Fit make three times as many
	Batch   int     // configurations per step; default 128
	Rate    float64 // of Adam at the beginning, from where it falls as a cosine; default 8e-3
	Seed    uint64
	Workers int
}

func (o NetworkOptions) defaults(spec unit.Spec) NetworkOptions {
	if o.Hidden == 0 {
		o.Hidden = 2 * spec.N
		if spec.Type == unit.Potts {
			o.Hidden = 4 * spec.N
		}
	}
	if o.Steps == 0 {
		o.Steps = 2000
	}
	if o.Batch == 0 {
		o.Batch = 128
	}
	if o.Rate == 0 {
		o.Rate = 8e-3
	}
	return o
}

// FitNetwork fits a network to configurations by maximum likelihood. Every tenth row is held out; the parameters
// with the highest likelihood on these rows are kept, and the fit ends early when that stops growing.
func FitNetwork(ctx context.Context, x *unit.States, o NetworkOptions) (*Network, error) {
	n, err := newNetworkFor(x, o)
	if err != nil {
		return nil, err
	}
	return n, n.fit(ctx, &fitData{x: x, group: 1, chains: x.Len}, o.defaults(x.Spec))
}

// newNetworkFor returns a network of independent units that fit configurations.
func newNetworkFor(x *unit.States, o NetworkOptions) (*Network, error) {
	o = o.defaults(x.Spec)
	n, err := NewNetwork(x.Spec, o.Hidden, o.Seed)
	if err != nil {
		return nil, err
	}
	n.head.adapt(n.output, x)
	n.seal()
	return n, nil
}

// fitData are the configurations of a fit. Row k comes from chain k/group%chains; every tenth chain is held out.
type fitData struct {
	x             *unit.States
	group, chains int

	// Of hidden units: the visible configurations that belong to them. Hidden units are drawn from P(h|v) afresh
	// whenever they are used, which makes many configurations of one.
	v      *unit.States
	engine batch.Engine
}

// fit improves the network on configurations.
func (n *Network) fit(ctx context.Context, d *fitData, o NetworkOptions) error {
	train, held := split(d.x.Len, d.group, d.chains)
	test := thin(pick(d.x, held), 2000)
	l := NewLearner(n, min(o.Batch, len(train)), o.Workers)
	best, most := append([]float32(nil), n.theta...), l.Score(test)
	random := rng.New(o.Seed, rng.Refit, 1, 0).Rand()
	rows := make([]int, l.batch)
	next := d.minibatches(l.batch, o.Seed)
	const checks, patience = 16, 4
	worse := 0 // checks since the best; only while the rate is low, since a high one harms at first
	for t := 0; t < o.Steps && worse < patience; t++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		for k := range rows {
			rows[k] = train[random.IntN(len(train))]
		}
		l.Step(next(rows, uint64(t)), rows, o.Rate*(1+math.Cos(math.Pi*float64(t)/float64(o.Steps)))/2)
		if (t+1)%max(1, o.Steps/checks) == 0 || t == o.Steps-1 {
			if score := l.Score(test); score > most {
				most, worse = score, 0
				copy(best, n.theta)
			} else if 2*t > o.Steps {
				worse++
			}
		}
	}
	copy(n.theta, best)
	n.seal()
	return nil
}

// minibatches returns a function that gives the configurations of chosen rows, and changes the rows to where they are.
func (d *fitData) minibatches(size int, seed uint64) func(rows []int, step uint64) *unit.States {
	if d.v == nil {
		return func([]int, uint64) *unit.States { return d.x }
	}
	w, v, h := d.engine.Worker(), unit.NewStates(d.v.Spec, size), unit.NewStates(d.x.Spec, size)
	return func(rows []int, step uint64) *unit.States {
		for k, at := range rows {
			v.CopyRow(k, d.v, at)
			rows[k] = k
		}
		// Draws that are proposed have random numbers that nothing else here uses.
		w.Draw(batch.Hidden, h, 0, v, 0, len(rows), batch.Stream{Seed: seed, Sweep: step, Proposed: true})
		return h
	}
}
