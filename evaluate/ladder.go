package evaluate

import (
	"context"
	"math"

	"instanton/batch"
	"instanton/rbm"
)

// Sizes of the pilot run that measures where the ladder needs steps.
const (
	pilotChains = 64
	pilotSteps  = 100
	pilotPasses = 2
)

// Ladder measures in a pilot run how fast the law changes along β and returns steps that are equidistant in the
// thermodynamic length Λ = ∫ sd(dE/dβ) dβ, and Λ itself. If steps is 0, it takes enough steps for the variance of a
// log-weight, which is about Λ²/steps for chains close to equilibrium, to be small.
func Ladder(ctx context.Context, m *rbm.RBM, reference rbm.Layer, steps int, seed uint64,
	workers int) (ladder []float64, length float64, err error) {
	return ladderOn(ctx, nil, m, reference, steps, seed, workers)
}

// ladderOn is Ladder with chains that are moved on a device, nil for the processor.
func ladderOn(ctx context.Context, d batch.Device, m *rbm.RBM, reference rbm.Layer, steps int, seed uint64,
	workers int) (ladder []float64, length float64, err error) {
	a, err := newAnnealingOn(d, m, reference, pilotChains, workers)
	if err != nil {
		return nil, 0, err
	}
	betas := even(pilotSteps)
	for pass := range pilotPasses {
		c := a.Start(seed, uint32(pass)*pilotChains+pilotFirst)
		speed := make([]float64, len(betas))
		for t, beta := range betas {
			if t > 0 {
				if err := a.move(ctx, c, beta, 1); err != nil {
					return nil, 0, err
				}
			}
			a.project(c.V)
			_, variance := a.slopes(beta, 1e-3)
			speed[t] = math.Sqrt(variance)
		}
		n := pilotSteps
		_, length = evenLength(betas, speed, n)
		if pass == pilotPasses-1 {
			if n = steps; n == 0 {
				n = int(min(maxSteps, max(minSteps, stepsPerLength*length*length)))
			}
		}
		betas, length = evenLength(betas, speed, n)
	}
	return betas, length, nil
}

// Bounds on the number of steps if it is not prescribed.
const (
	minSteps       = 200
	maxSteps       = 20000
	stepsPerLength = 10
)

// even returns the ladder of equal steps.
func even(steps int) []float64 {
	b := make([]float64, steps+1)
	for t := range b {
		b[t] = float64(t) / float64(steps)
	}
	return b
}

// evenLength distributes steps evenly over the length ∫ speed dβ; a tenth of them are even in β instead, so that no
// interval is left empty.
func evenLength(betas, speed []float64, steps int) (ladder []float64, length float64) {
	sum := make([]float64, len(betas))
	for t := 1; t < len(betas); t++ {
		sum[t] = sum[t-1] + (speed[t]+speed[t-1])/2*(betas[t]-betas[t-1])
	}
	length = sum[len(sum)-1]
	if length == 0 {
		return even(steps), 0
	}
	for t := range sum {
		sum[t] = 0.9*sum[t]/length + 0.1*betas[t]
	}
	ladder = make([]float64, steps+1)
	at := 1
	for t := 1; t < steps; t++ {
		want := float64(t) / float64(steps)
		for sum[at] < want {
			at++
		}
		share := (want - sum[at-1]) / (sum[at] - sum[at-1])
		ladder[t] = betas[at-1] + share*(betas[at]-betas[at-1])
	}
	ladder[steps] = 1
	return ladder, length
}
