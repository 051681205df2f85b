package sampler

import (
	"math"

	"instanton/internal/rng"
	"instanton/rbm"
)

// Metropolis is Alg. 2 of the paper: a site chosen at random is offered one of its other values, all equally likely,
// and takes it with probability min(1, e^{−βΔE_eff}). It leaves P(v)^β invariant and satisfies detailed balance with
// it.
type Metropolis struct{ *singleSite }

var _ Enumerable = (*Metropolis)(nil)

// NewMetropolis prepares Metropolis sampling of P(v)^β.
func NewMetropolis(m *rbm.RBM, beta float64) (*Metropolis, error) {
	s, err := newSingleSite(m, beta)
	if err != nil {
		return nil, err
	}
	return &Metropolis{s}, nil
}

func (*Metropolis) Name() string { return "metropolis" }

type metropolisWorker struct{ siteWorker }

func (k *Metropolis) Worker() Worker { return &metropolisWorker{k.worker()} }

func (w *metropolisWorker) Sweep(c *Chains, lo, hi int, first uint64, n int) {
	spec := w.model.Visible.Spec()
	w.sweep(c, lo, hi, first, n, func(i int, block [4]uint32) bool {
		others := spec.States() - 1
		step := 1 + int(uint64(block[2])*uint64(others)>>32)
		to := spec.StateValue((spec.StateIndex(w.x[i]) + step) % (others + 1))
		delta, cgf := w.consider(i, to)
		if rng.Uniform(block[3]) < math.Exp(-w.beta*delta) {
			w.commit(i, to, cgf)
			return true
		}
		return false
	})
}

func (k *Metropolis) Transition(v, _ *rbm.Space) (*rbm.Transition, error) {
	return k.siteTransition(v, func(energy []float64, now int, emit func(value int, p float64)) {
		propose := 1 / float64(len(energy)-1)
		for a, e := range energy {
			if a == now {
				continue
			}
			accept := min(1, math.Exp(-k.beta*(e-energy[now])))
			emit(a, propose*accept)
			emit(now, propose*(1-accept))
		}
	})
}
