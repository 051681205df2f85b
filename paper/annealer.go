package paper

import (
	"context"
	"math"

	"instanton/evaluate"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/sampler"
)

// annealer takes chains through the RBM with weights βW and visible potentials (1−β)V⁰ + βV, from independent
// sites at β = 0 to the model at β = 1 and back.
type annealer struct {
	m, at  *rbm.RBM
	sites  rbm.Layer
	kernel *sampler.Gibbs
	pool   *sampler.Pool
	chains int
	seed   uint64

	projection *evaluate.Projection
	inputs     []float32
	v, scaled  []float64
	tilt       []float64 // V − V⁰ of each chain
}

func newAnnealer(m *rbm.RBM, sites rbm.Layer, chains int, s Settings) (*annealer, error) {
	width := m.Hidden.Spec().Width()
	a := &annealer{m: m, at: m.Clone(), sites: sites, chains: chains, seed: s.Seed,
		inputs: make([]float32, chains*width), v: make([]float64, m.Visible.Spec().N), scaled: make([]float64, width), tilt: make([]float64, chains)}
	var err error
	if a.kernel, err = sampler.NewGibbs(a.at, 1); err != nil {
		return nil, err
	}
	a.pool = sampler.NewPool(a.kernel, s.Workers)
	projector := evaluate.NewProjector(m.Visible.Spec(), width)
	a.projection = projector.Projection(chains)
	return a, projector.Set(m.W)
}

// start draws chains from the sites. No two parts share random numbers.
func (a *annealer) start(part uint32) *sampler.Chains {
	c := sampler.NewChains(a.m, a.chains, a.seed)
	c.First = part << 20
	zero, words := make([]float32, a.sites.Spec().Width()), make([]uint32, a.sites.Words())
	for k := range a.chains {
		rng.New(a.seed, rng.Start, c.First+uint32(k), 1).Fill(words)
		a.sites.Draw(c.V, k, zero, words)
	}
	return c
}

// set makes β the law that is run.
func (a *annealer) set(beta float64) error {
	for k, w := range a.m.W {
		a.at.W[k] = beta * w
	}
	from, to := a.sites.Params(), a.m.Visible.Params()
	for p, mixed := range a.at.Visible.Params() {
		for i := range mixed.Data {
			mixed.Data[i] = (1-beta)*from[p].Data[i] + beta*to[p].Data[i]
		}
	}
	return a.kernel.Update(a.at)
}

// look computes what energies at every β need of the chains.
func (a *annealer) look(c *sampler.Chains) {
	a.projection.Inputs(a.inputs, c.V, 0)
	for k := range a.tilt {
		c.V.Values(a.v, k)
		a.tilt[k] = a.m.Visible.Potential(a.v) - a.sites.Potential(a.v)
	}
}

// gain is E(v) at one β less that at another, of a chain that was looked at.
func (a *annealer) gain(k int, from, to float64) float64 {
	cgf := func(beta float64) float64 {
		for mu, x := range a.inputs[k*len(a.scaled):][:len(a.scaled)] {
			a.scaled[mu] = beta * float64(x)
		}
		return a.m.Hidden.CGF(a.scaled)
	}
	return (from-to)*a.tilt[k] + cgf(to) - cgf(from)
}

// logZ0 is log Z at β = 0.
func (a *annealer) logZ0() float64 {
	clear(a.scaled)
	return a.sites.CGF(make([]float64, a.sites.Spec().Width())) + a.m.Hidden.CGF(a.scaled)
}

// up moves chains from the sites to the model and returns log Z₀ plus the logarithms of their weights.
func (a *annealer) up(ctx context.Context, c *sampler.Chains, ladder []float64) ([]float64, error) {
	logs := make([]float64, a.chains)
	for t := 1; t < len(ladder); t++ {
		a.look(c)
		for k := range logs {
			logs[k] += a.gain(k, ladder[t-1], ladder[t])
		}
		if err := a.step(ctx, c, ladder[t]); err != nil {
			return nil, err
		}
	}
	return a.lift(logs), nil
}

// down moves chains from the model to the sites; each path is given the weight it has the other way round.
func (a *annealer) down(ctx context.Context, c *sampler.Chains, ladder []float64) ([]float64, error) {
	logs := make([]float64, a.chains)
	for t := len(ladder) - 1; t > 0; t-- {
		if err := a.step(ctx, c, ladder[t]); err != nil {
			return nil, err
		}
		a.look(c)
		for k := range logs {
			logs[k] += a.gain(k, ladder[t-1], ladder[t])
		}
	}
	return a.lift(logs), nil
}

func (a *annealer) step(ctx context.Context, c *sampler.Chains, beta float64) error {
	if err := a.set(beta); err != nil {
		return err
	}
	return a.pool.Run(ctx, c, 1)
}

func (a *annealer) lift(logs []float64) []float64 {
	z0 := a.logZ0()
	for k := range logs {
		logs[k] += z0
	}
	return logs
}

// ladder spreads steps evenly in the thermodynamic length ∫ sd(dE/dβ) dβ, which chains that go up in even
// steps measure, and a tenth of them evenly in β.
func (a *annealer) ladder(ctx context.Context, steps int) ([]float64, error) {
	const pilot, width = 100, 1e-3
	c := a.start(0)
	length := make([]float64, pilot+1)
	for t := range length {
		beta := float64(t) / pilot
		if t > 0 {
			if err := a.step(ctx, c, beta); err != nil {
				return nil, err
			}
			length[t] = length[t-1]
		}
		a.look(c)
		lo, hi := max(0, beta-width), min(1, beta+width)
		slopes := make([]float64, a.chains)
		for k := range slopes {
			slopes[k] = a.gain(k, lo, hi) / (hi - lo)
		}
		length[t] += spread(slopes) / pilot
	}
	total := length[pilot]
	ladder := make([]float64, steps+1)
	at := 0
	for t := 1; t < steps; t++ {
		share := func(k int) float64 { return 0.9*length[k]/total + 0.1*float64(k)/pilot }
		want := float64(t) / float64(steps)
		for at < pilot-1 && share(at+1) < want {
			at++
		}
		part := (want - share(at)) / math.Max(share(at+1)-share(at), 1e-12)
		ladder[t] = (float64(at) + min(1, max(0, part))) / pilot
	}
	ladder[steps] = 1
	return ladder, nil
}
