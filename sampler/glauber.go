package sampler

import (
	"math"

	"instanton/internal/rng"
	"instanton/internal/special"
	"instanton/rbm"
	"instanton/unit"
)

// Glauber is the heat bath: a site chosen at random is drawn afresh from its law given all others, ∝ e^{−βE_eff}. It
// leaves P(v)^β invariant and satisfies detailed balance with it. A move counts as accepted if the value changes.
type Glauber struct{ *singleSite }

var _ Enumerable = (*Glauber)(nil)

// NewGlauber prepares heat-bath sampling of P(v)^β.
func NewGlauber(m *rbm.RBM, beta float64) (*Glauber, error) {
	s, err := newSingleSite(m, beta)
	if err != nil {
		return nil, err
	}
	return &Glauber{s}, nil
}

func (*Glauber) Name() string { return "glauber" }

type glauberWorker struct {
	siteWorker
	weights [unit.MaxQ]float64
}

func (k *Glauber) Worker() Worker { return &glauberWorker{siteWorker: k.worker()} }

func (w *glauberWorker) Sweep(c *Chains, lo, hi int, first uint64, n int) {
	spec := w.model.Visible.Spec()
	w.sweep(c, lo, hi, first, n, func(i int, block [4]uint32) bool {
		now := spec.StateIndex(w.x[i])
		weights := w.weights[:spec.States()]
		for a := range weights {
			weights[a] = 0
			if a != now {
				delta, _ := w.consider(i, spec.StateValue(a))
				weights[a] = -w.beta * delta
			}
		}
		next := rng.Categorical(weights, rng.Uniform(block[2]))
		if next == now {
			return false
		}
		_, cgf := w.consider(i, spec.StateValue(next))
		w.commit(i, spec.StateValue(next), cgf)
		return true
	})
}

func (k *Glauber) Transition(v, _ *rbm.Space) (*rbm.Transition, error) {
	return k.siteTransition(v, func(energy []float64, _ int, emit func(value int, p float64)) {
		weights := make([]float64, len(energy))
		for a, e := range energy {
			weights[a] = -k.beta * e
		}
		norm := special.LogSumExp(weights)
		for a := range weights {
			emit(a, math.Exp(weights[a]-norm))
		}
	})
}
