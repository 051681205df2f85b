package latent

import (
	"math"

	"instanton/batch"
	"instanton/internal/kernel"
	"instanton/internal/rng"
	"instanton/sampler"
	"instanton/unit"
)

// group is the number of chains that are moved together, numbers 0 to 15, 16 to 31 and so on. They share the order of
// their moves, and a move is made in all of them before the next, so that its table stays in the cache.
const group = 16

// worker moves up to a group of chains at a time.
type worker struct {
	*Kernel
	rows   batch.Worker
	test   *sampler.Correction // where β requires one
	h, v   *unit.States        // hidden units of the chains, and proposals
	moves  *moveSequence
	ints   streamInts
	chains []chain
	move   mover
}

// chain is the state of a chain within a sweep.
type chain struct {
	h        []float64
	x        []float64 // fields on the visible channels, their own included
	total    float64   // ΣΓ(x)
	stream   rng.Stream
	proposed uint64
	accepted uint64
}

// mover makes moves and holds their scratch space.
type mover interface {
	// prepare is called before a move is made in several chains.
	prepare(units []int)
	// move changes units of one chain and counts proposed and accepted moves. Pairs of real units need more than four
	// random words.
	move(c *chain, units []int, words, more [4]uint32)
}

// Worker returns what one goroutine needs.
func (k *Kernel) Worker() sampler.Worker {
	visible, hidden := k.proposal.Visible.Spec(), k.proposal.Hidden.Spec()
	w := &worker{
		Kernel: k, rows: k.gibbs.Engine().Worker(), test: k.gibbs.Correction(),
		moves: k.scan.sequence(), chains: make([]chain, group),
		h: unit.NewStates(hidden, group), v: unit.NewStates(visible, group),
	}
	for j := range w.chains {
		w.chains[j].h, w.chains[j].x = make([]float64, hidden.N), make([]float64, visible.Width())
	}
	sums := newVisibleSum(visible)
	if hidden.Type.Discrete() {
		w.move = newStateMover(k, sums)
	} else {
		w.move = newRealMover(k, sums)
	}
	return w
}

func (w *worker) Sweep(c *sampler.Chains, lo, hi int, first uint64, n int) {
	for lo < hi {
		rows := min(group-(int(c.First)+lo)%group, hi-lo)
		if w.test != nil {
			w.test.Begin(c.V, lo, rows)
		}
		for t := range uint64(n) {
			w.sweep(c, lo, rows, first+t)
		}
		lo += rows
	}
}

func (w *worker) sweep(c *sampler.Chains, lo, rows int, sweep uint64) {
	chains, first := w.chains[:rows], c.First+uint32(lo)
	stream := batch.Stream{Seed: c.Seed, Chain: first, Sweep: sweep}
	w.rows.Draw(batch.Hidden, w.h, 0, c.V, lo, rows, stream)
	for j := range chains {
		w.begin(&chains[j], w.h, j)
		chains[j].stream = rng.New(c.Seed, rng.Latent, first+uint32(j), sweep)
	}
	w.ints = streamInts{stream: rng.New(c.Seed, rng.Order, first/group, sweep)}
	w.scan.fill(w.moves, &w.ints)
	for k, units := range w.moves.moves {
		w.move.prepare(units)
		for j := range chains {
			s := &chains[j]
			words, more := s.stream.Block(uint32(2*k)), [4]uint32{}
			if len(units) > 1 {
				more = s.stream.Block(uint32(2*k + 1))
			}
			w.move.move(s, units, words, more)
		}
	}
	for j := range chains {
		w.h.SetValues(j, chains[j].h)
	}
	if w.test != nil {
		w.rows.Draw(batch.Visible, w.v, 0, w.h, 0, rows, stream)
		w.test.Test(c, lo, w.v, sweep)
		return
	}
	w.rows.Draw(batch.Visible, c.V, lo, w.h, 0, rows, stream)
	for j := range chains {
		c.Proposed[lo+j] += chains[j].proposed
		c.Accepted[lo+j] += chains[j].accepted
	}
}

// begin reads a hidden configuration and computes its fields on the visible units.
func (w *worker) begin(s *chain, h *unit.States, j int) {
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
	s.proposed, s.accepted = 0, 0
}

// visibleSum sums out the visible units: ΣΓ_i(x_i) with x the fields on their channels.
type visibleSum struct {
	sums *kernel.LogSums
	spin bool
	zero *table // the one node zero, for Potts units
	one  []float64
}

func newVisibleSum(spec unit.Spec) *visibleSum {
	s := &visibleSum{sums: kernel.NewLogSums(spec.Width()), spin: spec.Type == unit.Spin, one: make([]float64, 1)}
	if spec.Type == unit.Potts {
		s.zero = newTable(spec, 1)
		s.zero.set(make([]float64, spec.Width()), 0)
	}
	return s
}

// total is ΣΓ(x).
func (s *visibleSum) total(x []float64) float64 {
	if s.zero == nil {
		return s.sums.Sum(x, s.spin)
	}
	s.along(s.one, s.zero, x)
	return s.one[0]
}

// along sets dst to ΣΓ(x + ω·node) at the first nodes of a table.
func (s *visibleSum) along(dst []float64, t *table, x []float64) {
	if t.potts != nil {
		s.sums.AlongPotts(dst, t.potts, x)
	} else {
		s.sums.Along(dst, t.bits, x)
	}
}

// plane sets dst to ΣΓ at pairs of the first nodes of two tables, in rows of cols.
func (s *visibleSum) plane(dst []float64, cols int, a, b *table, x []float64) {
	if a.potts != nil {
		s.sums.PlanePotts(dst, cols, a.potts, b.potts, x)
	} else {
		s.sums.Plane(dst, cols, a.bits, b.bits, x)
	}
}
