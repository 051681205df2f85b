package evaluate

import (
	"context"
	"math"

	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// anneal is the family of laws between independent sites (β = 0) and the model (β = 1),
//
//	E_β(v) = (1−β) Σ V⁰_i(v_i) + β Σ V_i(v_i) − Σ Γ_μ(β I_μ(v)),
//
// each an RBM with weights βW, mixed visible potentials and the hidden potentials of the
// model. Potentials are linear in their parameters, so mixing those is mixing potentials;
// where the model can be normalised, so can all of them.
type anneal struct {
	m         *rbm.RBM
	reference rbm.Layer
	at        *rbm.RBM // the law that is run
	kernel    *sampler.Gibbs
	pool      *sampler.Pool

	projector  *Projector
	projection *Projection
	inputs     []float32
	x, I       []float64
	delta      []float64 // Σ(V−V⁰) of each chain
}

func newAnneal(m *rbm.RBM, reference rbm.Layer, chains, workers int) (*anneal, error) {
	nh := m.Hidden.Spec().Width()
	a := &anneal{m: m, reference: reference, at: m.Clone(), projector: NewProjector(m.Visible.Spec(), nh)}
	var err error
	if a.kernel, err = sampler.NewGibbs(a.at, 1); err != nil {
		return nil, err
	}
	a.pool = sampler.NewPool(a.kernel, workers)
	a.projection = a.projector.Projection(chains)
	a.inputs = make([]float32, chains*nh)
	a.x, a.I = make([]float64, m.Visible.Spec().N), make([]float64, nh)
	a.delta = make([]float64, chains)
	return a, a.projector.Set(m.W)
}

// logZ0 is the exact partition function at β = 0.
func (a *anneal) logZ0() float64 {
	zero := func(l rbm.Layer) []float64 { return make([]float64, l.Spec().Width()) }
	return a.reference.CGF(zero(a.reference)) + a.m.Hidden.CGF(zero(a.m.Hidden))
}

// set makes β the law that is run.
func (a *anneal) set(beta float64) error {
	for k, w := range a.m.W {
		a.at.W[k] = beta * w
	}
	from, to := a.reference.Params(), a.m.Visible.Params()
	for k, p := range a.at.Visible.Params() {
		for i := range p.Data {
			p.Data[i] = (1-beta)*from[k].Data[i] + beta*to[k].Data[i]
		}
	}
	return a.kernel.Update(a.at)
}

// move takes the chains through sweeps at the law that is set.
func (a *anneal) move(ctx context.Context, c *sampler.Chains, sweeps int) error {
	return a.pool.Run(ctx, c, sweeps)
}

// project computes what energies at every β need of the chains.
func (a *anneal) project(v *unit.States) {
	a.projection.Inputs(a.inputs, v, 0)
	for k := range a.delta {
		v.Values(a.x, k)
		a.delta[k] = a.m.Visible.Potential(a.x) - a.reference.Potential(a.x)
	}
}

// logRatio is E_from(v) − E_to(v) of chain k, whose inputs are projected.
func (a *anneal) logRatio(k int, from, to float64) float64 {
	return (from-to)*a.delta[k] + a.cgf(k, to) - a.cgf(k, from)
}

func (a *anneal) cgf(k int, beta float64) float64 {
	for mu, I := range a.inputs[k*len(a.I):][:len(a.I)] {
		a.I[mu] = beta * float64(I)
	}
	return a.m.Hidden.CGF(a.I)
}

// slopes is the variance over the chains of −dE_β/dβ at β, by a difference of width h.
func (a *anneal) slopes(beta, h float64) (variance float64) {
	lo, hi := max(0, beta-h), min(1, beta+h)
	var mean float64
	n := float64(len(a.delta))
	values := make([]float64, len(a.delta))
	for k := range values {
		values[k] = a.logRatio(k, lo, hi) / (hi - lo)
		mean += values[k] / n
	}
	for _, x := range values {
		variance += (x - mean) * (x - mean) / (n - 1)
	}
	return variance
}

// Sizes of the pilot run that finds where the ladder needs steps.
const (
	pilotChains = 64
	pilotSteps  = 100
	pilotPasses = 2
)

// pilot measures how fast the law changes along β and returns a ladder that is even in
// the thermodynamic length Λ = ∫ sd(dE/dβ) dβ, along with Λ. With steps = 0 it takes so many
// that the variance of a log-weight, about Λ²/steps for chains that keep up, is small.
func pilot(ctx context.Context, m *rbm.RBM, reference rbm.Layer, steps int, seed uint64, workers int) (ladder []float64, length float64, err error) {
	a, err := newAnneal(m, reference, pilotChains, workers)
	if err != nil {
		return nil, 0, err
	}
	betas := even(pilotSteps)
	for pass := range pilotPasses {
		c := startChains(a, pilotChains, seed, uint32(pass)*pilotChains+pilotFirst)
		speed := make([]float64, len(betas))
		for t, beta := range betas {
			if t > 0 {
				if err := a.set(beta); err != nil {
					return nil, 0, err
				}
				if err := a.move(ctx, c, 1); err != nil {
					return nil, 0, err
				}
			}
			a.project(c.V)
			speed[t] = math.Sqrt(a.slopes(beta, 1e-3))
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

// Bounds on the length of a ladder that was not asked for.
const (
	minSteps       = 200
	maxSteps       = 20000
	stepsPerLength = 10
)

// even is the ladder of equal steps.
func even(steps int) []float64 {
	b := make([]float64, steps+1)
	for t := range b {
		b[t] = float64(t) / float64(steps)
	}
	return b
}

// evenLength spreads steps evenly in the length ∫ speed dβ, with a tenth of them even in β
// so that no stretch is left bare.
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
