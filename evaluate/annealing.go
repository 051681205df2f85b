package evaluate

import (
	"context"

	"gonum.org/v1/gonum/stat"

	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Annealing takes chains through the laws between independent sites (β = 0) and a model (β = 1),
//
//	E_β(v) = (1−β) Σ V⁰_i(v_i) + β Σ V_i(v_i) − Σ Γ_μ(β I_μ(v)),
//
// each an RBM with weights βW, mixed visible potentials and the hidden potentials of the
// model. Potentials are linear in their parameters, so mixing those is mixing potentials;
// where the model can be normalised, so can all of them.
type Annealing struct {
	m         *rbm.RBM
	reference rbm.Layer
	at        *rbm.RBM // the law that is run
	kernel    *sampler.Gibbs
	pool      *sampler.Pool

	projection *sampler.Projection // of the model's own weights
	inputs     []float32
	x, I       []float64
	delta      []float64 // Σ(V−V⁰) of each chain
}

// NewAnnealing prepares for a number of chains; the reference has the model's visible units.
func NewAnnealing(m *rbm.RBM, reference rbm.Layer, chains, workers int) (*Annealing, error) {
	width := m.Hidden.Spec().Width()
	a := &Annealing{
		m: m, reference: reference, at: m.Clone(), inputs: make([]float32, chains*width), delta: make([]float64, chains),
		x: make([]float64, m.Visible.Spec().N), I: make([]float64, width),
	}
	var err error
	if a.kernel, err = sampler.NewGibbs(a.at, 1); err != nil {
		return nil, err
	}
	a.pool = sampler.NewPool(a.kernel, workers)
	bare, err := sampler.NewGibbs(withoutFields(m), 1)
	if err != nil {
		return nil, err
	}
	a.projection = bare.Projection(chains)
	return a, nil
}

// withoutFields is the model with no fields on discrete hidden units, so that what they receive is their input alone.
func withoutFields(m *rbm.RBM) *rbm.RBM {
	bare := m.Clone()
	if bare.Hidden.Spec().Type.Discrete() {
		for _, p := range bare.Hidden.Params() {
			clear(p.Data)
		}
	}
	return bare
}

// Start draws chains from the reference, which are numbered from first on; the number of a chain
// is that of its random numbers.
func (a *Annealing) Start(seed uint64, first uint32) *sampler.Chains {
	n := len(a.delta)
	c := sampler.NewChains(a.m, n, seed)
	c.First = first
	zero, words := make([]float32, a.reference.Spec().Width()), make([]uint32, a.reference.Words())
	for k := range n {
		rng.New(seed, rng.Start, first+uint32(k), 1).Fill(words)
		a.reference.Draw(c.V, k, zero, words)
	}
	return c
}

// Up moves chains from the reference to the model. It returns log Z₀ + w of each, with the weight e^w of its path:
// the mean of their exponentials is Z.
func (a *Annealing) Up(ctx context.Context, c *sampler.Chains, ladder []float64, progress func(done int)) ([]float64, error) {
	logs := a.zeroLogs()
	for t := 1; t < len(ladder); t++ {
		a.project(c.V)
		for k := range logs {
			logs[k] += a.logRatio(k, ladder[t-1], ladder[t])
		}
		if err := a.move(ctx, c, ladder[t], 1); err != nil {
			return nil, err
		}
		progress(t)
	}
	return logs, nil
}

// Down moves chains from the model to the reference. It returns log Z₀ + w of each, with the weight that its path has
// the other way round: from chains in equilibrium, the mean of e^{−w}/Z₀ is 1/Z.
func (a *Annealing) Down(ctx context.Context, c *sampler.Chains, ladder []float64, progress func(done int)) ([]float64, error) {
	logs := a.zeroLogs()
	for t := len(ladder) - 1; t > 0; t-- {
		if err := a.move(ctx, c, ladder[t], 1); err != nil {
			return nil, err
		}
		a.project(c.V)
		for k := range logs {
			logs[k] += a.logRatio(k, ladder[t-1], ladder[t])
		}
		progress(len(ladder) - t)
	}
	return logs, nil
}

// Settle takes chains through sweeps of the model itself.
func (a *Annealing) Settle(ctx context.Context, c *sampler.Chains, sweeps int) error {
	return a.move(ctx, c, 1, sweeps)
}

// zeroLogs is log Z₀ for every chain: the partition function at β = 0 is exact.
func (a *Annealing) zeroLogs() []float64 {
	zero := func(l rbm.Layer) []float64 { return make([]float64, l.Spec().Width()) }
	z0 := a.reference.CGF(zero(a.reference)) + a.m.Hidden.CGF(zero(a.m.Hidden))
	logs := make([]float64, len(a.delta))
	for k := range logs {
		logs[k] = z0
	}
	return logs
}

// move takes the chains through sweeps at β.
func (a *Annealing) move(ctx context.Context, c *sampler.Chains, beta float64, sweeps int) error {
	for k, w := range a.m.W {
		a.at.W[k] = beta * w
	}
	from, to := a.reference.Params(), a.m.Visible.Params()
	for k, p := range a.at.Visible.Params() {
		for i := range p.Data {
			p.Data[i] = (1-beta)*from[k].Data[i] + beta*to[k].Data[i]
		}
	}
	if err := a.kernel.Update(a.at); err != nil {
		return err
	}
	return a.pool.Run(ctx, c, sweeps)
}

// project computes what energies at every β need of the chains.
func (a *Annealing) project(v *unit.States) {
	a.projection.Fields(a.inputs, v, 0)
	for k := range a.delta {
		v.Values(a.x, k)
		a.delta[k] = a.m.Visible.Potential(a.x) - a.reference.Potential(a.x)
	}
}

// logRatio is E_from(v) − E_to(v) of chain k, whose inputs are projected.
func (a *Annealing) logRatio(k int, from, to float64) float64 {
	return (from-to)*a.delta[k] + a.cgf(k, to) - a.cgf(k, from)
}

func (a *Annealing) cgf(k int, beta float64) float64 {
	for mu, I := range a.inputs[k*len(a.I):][:len(a.I)] {
		a.I[mu] = beta * float64(I)
	}
	return a.m.Hidden.CGF(a.I)
}

// slopes is the variance over the chains of −dE_β/dβ at β, by a difference of width h.
func (a *Annealing) slopes(beta, h float64) (variance float64) {
	lo, hi := max(0, beta-h), min(1, beta+h)
	values := make([]float64, len(a.delta))
	for k := range values {
		values[k] = a.logRatio(k, lo, hi) / (hi - lo)
	}
	return stat.Variance(values, nil)
}
