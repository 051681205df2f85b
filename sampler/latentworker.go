package sampler

import (
	"math"

	"instanton/internal/kernel"
	"instanton/internal/rng"
	"instanton/unit"
)

// side is the number of chains that are moved side by side, numbers 0 to 15, 16 to 31 and so
// on. They share the order of their moves, and a move is made in all of them before the
// next, so that its table is read while it is near.
const side = 16

// latentWorker moves up to side chains at a time.
type latentWorker struct {
	*Latent
	gibbs  *gibbsWorker // draws h and v, and puts v to the test where β asks for one
	agenda *agenda
	dice   dice
	walker []walker
	move   mover
}

// walker is a chain within a sweep.
type walker struct {
	h       []float64
	x       []float64 // fields on the visible channels, their own included
	total   float64   // ΣΓ(x)
	dice    rng.Stream
	tries   uint64
	success uint64
}

// mover makes moves; it holds the scratch of one.
type mover interface {
	// prepare is called before a move is made in several chains.
	prepare(units []int)
	// move changes the units of one chain and counts tries and successes. Pairs of real
	// units need more than four random words.
	move(c *walker, units []int, words, more [4]uint32)
}

func (k *Latent) Worker() Worker {
	visible, hidden := k.proposal.Visible.Spec(), k.proposal.Hidden.Spec()
	w := &latentWorker{
		Latent: k, gibbs: k.Gibbs.Worker().(*gibbsWorker), agenda: k.order.agenda(), walker: make([]walker, side),
	}
	for j := range w.walker {
		w.walker[j].h, w.walker[j].x = make([]float64, hidden.N), make([]float64, visible.Width())
	}
	sums := newSummer(visible)
	if hidden.Type.Discrete() {
		w.move = newStateMover(k, sums)
	} else {
		w.move = newRealMover(k, sums)
	}
	return w
}

func (w *latentWorker) Sweep(c *Chains, lo, hi int, first uint64, n int) {
	for lo < hi {
		block := w.gibbs.block(min(side-(int(c.First)+lo)%side, hi-lo))
		for t := range uint64(n) {
			w.sweep(block, c, lo, first+t)
		}
		lo += block.h.Len
	}
}

func (w *latentWorker) sweep(b *gibbsBlock, c *Chains, lo int, sweep uint64) {
	chains, first := w.walker[:b.h.Len], c.First+uint32(lo)
	w.up.run(b.up, b.h, 0, c.V, lo, rng.New(c.Seed, rng.Hidden, first, sweep))
	for j := range chains {
		w.begin(&chains[j], b.h, j)
		chains[j].dice = rng.New(c.Seed, rng.Latent, first+uint32(j), sweep)
	}
	w.dice = dice{stream: rng.New(c.Seed, rng.Order, first/side, sweep)}
	w.order.fill(w.agenda, &w.dice)
	for k, units := range w.agenda.moves {
		w.move.prepare(units)
		for j := range chains {
			s := &chains[j]
			words, more := s.dice.Block(uint32(2*k)), [4]uint32{}
			if len(units) > 1 {
				more = s.dice.Block(uint32(2*k + 1))
			}
			w.move.move(s, units, words, more)
		}
	}
	for j := range chains {
		b.h.SetValues(j, chains[j].h)
	}
	draw := rng.New(c.Seed, rng.Visible, first, sweep)
	if b.correct != nil {
		w.down.run(b.down, b.correct.v, 0, b.h, 0, draw)
		w.test(b.correct, c, lo, sweep)
		return
	}
	w.down.run(b.down, c.V, lo, b.h, 0, draw)
	for j := range chains {
		c.Proposed[lo+j] += chains[j].tries
		c.Accepted[lo+j] += chains[j].success
	}
}

// begin takes a hidden configuration and computes the fields that it gives.
func (w *latentWorker) begin(s *walker, h *unit.States, j int) {
	h.Values(s.h, j)
	clear(s.x)
	spec := w.proposal.Hidden.Spec()
	for mu, value := range s.h {
		if spec.Type == unit.Potts {
			kernel.AddTimes(s.x, s.x, 1, w.columns[mu*spec.Q+int(value)])
		} else {
			kernel.AddTimes(s.x, s.x, value, w.columns[mu])
		}
	}
	kernel.AddTimes(s.x, s.x, 1, w.fields)
	s.total = math.NaN()
	s.tries, s.success = 0, 0
}

// test is Metropolis' test at β, as in Gibbs.
func (w *latentWorker) test(t *correction, c *Chains, lo int, sweep uint64) {
	for k := range t.v.Len {
		u := rng.Uniform(rng.New(c.Seed, rng.Accept, c.First+uint32(lo+k), sweep).Block(0)[0])
		c.Proposed[lo+k]++
		if u < math.Exp(w.gibbs.excess(t, c.V, lo+k)-w.gibbs.excess(t, t.v, k)) {
			c.V.CopyRow(lo+k, t.v, k)
			c.Accepted[lo+k]++
		}
	}
}

// summer sums the visible units out: ΣΓ_i(x_i) with x the fields on their channels.
type summer struct {
	sums *kernel.LogSums
	spin bool
	here *table // the one node zero, for Potts units
	one  []float64
}

func newSummer(spec unit.Spec) *summer {
	s := &summer{sums: kernel.NewLogSums(spec.Width()), spin: spec.Type == unit.Spin, one: make([]float64, 1)}
	if spec.Type == unit.Potts {
		s.here = newTable(spec, 1)
		s.here.set(make([]float64, spec.Width()), 0)
	}
	return s
}

// total is ΣΓ(x).
func (s *summer) total(x []float64) float64 {
	if s.here == nil {
		return s.sums.Total(x, s.spin)
	}
	s.along(s.one, s.here, x)
	return s.one[0]
}

// along sets dst to ΣΓ(x + ω·node) at the first nodes of a table.
func (s *summer) along(dst []float64, t *table, x []float64) {
	if t.potts != nil {
		s.sums.AlongPotts(dst, t.potts, x)
	} else {
		s.sums.Along(dst, t.bits, x)
	}
}

// plane sets dst to ΣΓ at pairs of the first nodes of two tables, in rows of cols.
func (s *summer) plane(dst []float64, cols int, a, b *table, x []float64) {
	if a.potts != nil {
		s.sums.PlanePotts(dst, cols, a.potts, b.potts, x)
	} else {
		s.sums.Plane(dst, cols, a.bits, b.bits, x)
	}
}
