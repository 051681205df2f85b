package train

import (
	"math"

	"instanton/internal/kernel"
)

// Optimizer turns gradients into steps of ascent. An implementation holds its settings and
// no memory, so that one value serves any number of trainings.
type Optimizer interface {
	// Start returns the steps of a training with a number of parameters.
	Start(parameters int) Steps
}

// Steps is an optimiser at work, with its memory of past gradients.
type Steps interface {
	// Begin prepares update t, counted from one, at a learning rate.
	Begin(t int, rate float64)
	// Step replaces derivatives g by the parameters number at, at+1, … by the steps to take.
	// After Begin it is called once for each parameter; calls for different parameters may
	// come at the same time.
	Step(g []float64, at int)
	// Memory lists by name the arrays on which later steps depend. A checkpoint keeps them,
	// and a training that is taken up finds them filled in.
	Memory() map[string][]float64
}

// SGD is stochastic gradient ascent with momentum ρ at a learning rate η:
//
//	u ← ρu + g,  step ηu
type SGD struct {
	Momentum float64 // ρ
}

// RMSprop divides by the running size of gradients, corrected for its start at zero:
//
//	s ← βs + (1−β)g²,  step ηg/(ε + √ŝ) with ŝ = s/(1−βᵗ)
//
// The code of the paper calls it ADAM.
type RMSprop struct {
	Beta, Epsilon float64
}

// Adam does so with the running mean of gradients (Kingma and Ba 2015):
//
//	u ← β₁u + (1−β₁)g,  s ← β₂s + (1−β₂)g²,  step ηû/(ε + √ŝ)
type Adam struct {
	Beta1, Beta2, Epsilon float64
}

var (
	_ Optimizer = SGD{}
	_ Optimizer = RMSprop{}
	_ Optimizer = Adam{}
)

// Start implements Optimizer.
func (o SGD) Start(parameters int) Steps { return &sgdSteps{SGD: o, u: make([]float64, parameters)} }

// Start implements Optimizer.
func (o RMSprop) Start(parameters int) Steps {
	return &rmspropSteps{RMSprop: o, s: make([]float64, parameters)}
}

// Start implements Optimizer.
func (o Adam) Start(parameters int) Steps {
	return &adamSteps{Adam: o, u: make([]float64, parameters), s: make([]float64, parameters)}
}

type sgdSteps struct {
	SGD
	u    []float64
	rate float64
}

func (a *sgdSteps) Begin(_ int, rate float64) { a.rate = rate }

func (a *sgdSteps) Step(g []float64, at int) {
	kernel.Momentum(g, a.u[at:][:len(g)], a.Momentum, a.rate)
}

func (a *sgdSteps) Memory() map[string][]float64 { return map[string][]float64{"u": a.u} }

type rmspropSteps struct {
	RMSprop
	s             []float64
	rate, correct float64
}

func (a *rmspropSteps) Begin(t int, rate float64) { a.rate, a.correct = rate, correction(a.Beta, t) }

func (a *rmspropSteps) Step(g []float64, at int) {
	kernel.RMSprop(g, a.s[at:][:len(g)], a.Beta, a.rate, a.correct, a.Epsilon)
}

func (a *rmspropSteps) Memory() map[string][]float64 { return map[string][]float64{"s": a.s} }

type adamSteps struct {
	Adam
	u, s    []float64
	rate    float64
	moments kernel.Moments
}

func (a *adamSteps) Begin(t int, rate float64) {
	a.rate = rate
	a.moments = kernel.Moments{
		KeepU: a.Beta1, KeepS: a.Beta2,
		CorrectU: correction(a.Beta1, t), CorrectS: correction(a.Beta2, t),
	}
}

func (a *adamSteps) Step(g []float64, at int) {
	kernel.Adam(g, a.u[at:][:len(g)], a.s[at:][:len(g)], a.moments, a.rate, a.Epsilon)
}

func (a *adamSteps) Memory() map[string][]float64 { return map[string][]float64{"u": a.u, "s": a.s} }

// correction makes up for a running mean's start at zero, after t updates.
func correction(beta float64, t int) float64 { return 1 / (1 - math.Pow(beta, float64(t))) }
