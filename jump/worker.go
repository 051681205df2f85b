package jump

import (
	"math"

	"instanton/batch"
	"instanton/internal/rng"
	"instanton/sampler"
	"instanton/unit"
)

// blockRows is the number of chains that are moved side by side.
const blockRows = 256

// worker moves chains for one goroutine.
type worker struct {
	*Kernel
	steps  sampler.Worker // of Gibbs sampling
	rows   batch.Worker   // of the model
	target batch.Worker   // energies of the layer
	drawer Drawer

	h, proposed        *unit.States
	energy, newEnergy  []float64
	logq, newLogq      []float64
	moves, moveAccepts []uint64 // counts of the chains before Gibbs steps, which do not count as jumps
}

// Worker returns what one goroutine needs.
func (k *Kernel) Worker() sampler.Worker {
	w := &worker{
		Kernel: k, steps: k.gibbs.Worker(), rows: k.gibbs.Engine().Worker(), target: k.target.Worker(),
		drawer: k.proposal.Drawer(), proposed: unit.NewStates(k.spec(), blockRows),
	}
	if k.side == batch.Hidden {
		w.h = unit.NewStates(k.spec(), blockRows)
	}
	for _, x := range []*[]float64{&w.energy, &w.newEnergy, &w.logq, &w.newLogq} {
		*x = make([]float64, blockRows)
	}
	w.moves, w.moveAccepts = make([]uint64, blockRows), make([]uint64, blockRows)
	return w
}

func (w *worker) Sweep(c *sampler.Chains, lo, hi int, first uint64, n int) {
	for ; lo < hi; lo += blockRows {
		end := min(lo+blockRows, hi)
		for t := range uint64(n) {
			w.sweep(c, lo, end, first+t)
		}
	}
}

// sweep makes Gibbs steps, the jump, and Gibbs steps. Each step has a number of its own.
func (w *worker) sweep(c *sampler.Chains, lo, hi int, sweep uint64) {
	first := sweep * uint64(2*w.around+1)
	w.gibbsSteps(c, lo, hi, first)
	s := batch.Stream{Seed: c.Seed, Chain: c.First + uint32(lo), Sweep: first + uint64(w.around)}
	if w.side == batch.Visible {
		w.jump(c, lo, hi, c.V, lo, s)
	} else {
		w.rows.Draw(batch.Hidden, w.h, 0, c.V, lo, hi-lo, s)
		w.jump(c, lo, hi, w.h, 0, s)
		w.rows.Draw(batch.Visible, c.V, lo, w.h, 0, hi-lo, s)
	}
	w.gibbsSteps(c, lo, hi, first+uint64(w.around)+1)
}

// gibbsSteps makes the steps on one side of a jump.
func (w *worker) gibbsSteps(c *sampler.Chains, lo, hi int, first uint64) {
	if w.around == 0 {
		return
	}
	copy(w.moves, c.Proposed[lo:hi])
	copy(w.moveAccepts, c.Accepted[lo:hi])
	w.steps.Sweep(c, lo, hi, first, w.around)
	copy(c.Proposed[lo:hi], w.moves)
	copy(c.Accepted[lo:hi], w.moveAccepts)
}

// jump tests one proposal per chain; their configurations are rows of x, starting at row at.
func (w *worker) jump(c *sampler.Chains, lo, hi int, x *unit.States, at int, s batch.Stream) {
	n, beta := hi-lo, w.gibbs.Beta()
	w.target.Energies(w.energy[:n], x, at)
	w.drawer.Score(w.logq[:n], x, at)
	w.drawer.Draw(w.proposed, 0, w.newLogq[:n], s)
	w.target.Energies(w.newEnergy[:n], w.proposed, 0)
	for k := range n {
		u := rng.Uniform(rng.New(s.Seed, rng.Jump, s.Chain+uint32(k), s.Sweep).Block(0)[testWord])
		c.Proposed[lo+k]++
		if u < math.Exp(beta*(w.energy[k]-w.newEnergy[k])+w.logq[k]-w.newLogq[k]) {
			x.CopyRow(at+k, w.proposed, k)
			c.Accepted[lo+k]++
		}
	}
}
