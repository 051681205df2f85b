package evaluate

import (
	"context"

	"gonum.org/v1/gonum/stat"

	"instanton/batch"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Annealing takes chains through the laws between independent sites (β = 0) and a model (β = 1),
//
//	E_β(v) = (1−β) Σ V⁰_i(v_i) + β Σ V_i(v_i) − Σ Γ_μ(β I_μ(v)),
//
// each an RBM with weights βW, interpolated visible potentials and the hidden potentials of the model. Potentials are
// linear in their parameters, so interpolating those interpolates the potentials; if the model can be normalised, so
// can all these laws.
type Annealing struct {
	m         *rbm.RBM
	reference rbm.Layer
	at        *rbm.RBM // the model at the current β
	kernel    *sampler.Gibbs
	pool      *sampler.Pool

	engine *batch.CPU // of the model itself
	inputs []float64  // of the hidden units, for each chain
	scaled []float64
	cgf    [2][]float64 // ΣΓ at two inverse temperatures, for each chain

	change rbm.Layer // V−V⁰, which is linear in the parameters
	x      []float64
	delta  []float64 // Σ(V−V⁰) of each chain
}

// NewAnnealing prepares annealing for a number of chains. The reference has the shape of the visible layer.
func NewAnnealing(m *rbm.RBM, reference rbm.Layer, chains, workers int) (*Annealing, error) {
	return newAnnealingOn(nil, m, reference, chains, workers)
}

// newAnnealingOn is NewAnnealing with chains that are moved on a device, nil for the processor.
func newAnnealingOn(d batch.Device, m *rbm.RBM, reference rbm.Layer, chains, workers int) (*Annealing, error) {
	width := m.Hidden.Spec().Width()
	a := &Annealing{
		m: m, reference: reference, at: m.Clone(), delta: make([]float64, chains),
		change: rbm.ZeroLayer(m.Visible.Spec()), x: make([]float64, m.Visible.Spec().N),
		inputs: make([]float64, chains*width), scaled: make([]float64, chains*width),
		cgf: [2][]float64{make([]float64, chains), make([]float64, chains)},
	}
	from, to := reference.Params(), m.Visible.Params()
	for k, p := range a.change.Params() {
		copy(p.Data, to[k].Data)
		vec.AddScaled(p.Data, -1, from[k].Data)
	}
	var err error
	if a.kernel, err = sampler.NewGibbsOn(d, a.at, 1); err != nil {
		return nil, err
	}
	a.pool = sampler.NewPool(a.kernel, workers)
	a.engine, err = batch.New(m, workers)
	return a, err
}

// Start draws chains from the reference, numbered from first on; its number determines the random numbers of a chain.
func (a *Annealing) Start(seed uint64, first uint32) *sampler.Chains {
	n := len(a.delta)
	c := sampler.NewChains(a.m, n, seed)
	c.First = first
	c.DrawIndependent(a.reference, 1)
	return c
}

// Up moves chains from the reference to the model. It returns log Z₀ + w for each, where e^w is the weight of its
// path: the mean of the exponentials estimates Z.
func (a *Annealing) Up(ctx context.Context, c *sampler.Chains, ladder []float64,
	progress func(done int)) ([]float64, error) {
	logs := a.zeroLogs()
	for t := 1; t < len(ladder); t++ {
		a.project(c.V)
		a.addLogRatios(logs, ladder[t-1], ladder[t])
		if err := a.move(ctx, c, ladder[t], 1); err != nil {
			return nil, err
		}
		progress(t)
	}
	return logs, nil
}

// Down moves chains from the model to the reference. It returns log Z₀ + w for each, where e^w is the weight of the
// reversed path: for chains that start in equilibrium, the mean of e^{−w}/Z₀ estimates 1/Z.
func (a *Annealing) Down(ctx context.Context, c *sampler.Chains, ladder []float64,
	progress func(done int)) ([]float64, error) {
	logs := a.zeroLogs()
	for t := len(ladder) - 1; t > 0; t-- {
		if err := a.move(ctx, c, ladder[t], 1); err != nil {
			return nil, err
		}
		a.project(c.V)
		a.addLogRatios(logs, ladder[t-1], ladder[t])
		progress(len(ladder) - t)
	}
	return logs, nil
}

// Settle takes chains through sweeps of the model itself.
func (a *Annealing) Settle(ctx context.Context, c *sampler.Chains, sweeps int) error {
	return a.move(ctx, c, 1, sweeps)
}

// zeroLogs returns log Z₀ for every chain; it is known exactly.
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

// project computes the quantities from which the energies of the chains follow at every β.
func (a *Annealing) project(v *unit.States) {
	a.engine.Inputs(a.inputs, batch.Hidden, v)
	for k := range a.delta {
		v.Values(a.x, k)
		a.delta[k] = a.change.Potential(a.x)
	}
}

// addLogRatios adds E_from(v) − E_to(v) of every chain; project must have been called.
func (a *Annealing) addLogRatios(logs []float64, from, to float64) {
	for side, beta := range [2]float64{from, to} {
		for k, I := range a.inputs {
			a.scaled[k] = beta * I
		}
		a.engine.CGF(a.cgf[side], batch.Hidden, a.scaled)
	}
	for k := range logs {
		logs[k] += (from-to)*a.delta[k] + a.cgf[1][k] - a.cgf[0][k]
	}
}

// slopes returns the mean and the variance over the chains of −dE_β/dβ at β, from a difference quotient of width h.
func (a *Annealing) slopes(beta, h float64) (mean, variance float64) {
	lo, hi := max(0, beta-h), min(1, beta+h)
	values := make([]float64, len(a.delta))
	a.addLogRatios(values, lo, hi)
	mean, variance = stat.MeanVariance(values, nil)
	return mean / (hi - lo), variance / ((hi - lo) * (hi - lo))
}
