package jump

import (
	"fmt"
	"slices"

	"instanton/batch"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Tracker keeps a network close to a model that changes, as in training: after every update of the model a few steps
// of the optimiser fit it to the present chains. The jumps are always tested against the present model, so every
// single step leaves its law invariant. Adaptation never ends here, though, so the chains are Markov only between two
// refits: what they are averaged over for a report should come from a frozen proposal.
type Tracker struct {
	kernel  *Kernel
	learner *Learner
	options TrackerOptions
	adapted bool

	worker  batch.Worker // of the model, for hidden units
	v, x    *unit.States // a minibatch
	numbers []int
}

// TrackerOptions are the settings of a Tracker. The zero value stands for the defaults.
type TrackerOptions struct {
	Network NetworkOptions // Steps are those of one refit, by default 2; Rate does not fall, by default 1e-3
	Around  int            // Gibbs steps on either side of a jump; default 1 in the visible layer, 0 in the hidden one
}

// NewTracker prepares jumps for a model. Until the first Refit the proposal has independent units.
func NewTracker(m *rbm.RBM, o TrackerOptions) (*Tracker, error) {
	side := Side(m, 1)
	if o.Around == 0 && side == batch.Visible {
		o.Around = 1
	}
	spec := turned(m, side).Visible.Spec()
	if o.Network.Steps == 0 {
		o.Network.Steps = 2
	}
	if o.Network.Rate == 0 {
		o.Network.Rate = 1e-3
	}
	o.Network = o.Network.defaults(spec)
	n, err := NewNetwork(spec, o.Network.Hidden, o.Network.Seed)
	if err != nil {
		return nil, err
	}
	k, err := New(m, 1, side, n, o.Around)
	if err != nil {
		return nil, err
	}
	t := &Tracker{kernel: k, learner: NewLearner(n, o.Network.Batch, o.Network.Workers), options: o,
		numbers: make([]int, o.Network.Batch), worker: k.gibbs.Engine().Worker(),
		v: unit.NewStates(m.Visible.Spec(), o.Network.Batch), x: unit.NewStates(spec, o.Network.Batch)}
	return t, nil
}

// TrackerSize is about the number of parameters of a Tracker's network, with the default options.
func TrackerSize(m *rbm.RBM) float64 {
	spec := turned(m, Side(m, 1)).Visible.Spec()
	h := newHead(spec)
	in, out := float64(spec.N*h.in()), float64(spec.N*h.out())
	hidden := float64(NetworkOptions{}.defaults(spec).Hidden)
	return in*hidden + hidden*out + in*out
}

// Kernel is the kernel that jumps with the proposal; its Update takes the changed model.
func (t *Tracker) Kernel() *Kernel { return t.kernel }

// Rows is the number of configurations that a Refit takes, one minibatch for each of its steps.
func (t *Tracker) Rows() int { return t.options.Network.Steps * t.options.Network.Batch }

// Refit fits the proposal to the present chains and returns the mean log q of what it was fitted to. No worker of the
// kernel may be running meanwhile.
func (t *Tracker) Refit(c *sampler.Chains) float64 {
	n := t.learner.net
	var sum float64
	for range t.options.Network.Steps {
		random := rng.New(t.options.Network.Seed, rng.Refit, 2, t.learner.steps).Rand()
		for k := range t.numbers {
			t.v.CopyRow(k, c.V, random.IntN(c.V.Len))
			t.numbers[k] = k
		}
		x := t.v
		if t.kernel.side == batch.Hidden {
			s := batch.Stream{Seed: t.options.Network.Seed, Chain: 1 << 31, Sweep: t.learner.steps, Proposed: true}
			t.worker.Draw(batch.Hidden, t.x, 0, t.v, 0, t.v.Len, s)
			x = t.x
		}
		if !t.adapted {
			n.head.adapt(n.output, x)
			t.adapted = true
		}
		sum += t.learner.Step(x, t.numbers, t.options.Network.Rate)
	}
	t.learner.Finish()
	return sum / float64(t.options.Network.Steps)
}

// TrackerState is all that a Tracker knows besides the model: restored, it continues to the same bits.
type TrackerState struct {
	Steps         uint64
	Parameters    []float32
	First, Second []float32 // moments of Adam
	Scales        []float32 // means and widths of real units
}

// State returns a copy of the state.
func (t *Tracker) State() TrackerState {
	s := TrackerState{Steps: t.learner.steps, Parameters: slices.Clone(t.learner.net.theta),
		First: slices.Clone(t.learner.first), Second: slices.Clone(t.learner.second)}
	if h, ok := t.learner.net.head.(*realHead); ok {
		s.Scales = slices.Concat(h.mean, h.width)
	}
	return s
}

// Restore takes a state of a Tracker with the same settings.
func (t *Tracker) Restore(s TrackerState) error {
	n := t.learner.net
	h, reals := n.head.(*realHead)
	scales := 0
	if reals {
		scales = 2 * n.spec.N
	}
	if len(s.Parameters) != len(n.theta) || len(s.First) != len(n.theta) || len(s.Second) != len(n.theta) ||
		len(s.Scales) != scales {
		return fmt.Errorf("the state of a proposal with %d parameters: expected %d", len(s.Parameters), len(n.theta))
	}
	copy(n.theta, s.Parameters)
	copy(t.learner.first, s.First)
	copy(t.learner.second, s.Second)
	if reals {
		copy(h.mean, s.Scales)
		copy(h.width, s.Scales[n.spec.N:])
	}
	t.learner.steps, t.adapted = s.Steps, s.Steps > 0
	n.mask()
	n.seal()
	return nil
}
