package train

import (
	"context"
	"math"

	"instanton/batch"
	"instanton/internal/special"
)

// resident is a training that stays on a device. The arrays of the trainer are copies, fetched when somebody looks.
type resident struct {
	learning batch.Learning
	state    batch.LearnState
	loaded   bool   // the device has the state
	ahead    bool   // and has moved on since it was fetched
	sweeps   uint64 // made since then
	order    []int32
}

// newResident moves a training to the device of its chains, or returns nil if it must be done step by step.
func newResident(t *Trainer, data Data, terms terms) (*resident, error) {
	learner, ok := t.chains.up.Engine().(batch.Learner)
	o := t.options
	if !ok || o.Kernel != nil || o.Contrastive || o.Symmetry != nil || data.Weights != nil || len(terms.means) > 0 {
		return nil, nil
	}
	l := batch.LearnOptions{
		Samples: data.States, Batch: t.batches.states.Len, Chains: t.chains.V.Len, Sweeps: o.Sweeps, Seed: o.Seed,
		First: t.chains.First, Clip: o.Clip, Centred: t.coords.centred, Standardised: t.coords.standardised,
		Mu: t.coords.mu, Sigma: t.coords.sigma,
	}
	r := &resident{order: make([]int32, len(t.batches.order))}
	r.state = batch.LearnState{Model: t.model, V: t.chains.V, Lambda: t.coords.lambda, Variance: t.coords.variance}
	if !r.take(&l, t.ascent.steps, o.Regularizers) {
		return nil, nil
	}
	var err error
	if r.learning, err = learner.Learn(l); err != nil || r.learning == nil {
		return nil, err
	}
	return r, nil
}

// take describes the optimiser and the regularisers, and tells whether a device may know them.
func (r *resident) take(l *batch.LearnOptions, steps Steps, regularizers []Regularizer) bool {
	switch s := steps.(type) {
	case *sgdSteps:
		l.Rule, l.KeepU, r.state.U = batch.MomentumRule, s.Momentum, s.u
	case *rmspropSteps:
		l.Rule, l.KeepS, l.Epsilon, r.state.S = batch.RMSpropRule, s.Beta, s.Epsilon, s.s
	case *adamSteps:
		l.Rule, l.KeepU, l.KeepS, l.Epsilon = batch.AdamRule, s.Beta1, s.Beta2, s.Epsilon
		r.state.U, r.state.S = s.u, s.s
	default:
		return false
	}
	for _, term := range regularizers {
		switch s := term.(type) {
		case L1: // before L2
			if l.L1 != 0 || l.L2 != 0 {
				return false
			}
			l.L1 = float64(s)
		case L2:
			if l.L2 != 0 {
				return false
			}
			l.L2 = float64(s)
		case FieldL2:
			if l.FieldL2 != 0 {
				return false
			}
			l.FieldL2 = float64(s)
		default:
			return false
		}
	}
	return true
}

// update does one update on the device.
func (r *resident) update(ctx context.Context, t *Trainer) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	lo, hi, fresh := t.batches.cut(t.updates)
	if fresh || !r.loaded {
		for k, row := range t.batches.order {
			r.order[k] = int32(row)
		}
		if err := r.learning.Order(r.order); err != nil {
			return err
		}
	}
	if !r.loaded {
		if err := r.learning.Load(r.state); err != nil {
			return err
		}
		r.loaded, r.ahead, r.sweeps = true, false, 0
	}
	u := batch.LearnUpdate{Sweep: t.chains.Sweep, First: lo, Count: hi - lo, Rate: t.Rate()}
	t.batches.foresee()
	t.ascent.steps.Begin(t.updates+1, u.Rate)
	switch s := t.ascent.steps.(type) {
	case *rmspropSteps:
		u.CorrectS = s.correct
	case *adamSteps:
		u.CorrectU, u.CorrectS = s.moments.CorrectU, s.moments.CorrectS
	}
	norms, err := r.learning.Update(u)
	if err != nil {
		return err
	}
	r.ahead = true
	r.sweeps += uint64(t.chains.sweeps)
	t.chains.Sweep += uint64(t.chains.sweeps)
	t.ascent.gradientNorm, t.ascent.weightNorm = norms.Gradient, norms.Weights
	if !special.Finite(norms.Layers) {
		return diverged("the mean of a hidden unit", math.NaN())
	}
	return t.checkStep()
}

// fetch copies the state of a training on a device back. It panics with a *batch.Failure if the device fails.
func (t *Trainer) fetch() {
	r := t.resident
	if r == nil || !r.ahead {
		return
	}
	if err := r.learning.Store(r.state); err != nil {
		panic(&batch.Failure{Err: err})
	}
	for k := range t.chains.Proposed {
		t.chains.Proposed[k] += r.sweeps
		t.chains.Accepted[k] += r.sweeps
	}
	r.ahead, r.sweeps = false, 0
}
