package train

import (
	"fmt"
	"math"

	"instanton/batch"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Options say how a model is fitted. Recipe gives those of the paper as a starting point.
type Options struct {
	Epochs int // number of times that every sample is used
	Batch  int // samples per minibatch

	Chains      int  // Markov chains; 0: one per sample of a minibatch
	Sweeps      int  // of the chains per update
	Contrastive bool // chains restart at the minibatch (CD) instead of continuing (PCD)
	// Kernel prepares the Markov kernel that moves the chains, which should leave the law of the model invariant; nil
	// stands for alternating Gibbs sampling. A kernel that is sampler.Updatable is prepared once, any other before
	// every update.
	Kernel func(m *rbm.RBM) (sampler.Kernel, error)
	Jumps  Jumps // of persistent chains

	Optimizer    Optimizer
	Rate         float64  // the learning rate at the start
	Schedule     Schedule // nil: Constant
	Clip         float64  // largest absolute value of an entry of the gradient; 0: no limit
	Regularizers []Regularizer
	Coordinates  Coordinates

	Scale    float64   // weights start as N(0, scale²/N)
	Symmetry *Symmetry // ties weights; nil: none are tied

	// Callback, if non-nil, is called after every update. An error ends the training and is returned by Update.
	Callback func(t *Trainer) error

	Device  batch.Device // on which averages are taken and chains are moved by default; nil: the processor
	Seed    uint64
	Workers int // 0: one per processor; the result does not depend on it
}

// Recipe returns the options of the paper: RMSprop with a learning rate of 5e-3, constant for half of the training and
// then falling to a hundredth of it; gradients clipped to ±1; ten epochs of minibatches of 100; and 100 chains that
// make one sweep per update.
func Recipe() Options {
	return Options{
		Epochs: 10, Batch: 100, Sweeps: 1,
		Optimizer: RMSprop{Beta: 0.99, Epsilon: 1e-3}, Rate: 5e-3, Schedule: Geometric(0.01), Clip: 1,
		Scale: math.Sqrt(0.1), Seed: 1,
	}
}

// check refuses invalid options, and sorts the regularisers.
func (o Options) check(hidden unit.Spec) (terms, error) {
	var t terms
	for _, v := range []struct {
		name         string
		value, least int
	}{
		{"epochs", o.Epochs, 1}, {"samples in a minibatch", o.Batch, 1},
		{"chains", o.Chains, 0}, {"sweeps per update", o.Sweeps, 1},
	} {
		if v.value < v.least {
			return t, fmt.Errorf("%d %s: expected at least %d", v.value, v.name, v.least)
		}
	}
	for _, v := range []struct {
		name  string
		value float64
		valid interval
	}{
		{"learning rate", o.Rate, positive}, {"limit of the gradient", o.Clip, nonNegative},
		{"scale of the initial weights", o.Scale, nonNegative},
	} {
		if err := v.valid.check(v.value); err != nil {
			return t, fmt.Errorf("a %s of %g: %w", v.name, v.value, err)
		}
	}
	if o.Optimizer == nil {
		return t, fmt.Errorf("no optimiser: expected one, such as RMSprop")
	}
	if c, ok := o.Optimizer.(interface{ Check() error }); ok {
		if err := c.Check(); err != nil {
			return t, err
		}
	}
	if o.Contrastive && o.Chains != 0 {
		return t, fmt.Errorf("%d chains that start at the minibatch: expected 0, for one per sample", o.Chains)
	}
	if o.Contrastive && o.Jumps != NoJumps {
		return t, fmt.Errorf("jumps of chains that start at the minibatch: expected none")
	}
	for _, r := range o.Regularizers {
		if !t.add(r) {
			return t, fmt.Errorf("the regulariser %T has no derivatives: "+
				"expected a WeightTerm, a FieldTerm or a MeanTerm", r)
		}
	}
	if len(t.means) > 0 && hidden.Type == unit.Potts {
		return t, fmt.Errorf("a regulariser of the means of %s hidden units: a Potts unit has no mean", hidden.Type)
	}
	return t, nil
}

// add sorts a regulariser by what it acts on.
func (t *terms) add(r Regularizer) (known bool) {
	if x, ok := r.(WeightTerm); ok {
		t.weights, known = append(t.weights, x), true
	}
	if x, ok := r.(FieldTerm); ok {
		t.fields, known = append(t.fields, x), true
	}
	if x, ok := r.(MeanTerm); ok {
		t.means, known = append(t.means, x), true
	}
	return known
}
