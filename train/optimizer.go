package train

import (
	"fmt"
	"math"

	"instanton/internal/kernel"
)

// Optimizer turns gradients into steps of ascent. An implementation holds its settings but no memory, so that one value
// serves any number of trainings. If it has a method Check() error, New calls it and refuses settings for which it
// returns an error.
type Optimizer interface {
	// Start returns the steps of a training with the given number of parameters.
	Start(parameters int) Steps
}

// Steps is an optimiser at work, with its memory of past gradients.
type Steps interface {
	// Begin prepares update t, counted from one, with the given learning rate.
	Begin(t int, rate float64)
	// Step replaces g, the derivatives with respect to parameters at, at+1, …, with the steps to take. After Begin it
	// is called once for each parameter; calls for different parameters may be concurrent.
	Step(g []float64, at int)
	// Memory lists by name the arrays on which later steps depend. A checkpoint keeps them, and Restore fills them in.
	Memory() map[string][]float64
}

// SGD is stochastic gradient ascent with momentum ρ and learning rate η:
//
//	u ← ρu + g,  step ηu
type SGD struct {
	Momentum float64 // ρ
}

// RMSprop divides by the running root-mean-square gradient, corrected for its start at zero:
//
//	s ← βs + (1−β)g²,  step ηg/(ε + √ŝ) with ŝ = s/(1−βᵗ)
//
// The code of the paper calls it ADAM.
type RMSprop struct {
	Beta, Epsilon float64
}

// Adam is RMSprop with a running mean of the gradients (Kingma and Ba 2015):
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

// Check refuses a momentum outside [0, 1).
func (o SGD) Check() error {
	if err := belowOne.check(o.Momentum); err != nil {
		return fmt.Errorf("SGD with momentum %g: %w", o.Momentum, err)
	}
	return nil
}

// Check refuses β outside [0, 1) and ε that is not positive.
func (o RMSprop) Check() error {
	if err := belowOne.check(o.Beta); err != nil {
		return fmt.Errorf("RMSprop with β = %g: %w", o.Beta, err)
	}
	if err := positive.check(o.Epsilon); err != nil {
		return fmt.Errorf("RMSprop with ε = %g: %w", o.Epsilon, err)
	}
	return nil
}

// Check refuses β₁ or β₂ outside [0, 1) and ε that is not positive.
func (o Adam) Check() error {
	if err := belowOne.check(o.Beta1); err != nil {
		return fmt.Errorf("Adam with β₁ = %g: %w", o.Beta1, err)
	}
	if err := belowOne.check(o.Beta2); err != nil {
		return fmt.Errorf("Adam with β₂ = %g: %w", o.Beta2, err)
	}
	if err := positive.check(o.Epsilon); err != nil {
		return fmt.Errorf("Adam with ε = %g: %w", o.Epsilon, err)
	}
	return nil
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

// correction is the factor that compensates for the start of a running mean at zero, after t updates.
func correction(beta float64, t int) float64 { return 1 / (1 - math.Pow(beta, float64(t))) }
