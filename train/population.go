package train

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat"

	"instanton/batch"
	"instanton/evaluate"
	"instanton/internal/rng"
	"instanton/internal/special"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// population is a set of weighted chains of its own that follows a model through its training, and with it log Z.
//
// It starts at independent sites, whose log Z is known. From one model θ to the next it goes through models on the
// straight line between their parameters, each an RBM since potentials are linear in them. A chain at v multiplies its
// weight by e^{E_θ(v) − E_θ'(v)} and then makes a sweep that leaves P_θ' invariant. The mean of the weights is an
// unbiased estimate of Z_θ'/Z_0, whether or not the chains are in equilibrium (annealed importance sampling along the
// training). Where few chains carry the weight, they are resampled.
//
// Chains are resampled within islands only, so that these are independent and their spread is the error of log Z.
type population struct {
	at     *rbm.RBM // the model that the chains have reached
	chains *sampler.Chains
	logs   []float64 // of the weight of every chain, since it was last resampled
	base   []float64 // log Z of every island when its chains were last resampled
	lost   bool      // resumed from a checkpoint without it
	start  *rbm.RBM  // independent sites
	starts []float64 // how often the chains have started there

	next       *rbm.RBM
	engine     batch.Engine
	kernel     *sampler.Gibbs
	pool       *sampler.Pool
	from, to   []float64 // energies of the chains
	spare      *unit.States
	islandLogs []float64
}

// Sizes of the population, and how it moves.
const (
	islands    = 8
	islandSize = 32
	firstChain = 1 << 31 // of the population: the chains of the training have the numbers below
	stepSpread = 0.25    // of the logarithms of weights in one step
	leastESS   = 0.5     // of an island, else it is resampled
)

// newPopulation starts at independent sites, with the hidden layer of the model and no weights.
func newPopulation(m *rbm.RBM, sites rbm.Layer, seed uint64, workers int) (*population, error) {
	at := m.Clone()
	at.Visible = sites
	clear(at.W)
	at = at.Clone() // shares nothing with the sites
	n := islands * islandSize
	p := &population{
		at: at, next: m.Clone(), chains: sampler.NewChains(m, n, seed),
		logs: make([]float64, n), base: make([]float64, islands), starts: make([]float64, 1),
		from: make([]float64, n), to: make([]float64, n), spare: unit.NewStates(m.Visible.Spec(), n),
		islandLogs: make([]float64, islands),
	}
	p.chains.First = firstChain
	p.start = at.Clone()
	p.begin()
	var err error
	if p.engine, err = batch.New(at, workers); err != nil {
		return nil, err
	}
	if p.kernel, err = sampler.NewGibbs(at, 1); err != nil {
		return nil, err
	}
	p.pool = sampler.NewPool(p.kernel, workers)
	return p, nil
}

// begin puts the chains back to the independent sites; every time they start with other draws.
func (p *population) begin() {
	copyParameters(p.at, p.start)
	p.starts[0]++
	p.chains.DrawIndependent(p.at.Visible, 1+uint64(p.starts[0]))
	logZ := p.at.Visible.CGF(make([]float64, p.at.Visible.Spec().Width())) +
		p.at.Hidden.CGF(make([]float64, p.at.Hidden.Spec().Width()))
	for g := range p.base {
		p.base[g] = logZ
	}
	clear(p.logs)
}

// follow takes the chains to a model, in at most the given number of steps.
func (p *population) follow(ctx context.Context, m *rbm.RBM, most int) error {
	if err := p.energies(p.from, p.at); err != nil {
		return err
	}
	for done := 0.0; done < 1; most-- {
		if err := p.energies(p.to, m); err != nil {
			return err
		}
		share := max(min(1, stepSpread/p.spread()), 1/float64(max(1, most)))
		target := m
		if share < 1 {
			done += share * (1 - done)
			interpolate(p.next, p.at, m, share)
			target = p.next
			if err := p.energies(p.to, target); err != nil {
				return err
			}
		} else {
			done = 1
		}
		for k := range p.logs {
			p.logs[k] += p.from[k] - p.to[k]
		}
		p.resample()
		if err := p.kernel.Update(target); err != nil {
			return err
		}
		if err := p.pool.Run(ctx, p.chains, 1); err != nil {
			return err
		}
		copyParameters(p.at, target)
		if done < 1 {
			if err := p.energies(p.from, p.at); err != nil {
				return err
			}
		}
	}
	return nil
}

// energies sets dst to E_eff of the chains under a model.
func (p *population) energies(dst []float64, m *rbm.RBM) error {
	if err := p.engine.Set(m); err != nil {
		return err
	}
	p.engine.EffectiveEnergies(dst, batch.Visible, p.chains.V)
	return nil
}

// spread is the standard deviation of the change of energy, for the island where it is largest.
func (p *population) spread() (most float64) {
	change := make([]float64, islandSize)
	for g := range islands {
		for k := range change {
			at := g*islandSize + k
			change[k] = p.from[at] - p.to[at]
		}
		most = max(most, stat.StdDev(change, nil))
	}
	return max(most, 1e-9)
}

// resample draws chains in proportion to their weights, in the islands where few carry the weight (systematic
// resampling).
func (p *population) resample() {
	p.spare.CopyFrom(p.chains.V)
	for g := range islands {
		lo := g * islandSize
		logs := p.logs[lo : lo+islandSize]
		total := special.LogSumExp(logs)
		var squares float64
		for _, x := range logs {
			squares += math.Exp(2 * (x - total))
		}
		if !(squares*islandSize*leastESS > 1) {
			continue
		}
		u := rng.Uniform(rng.New(p.chains.Seed, rng.Resample, firstChain+uint32(g), p.chains.Sweep).Block(0)[0])
		evaluate.Resample(p.chains.V.Slice(lo, lo+islandSize), p.spare.Slice(lo, lo+islandSize), logs, u)
		p.base[g] += total - math.Log(islandSize)
		clear(logs)
	}
}

// logZ is the estimate with its standard error, from the mean μ and the variance s² of the estimates of the islands.
// Each Ẑ is unbiased, so that log Z = log⟨Ẑ⟩ = μ + s²/2 where their logarithms are Gaussian. The variance of n numbers
// has the standard error s²√(2/(n−1)).
func (p *population) logZ() (mean, standardError float64) {
	for g := range islands {
		p.islandLogs[g] = p.base[g] + special.LogSumExp(p.logs[g*islandSize:][:islandSize]) - math.Log(islandSize)
	}
	mean, variance := stat.MeanVariance(p.islandLogs, nil)
	return mean + variance/2, math.Sqrt(variance/islands + variance*variance/(2*(islands-1)))
}

// draws are configurations of the chains, in every island drawn in proportion to their weights.
func (p *population) draws() *unit.States {
	v := unit.NewStates(p.chains.V.Spec, p.chains.V.Len)
	for g := range islands {
		lo, hi := g*islandSize, (g+1)*islandSize
		evaluate.Resample(v.Slice(lo, hi), p.chains.V.Slice(lo, hi), p.logs[lo:hi], 0.5)
	}
	return v
}

// interpolate sets the parameters of m to those a share of the way between two models.
func interpolate(m, from, to *rbm.RBM, share float64) {
	a, b := parametersOf(from), parametersOf(to)
	for k, x := range parametersOf(m) {
		for i := range x {
			x[i] = (1-share)*a[k][i] + share*b[k][i]
		}
	}
}

func copyParameters(to, from *rbm.RBM) {
	x := parametersOf(from)
	for k, y := range parametersOf(to) {
		copy(y, x[k])
	}
}

// parametersOf lists the arrays of parameters of a model.
func parametersOf(m *rbm.RBM) [][]float64 {
	list := [][]float64{m.W}
	for _, l := range []rbm.Layer{m.Visible, m.Hidden} {
		for _, p := range l.Params() {
			list = append(list, p.Data)
		}
	}
	return list
}
