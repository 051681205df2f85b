package train

import (
	"context"
	"errors"
	"fmt"
	"math"

	"instanton/batch"
	"instanton/internal/parallel"
	"instanton/internal/special"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Trainer fits a model, one update at a time.
type Trainer struct {
	options Options
	model   *rbm.RBM
	updates int // done so far

	batches  *minibatches // of the data
	chains   *chains      // whose configurations represent the model
	gradient *gradient    // of the mean log-likelihood
	coords   *coordinates // in which a step is taken
	ascent   *ascent      // takes it
	team     *parallel.Team
	resident *resident // or nil: the training on a device, in place of gradient and ascent

	population *population // that follows the training, if a Watch has one
}

// New prepares the training of a model with the given hidden units on data.
func New(hidden unit.Spec, data Data, o Options) (t *Trainer, err error) {
	defer batch.Recover(&err)
	terms, err := o.check(hidden)
	if err != nil {
		return nil, err
	}
	if data, err = data.check(); err != nil {
		return nil, err
	}
	if t := o.Symmetry; t != nil && (len(t.Visible) != data.States.N || len(t.Hidden) != hidden.N) {
		return nil, fmt.Errorf("a symmetry of %d visible and %d hidden units: expected %d and %d", len(t.Visible),
			len(t.Hidden), data.States.N, hidden.N)
	}
	if o.Schedule == nil {
		o.Schedule = Constant
	}
	t = &Trainer{options: o, team: parallel.NewTeam(o.Workers)}
	mean, variance := dataMoments(data)
	if o.Symmetry != nil { // the offsets must have the symmetry too
		averagePartners(mean, o.Symmetry.Visible, data.States.Channels())
		averagePartners(variance, o.Symmetry.Visible, data.States.Channels())
	}
	if t.model, err = initial(hidden, data, mean, variance, o.Scale, o.Symmetry, o.Seed); err != nil {
		return nil, err
	}
	t.coords = newCoordinates(o.Coordinates, t.model, mean, variance)
	t.batches = newMinibatches(data, o.Batch, o.Seed)
	if updates := float64(o.Epochs) * float64(t.batches.perEpoch); updates*float64(o.Sweeps) > 1<<52 {
		return nil, fmt.Errorf("%d epochs of %d updates with %d sweeps each: expected at most 2^52 sweeps in all",
			o.Epochs, t.batches.perEpoch, o.Sweeps)
	}
	if t.chains, err = newChains(o, t.model, data, t.batches.states.Len); err != nil {
		return nil, err
	}
	samples, workers := t.batches.states.Len, t.team.Workers()
	t.ascent = newAscent(t.model, t.coords, o.Symmetry, o.Optimizer, o.Clip, workers)
	if t.resident, err = newResident(t, data, terms); err != nil || t.resident != nil {
		return t, err
	}
	t.gradient = newGradient(t.model, t.chains, terms, o.Symmetry, t.coords.standardised, samples, workers)
	return t, nil
}

// Run does all remaining updates. It returns the context's error if the context ends first, and can then be called
// again.
func (t *Trainer) Run(ctx context.Context) error {
	for t.updates < t.Total() {
		if err := t.Update(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Update does one update: a minibatch, sweeps of the chains, a step. If the context ends before the sweeps do, the
// trainer is left as it was. A training that has diverged (NaN, Inf or huge weights) ends with the error *Divergence.
func (t *Trainer) Update(ctx context.Context) error {
	err := t.update(ctx)
	var d *Divergence
	if errors.As(err, &d) {
		t.explain(d)
	}
	if err != nil {
		return err
	}
	t.updates++
	if t.options.Callback != nil {
		return t.options.Callback(t)
	}
	return nil
}

// update takes one step along the gradient ⟨−∂E/∂θ⟩_data − ⟨−∂E/∂θ⟩_model − ∂R/∂θ.
func (t *Trainer) update(ctx context.Context) (err error) {
	defer batch.Recover(&err)
	if t.resident != nil {
		return t.resident.update(ctx, t)
	}
	t.batches.take(t.updates)
	weights, err := t.chains.move(ctx, t.model, t.batches, t.updates)
	if err != nil {
		return err
	}
	t.team.Start()
	defer t.team.Stop()
	data, model := weighted{t.batches.states, t.batches.weight}, weighted{t.chains.V, weights}
	if err := t.gradient.average(t.team, data, model); err != nil {
		return err
	}
	t.ascent.step(t.team, t.gradient, t.updates+1, t.Rate())
	t.coords.track(t.gradient.positive, t.options.Symmetry)
	return t.checkStep()
}

// checkStep reports a step that diverged, and keeps the model normalisable.
func (t *Trainer) checkStep() error {
	if norm := t.ascent.gradientNorm; !special.Finite(norm) {
		return diverged("the norm of the gradient", norm)
	}
	if per := t.ascent.weightNorm / math.Sqrt(float64(t.model.Hidden.Spec().N)); !(per < runaway) {
		return diverged("the norm of a hidden unit's weights", per)
	}
	return t.hold(t.updates + 1)
}

// Model is the current model; the next update changes it.
func (t *Trainer) Model() *rbm.RBM {
	t.fetch()
	return t.model
}

// Chains are the Markov chains whose configurations represent the model.
func (t *Trainer) Chains() *sampler.Chains {
	t.fetch()
	return t.chains.Chains
}

// Updates is the number of updates done, Total that of the whole training.
func (t *Trainer) Updates() int { return t.updates }
func (t *Trainer) Total() int   { return t.options.Epochs * t.batches.perEpoch }

// PerEpoch is the number of updates in an epoch.
func (t *Trainer) PerEpoch() int { return t.batches.perEpoch }

// Epoch is the number of times that every sample has been used.
func (t *Trainer) Epoch() float64 { return float64(t.updates) / float64(t.batches.perEpoch) }

// Rate is the learning rate of the next update.
func (t *Trainer) Rate() float64 {
	return t.options.Rate * t.options.Schedule(float64(t.updates)/float64(t.Total()))
}

// GradientNorm is the length of the last gradient, WeightNorm that of W.
func (t *Trainer) GradientNorm() float64 { return t.ascent.gradientNorm }
func (t *Trainer) WeightNorm() float64   { return t.ascent.weightNorm }
