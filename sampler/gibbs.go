package sampler

import (
	"fmt"
	"math"

	"instanton/batch"
	"instanton/rbm"
	"instanton/unit"
)

// Gibbs is alternating Gibbs sampling (Alg. 1 of the paper): h from P(h|v), then v from P(v|h). It leaves P(v)
// invariant and satisfies detailed balance with it.
//
// At an inverse temperature β it runs on n copies of the hidden units, with all energies multiplied by b = β/n, where
// n ≥ 1 is the integer nearest to β. The resulting law is P(v)^β if β is an integer (the trick of the paper) and, with
// n = 1, if the hidden units are Gaussian. Otherwise the result is a proposal, which a Correction accepts or rejects.
type Gibbs struct {
	model    *rbm.RBM
	beta     float64
	copies   int
	proposal *rbm.RBM  // the model that is run
	scaled   rbm.Layer // one copy of its hidden layer; nil if there is nothing to correct
	engine   batch.Engine
	target   batch.Engine // of the model itself; nil if there is nothing to correct
}

var (
	_ Enumerable = (*Gibbs)(nil)
	_ Updatable  = (*Gibbs)(nil)
)

// maxCopies bounds the memory that a large β needs; beyond it, use Metropolis or Glauber moves, which need no copies.
const maxCopies = 1024

// NewGibbs prepares alternating Gibbs sampling of P(v)^β on the processor.
func NewGibbs(m *rbm.RBM, beta float64) (*Gibbs, error) { return NewGibbsOn(nil, m, beta) }

// NewGibbsOn prepares alternating Gibbs sampling of P(v)^β on a device, nil for the processor.
func NewGibbsOn(d batch.Device, m *rbm.RBM, beta float64) (*Gibbs, error) {
	if err := checkBeta(m, beta); err != nil {
		return nil, err
	}
	g := &Gibbs{model: m, beta: beta, copies: 1}
	if err := g.propose(); err != nil {
		return nil, err
	}
	var err error
	if g.engine, err = d.Prepare(g.proposal, 1); err != nil {
		return nil, err
	}
	if g.scaled != nil {
		g.target, err = d.Prepare(m, 1)
	}
	return g, err
}

// propose builds the model that is run.
func (g *Gibbs) propose() (err error) {
	m, gaussian := g.model, g.model.Hidden.Spec().Type == unit.Gaussian
	if !gaussian {
		if g.beta > maxCopies {
			return fmt.Errorf("β = %g needs as many copies of the hidden units: expected β of at most %d, or the "+
				"metropolis sampler", g.beta, maxCopies)
		}
		g.copies = max(1, int(math.Round(g.beta)))
	}
	b := g.beta / float64(g.copies)
	if b == 0 { // a uniform law: no weights and no fields
		g.proposal, err = rbm.New(m.Visible.Spec(), m.Hidden.Spec())
		return err
	}
	if g.proposal, err = m.Copies(g.copies); err != nil || b == 1 {
		return err
	}
	if g.proposal, err = g.proposal.Scaled(b); err != nil {
		return err
	}
	if err = keepSize(g.proposal, b); err != nil || gaussian {
		return err
	}
	one, err := m.Scaled(b)
	if err == nil {
		g.scaled = one.Hidden
	}
	return err
}

// keepSize undoes, by a gauge, the growth of real hidden units as 1/√b when energies are scaled by b: at very high
// temperatures they would exceed the range of float32.
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

// Update gives the kernel the parameters of a model of the same shape, as training does after every step. Existing
// workers then use them; none may be running meanwhile. At β = 1 no new memory is needed.
func (g *Gibbs) Update(m *rbm.RBM) error {
	if g.beta == 1 {
		g.model, g.proposal = m, m
		return g.engine.Set(m)
	}
	fresh := &Gibbs{model: m, beta: g.beta, copies: 1}
	if err := fresh.propose(); err != nil {
		return err
	}
	g.model, g.proposal, g.scaled = m, fresh.proposal, fresh.scaled
	if g.target != nil {
		if err := g.target.Set(m); err != nil {
			return err
		}
	}
	return g.engine.Set(g.proposal)
}

// Name, Model and Beta say which kernel this is and what it leaves invariant.
func (g *Gibbs) Name() string    { return "gibbs" }
func (g *Gibbs) Model() *rbm.RBM { return g.model }
func (g *Gibbs) Beta() float64   { return g.beta }

// Proposal is the model that is run: the model itself at β = 1, otherwise one with scaled energies and the given
// number of copies of the hidden units. Copy c of hidden unit μ is unit c·M+μ.
func (g *Gibbs) Proposal() (m *rbm.RBM, copies int) { return g.proposal, g.copies }

// Engine is the engine of the model that is run.
func (g *Gibbs) Engine() batch.Engine { return g.engine }

// Whole tells whether the device wants all chains at once.
func (g *Gibbs) Whole() bool {
	w, ok := g.engine.(batch.Whole)
	return ok && w.Whole()
}

// gibbsWorker moves blocks of chains side by side.
type gibbsWorker struct {
	rows       batch.Worker
	h, v       *unit.States // hidden units and proposals, if there is something to correct
	correction *Correction
}

// Worker returns what one goroutine needs to move chains.
func (g *Gibbs) Worker() Worker {
	return &gibbsWorker{rows: g.engine.Worker(), correction: g.Correction()}
}

func (w *gibbsWorker) Sweep(c *Chains, lo, hi int, first uint64, n int) {
	stream := c.stream(lo, first)
	if w.correction == nil {
		w.rows.Sweep(c.V, lo, hi-lo, stream, n)
		c.count(lo, hi, uint64(n), uint64(n))
		return
	}
	for ; lo < hi; lo += batch.MaxRows {
		w.corrected(c, lo, min(lo+batch.MaxRows, hi), first, n)
	}
}

// corrected makes sweeps whose results the correction accepts or rejects.
func (w *gibbsWorker) corrected(c *Chains, lo, hi int, first uint64, n int) {
	rows := hi - lo
	if w.h == nil || w.h.Len < rows {
		w.h = unit.NewStates(w.correction.of.proposal.Hidden.Spec(), rows)
		w.v = unit.NewStates(c.V.Spec, rows)
	}
	w.correction.Begin(c.V, lo, rows)
	for t := range uint64(n) {
		s := c.stream(lo, first+t)
		w.rows.Draw(batch.Hidden, w.h, 0, c.V, lo, rows, s)
		w.rows.Draw(batch.Visible, w.v, 0, w.h, 0, rows, s)
		w.correction.Test(c, lo, w.v, first+t)
	}
}

// Hidden is the layer whose space Transition needs.
func (g *Gibbs) Hidden() rbm.Layer { return g.proposal.Hidden }

// Cost is the number of multiply-adds of a sweep of one chain: two products with the weights of the model that is run.
func (g *Gibbs) Cost() float64 {
	run := g.Engine().Model()
	return 2 * float64(run.Visible.Spec().Width()) * float64(run.Hidden.Spec().Width())
}

// Steps is the number of steps of Transition in one sweep.
func (g *Gibbs) Steps() int { return 1 }

// Transition sums P(h|v) P(v'|h) over h, then applies the Metropolis test.
func (g *Gibbs) Transition(v, h *rbm.Space) (*rbm.Transition, error) {
	up := Conditional(g.proposal, v, h)
	down := Conditional(g.proposal.Transpose(), h, v)
	excess := g.Excess(v)
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

// Conditional is the matrix P(y|x) over two spaces, where x belongs to the visible layer of m.
func Conditional(m *rbm.RBM, xs, ys *rbm.Space) [][]float64 {
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
