package batch

import (
	"instanton/rbm"
	"instanton/unit"
)

// Learner is an engine that can keep a whole training on its device: samples, chains, parameters and the memory of the
// optimiser. Its updates give the bits that package train computes step by step.
type Learner interface {
	// Learn prepares a training by persistent contrastive divergence, or returns nil if the device cannot do it.
	Learn(o LearnOptions) (Learning, error)
}

// StepRule says how gradients become steps; see package train.
type StepRule int

// The rules.
const (
	MomentumRule StepRule = iota
	RMSpropRule
	AdamRule
)

// LearnOptions describe a training.
type LearnOptions struct {
	Samples *unit.States
	Batch   int // samples in a minibatch, at most
	Chains  int
	Sweeps  int // per update
	Seed    uint64
	First   uint32 // number of the first chain

	Rule                  StepRule
	KeepU, KeepS, Epsilon float64
	Clip                  float64 // 0: none
	Centred, Standardised bool
	Mu, Sigma             []float64 // of the visible units over the data
	L1, L2, FieldL2       float64
}

// LearnState is what the next update depends on. The slices and states are those of the training; U or S is nil if the
// rule does not use it.
type LearnState struct {
	Model            *rbm.RBM
	V                *unit.States // of the chains
	U, S             []float64    // memory of the optimiser
	Lambda, Variance []float64    // running averages of the hidden units
}

// LearnUpdate is what changes from update to update.
type LearnUpdate struct {
	Sweep              uint64 // of the chains before
	First, Count       int    // the minibatch within the order of the samples
	Rate               float64
	CorrectU, CorrectS float64
}

// LearnNorms are norms after an update.
type LearnNorms struct {
	Gradient float64
	Layers   float64 // of the part of the gradient that belongs to the layers
	Weights  float64
}

// Learning is a training on a device.
type Learning interface {
	Load(s LearnState) error
	Store(s LearnState) error
	// Order takes the order of the samples, from which minibatches are cut.
	Order(rows []int32) error
	Update(u LearnUpdate) (LearnNorms, error)
}
