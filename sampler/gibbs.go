package sampler

import (
	"fmt"
	"math"

	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/unit"
)

// Gibbs is alternating Gibbs sampling (Alg. 1 of the paper): h from P(h|v), then v from
// P(v|h). It leaves P(v) unchanged and is in detailed balance with it.
//
// At an inverse temperature β it runs on n copies of the hidden units, with all energies
// multiplied by b = β/n, where n ≥ 1 is the whole number nearest to β. For whole β this
// is the paper's trick, and for Gaussian hidden units n = 1 will do: in both cases its
// law is P(v)^β. Elsewhere its result is a proposal, corrected by Metropolis' test on
// βE_eff(v) less the effective energy of what is run. That difference,
// n ΣΓ_μ^b(bI_μ) − β ΣΓ_μ(I_μ), stays small where energies are large, so that most
// proposals are accepted.
type Gibbs struct {
	model    *rbm.RBM
	beta     float64
	copies   int
	proposal *rbm.RBM  // the model that is run
	scaled   rbm.Layer // one copy of its hidden layer; nil when there is nothing to correct
	up, down *halfStep
}

var _ Kernel = (*Gibbs)(nil)

// maxCopies bounds the memory that a large β asks for; above, Metropolis and Glauber
// moves cost nothing extra.
const maxCopies = 1024

// NewGibbs prepares alternating Gibbs sampling of P(v)^β.
func NewGibbs(m *rbm.RBM, beta float64) (*Gibbs, error) {
	if err := checkBeta(m, beta); err != nil {
		return nil, err
	}
	g := &Gibbs{model: m, beta: beta, copies: 1}
	gaussian := m.Hidden.Spec().Type == unit.Gaussian
	if !gaussian {
		if beta > maxCopies {
			return nil, fmt.Errorf("β = %g needs as many copies of the hidden units: expected at most %d, or use the metropolis sampler", beta, maxCopies)
		}
		g.copies = max(1, int(math.Round(beta)))
	}
	var err error
	switch b := beta / float64(g.copies); b {
	case 0: // every configuration alike: a model without weights and fields
		g.proposal, err = rbm.New(m.Visible.Spec(), m.Hidden.Spec())
	case 1:
		g.proposal, err = m.Copies(g.copies)
	default:
		if g.proposal, err = m.Copies(g.copies); err != nil {
			break
		}
		if g.proposal, err = g.proposal.Scaled(b); err != nil {
			break
		}
		if err = keepSize(g.proposal, b); err != nil || gaussian {
			break
		}
		var one *rbm.RBM
		if one, err = m.Scaled(b); err == nil {
			g.scaled = one.Hidden
		}
	}
	if err != nil {
		return nil, err
	}
	if g.up, err = newHalfStep(g.proposal, upward); err != nil {
		return nil, err
	}
	g.down, err = newHalfStep(g.proposal, downward)
	return g, err
}

// keepSize undoes, by a gauge, the growth of real hidden units as 1/√b when energies are
// scaled by b: float32 would not hold them at very high temperatures.
func keepSize(m *rbm.RBM, b float64) error {
	spec := m.Hidden.Spec()
	if spec.Type.Discrete() {
		return nil
	}
	for mu := range spec.N {
		if err := m.Scale(mu, math.Sqrt(b)); err != nil {
			return err
		}
	}
	return nil
}

func (g *Gibbs) Name() string      { return "gibbs" }
func (g *Gibbs) Model() *rbm.RBM   { return g.model }
func (g *Gibbs) Beta() float64     { return g.beta }
func (g *Gibbs) Hidden() rbm.Layer { return g.proposal.Hidden }
func (g *Gibbs) Steps() int        { return 1 }

// gibbsWorker moves blocks of chains side by side.
type gibbsWorker struct {
	*Gibbs
	blocks map[int]*gibbsBlock // by the number of chains
}

// maxBlock is the largest number of chains that are moved side by side: enough to pay
// for the tables that a product makes, few enough for the cache.
const maxBlock = 512

// maxScratch is the largest number of scratch spaces that a worker keeps: chains in equal blocks need two, a full one and the
// last.
const maxScratch = 8

// gibbsBlock is the scratch space for a number of chains.
type gibbsBlock struct {
	h        *unit.States
	up, down *halfScratch
	correct  *correction // nil where there is nothing to correct
}

// correction is the scratch of the Metropolis test.
type correction struct {
	v               *unit.States // the proposals
	excess          []float64    // of each chain where it stands
	x               []float64
	inputs, scaledI []float64
}

func (g *Gibbs) Worker() Worker { return &gibbsWorker{g, map[int]*gibbsBlock{}} }

// block returns the scratch for n chains, which is made at the first use.
func (w *gibbsWorker) block(n int) *gibbsBlock {
	if b := w.blocks[n]; b != nil {
		return b
	}
	b := &gibbsBlock{
		h:  unit.NewStates(w.proposal.Hidden.Spec(), n),
		up: w.up.scratch(n), down: w.down.scratch(n),
	}
	if w.scaled != nil {
		width := w.scaled.Spec().Width()
		b.correct = &correction{
			v: unit.NewStates(w.model.Visible.Spec(), n), excess: make([]float64, n),
			x: make([]float64, w.model.Visible.Spec().N), inputs: make([]float64, width), scaledI: make([]float64, width),
		}
	}
	if len(w.blocks) == maxScratch { // of a number of chains that goes on changing
		clear(w.blocks)
	}
	w.blocks[n] = b
	return b
}

func (w *gibbsWorker) Sweep(c *Chains, lo, hi int, first uint64, n int) {
	for ; lo < hi; lo += maxBlock {
		end := min(lo+maxBlock, hi)
		b := w.block(end - lo)
		if b.correct != nil {
			w.correctedSweeps(b, c, lo, first, n)
		} else {
			for t := range uint64(n) {
				w.step(b, c.V, lo, c, lo, first+t)
			}
		}
		for k := lo; k < end; k++ {
			c.Proposed[k] += uint64(n)
			if b.correct == nil {
				c.Accepted[k] += uint64(n)
			}
		}
	}
}

// step draws configurations of dst, from row on, from those of the chains from lo on.
func (w *gibbsWorker) step(b *gibbsBlock, dst *unit.States, row int, c *Chains, lo int, sweep uint64) {
	chain := c.First + uint32(lo)
	w.up.run(b.up, b.h, 0, c.V, lo, rng.New(c.Seed, rng.Hidden, chain, sweep))
	w.down.run(b.down, dst, row, b.h, 0, rng.New(c.Seed, rng.Visible, chain, sweep))
}

func (w *gibbsWorker) correctedSweeps(b *gibbsBlock, c *Chains, lo int, first uint64, n int) {
	t := b.correct
	for k := range t.excess {
		t.excess[k] = w.excess(t, c.V, lo+k)
	}
	for s := range uint64(n) {
		w.step(b, t.v, 0, c, lo, first+s)
		for k := range t.excess {
			proposed := w.excess(t, t.v, k)
			u := rng.Uniform(rng.New(c.Seed, rng.Accept, c.First+uint32(lo+k), first+s).Block(0)[0])
			if u < math.Exp(t.excess[k]-proposed) {
				c.V.CopyRow(lo+k, t.v, k)
				t.excess[k] = proposed
				c.Accepted[lo+k]++
			}
		}
	}
}

// excess is βE_eff less the effective energy of the proposal's model, for configuration k
// of v; the visible potentials are the same in both.
func (w *gibbsWorker) excess(t *correction, v *unit.States, k int) float64 {
	v.Values(t.x, k)
	w.model.Inputs(t.inputs, t.x)
	n := float64(w.copies)
	for mu, I := range t.inputs {
		t.scaledI[mu] = w.beta / n * I
	}
	return n*w.scaled.CGF(t.scaledI) - w.beta*w.model.Hidden.CGF(t.inputs)
}

// Transition sums P(h|v) P(v'|h) over h, then applies the Metropolis test.
func (g *Gibbs) Transition(v, h *rbm.Space) (*rbm.Transition, error) {
	up := conditional(g.proposal, v, h)
	down := conditional(g.proposal.Transpose(), h, v)
	excess := make([]float64, v.Size())
	x := make([]float64, v.Spec().N)
	for a := range excess {
		v.State(x, a)
		excess[a] = g.beta*g.model.EffectiveEnergy(x) - g.proposal.EffectiveEnergy(x)
	}
	row := make([]float64, v.Size())
	return rbm.NewTransition(v.Size(), 1e-9, func(from int, emit func(to int, p float64)) {
		clear(row)
		for b, p := range up[from] {
			for to, q := range down[b] {
				row[to] += p * q
			}
		}
		for to, p := range row {
			accept := min(1, math.Exp(excess[from]-excess[to]))
			emit(to, p*accept)
			emit(from, p*(1-accept))
		}
	})
}

// conditional is the matrix P(y|x) over two spaces, x in the visible layer of m.
func conditional(m *rbm.RBM, xs, ys *rbm.Space) [][]float64 {
	p := make([][]float64, xs.Size())
	x, y := make([]float64, xs.Spec().N), make([]float64, ys.Spec().N)
	for a := range p {
		xs.State(x, a)
		norm := -m.EffectiveEnergy(x)
		p[a] = make([]float64, ys.Size())
		for b := range p[a] {
			ys.State(y, b)
			p[a][b] = ys.Weight(b) * math.Exp(-m.Energy(x, y)-norm)
		}
	}
	return p
}
