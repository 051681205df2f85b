package jump

import (
	"context"
	"math"

	"instanton/internal/rng"
	"instanton/unit"
)

// NetworkOptions are the settings of the fit of a network. The zero value stands for the defaults.
type NetworkOptions struct {
	Hidden  int     // hidden units; default 3 per unit of the layer, and more for Potts units
	Steps   int     // of the optimiser; default 1500
	Batch   int     // configurations per step; default 256
	Rate    float64 // of Adam at the beginning, from where it falls as a cosine; default 4e-3
	Seed    uint64
	Workers int
}

func (o NetworkOptions) defaults(spec unit.Spec) NetworkOptions {
	if o.Hidden == 0 {
		o.Hidden = 3 * spec.N
		if spec.Type == unit.Potts {
			o.Hidden = 12 * spec.N
		}
	}
	if o.Steps == 0 {
		o.Steps = 1500
	}
	if o.Batch == 0 {
		o.Batch = 256
	}
	if o.Rate == 0 {
		o.Rate = 4e-3
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
	return n, n.fit(ctx, x, 1, o.defaults(x.Spec))
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

// fit improves the network on configurations; groups of them, of the given size, are held out together.
func (n *Network) fit(ctx context.Context, x *unit.States, group int, o NetworkOptions) error {
	train, held := split(x, group)
	held = thin(held, 2000)
	l := NewLearner(n, min(o.Batch, train.Len), o.Workers)
	best, most := append([]float32(nil), n.theta...), l.Score(held)
	random := rng.New(o.Seed, rng.Refit, 1, 0).Rand()
	rows := make([]int, l.batch)
	const checks, patience = 16, 4
	worse := 0
	for t := 0; t < o.Steps && worse < patience; t++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		for k := range rows {
			rows[k] = random.IntN(train.Len)
		}
		l.Step(train, rows, o.Rate*(1+math.Cos(math.Pi*float64(t)/float64(o.Steps)))/2)
		if (t+1)%max(1, o.Steps/checks) == 0 || t == o.Steps-1 {
			if score := l.Score(held); score > most {
				most, worse = score, 0
				copy(best, n.theta)
			} else {
				worse++
			}
		}
	}
	copy(n.theta, best)
	n.seal()
	return nil
}
