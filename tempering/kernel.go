package tempering

import (
	"fmt"

	"instanton/batch"
	"instanton/internal/parallel"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Kernel moves each chain together with its replicas on the other rungs of a ladder. It leaves the product of the laws
// of all rungs invariant.
type Kernel struct {
	ladder  ladder
	model   *rbm.RBM
	beta    float64
	balance *balance       // weights of classes on the rungs, or nil
	starts  []*unit.States // for each rung but the last, configurations from which replicas start; nil for any
	pilot   Pilot
}

var _ sampler.Replicated = (*Kernel)(nil)

// ladder is what a kind of ladder is made of. Rung r has the law ∝ e^{−F_r(v)}.
type ladder interface {
	name() string
	size() int            // the number K of rungs
	spec(r int) unit.Spec // of the configurations of rung r
	describe() string     // the rungs, in words
	worker() ladderWorker // for one goroutine
	// start is a first replica, where no pilot has left any.
	start(c *sampler.Chains, r int, v *unit.States, k int, stream rng.Stream)
	// logZ is log Z of the bottom rung, where it is known: Z_r = Σ_v e^{−F_r(v)}.
	logZ() (float64, bool)
}

// ladderWorker moves replicas for one goroutine. It works on at most batch.MaxRows rows at a time.
type ladderWorker interface {
	// step moves rows lo to hi−1 of the replicas of rung r by a kernel that leaves the law of the rung invariant.
	step(r int, c *sampler.Chains, lo, hi int, sweep uint64)
	// exchange proposes to exchange rows of rungs r and r+1 and tells which were accepted. bias is to be added to the
	// logarithm of the ratio that Metropolis' test compares with a uniform number.
	exchange(r int, low, high *sampler.Chains, lo, hi int, sweep uint64, bias []float64, accepted []bool)
	// energies sets dst to F_r of rows of v, starting at row lo.
	energies(dst []float64, r int, v *unit.States, lo int)
}

// Name, Model and Beta say which kernel this is and what it leaves invariant for the chain itself.
func (k *Kernel) Name() string    { return k.ladder.name() }
func (k *Kernel) Model() *rbm.RBM { return k.model }
func (k *Kernel) Beta() float64   { return k.beta }

// Rungs is the number of rungs, that of the model included.
func (k *Kernel) Rungs() int { return k.ladder.size() }

// Cost is the number of multiply-adds of a sweep of one chain: a Gibbs step of every rung, counted as one of the model.
func (k *Kernel) Cost() float64 {
	return float64(k.Rungs()) * 2 * float64(k.model.Visible.Spec().Width()) * float64(k.model.Hidden.Spec().Width())
}

// String describes the rungs, so that two runs can be told apart.
func (k *Kernel) String() string {
	text := k.ladder.describe()
	if k.balance != nil {
		text += fmt.Sprintf(", class weights %.6g", k.balance.weight)
	}
	return text
}

// Begin gives chains their replicas. Those of a ladder that a pilot prepared start where its replicas ended, chosen at
// random.
func (k *Kernel) Begin(c *sampler.Chains) error {
	n, below := c.V.Len, k.Rungs()-1
	if c.Replicas == nil {
		for r := range below {
			s := unit.NewStates(k.ladder.spec(r), n)
			for j := range n {
				stream := rng.New(c.Seed, rng.Swap, c.First+uint32(j), startSweep+uint64(r))
				if k.starts != nil {
					words := stream.Block(0)
					s.CopyRow(j, k.starts[r], rng.Below(words[0], words[1], k.starts[r].Len))
				} else {
					k.ladder.start(c, r, s, j, stream)
				}
			}
			c.Replicas = append(c.Replicas, s)
		}
		c.Tally = make([]uint64, n*k.layout().width)
		return nil
	}
	if len(c.Replicas) != below || len(c.Tally) != n*k.layout().width {
		return fmt.Errorf("chains with %d replicas and %d counts: the ladder has %d and %d", len(c.Replicas),
			len(c.Tally), below, n*k.layout().width)
	}
	for r, s := range c.Replicas {
		if s.Spec != k.ladder.spec(r) || s.Len != n {
			return fmt.Errorf("replica %d has %d configurations of %s: expected %d of %s", r, s.Len, s.Spec, n,
				k.ladder.spec(r))
		}
	}
	return nil
}

// Reduced returns the reduced energies −log of the law of rung r, up to its normalisation, of configurations: F_r(v),
// less the weight of the class of v where classes are balanced. At the last rung it is βE_eff(v).
func (k *Kernel) Reduced(r int, v *unit.States, workers int) []float64 {
	u := make([]float64, v.Len)
	blocks := parallel.Blocks(v.Len, batch.MaxRows)
	type scratch struct {
		rows    ladderWorker
		classes *classWorker
		class   []int
	}
	own := make([]scratch, parallel.Workers(workers, len(blocks)))
	parallel.For(workers, len(blocks), func(worker, b int) {
		s := &own[worker]
		if s.rows == nil {
			s.rows, s.class = k.ladder.worker(), make([]int, batch.MaxRows)
			if k.balance != nil {
				s.classes = k.balance.worker()
			}
		}
		lo, n := blocks[b].Lo, blocks[b].Len()
		s.rows.energies(u[lo:lo+n], r, v, lo)
		if k.balance != nil {
			s.classes.find(s.class[:n], v, lo)
			for j, c := range s.class[:n] {
				u[lo+j] -= k.balance.weight[r][c]
			}
		}
	})
	return u
}

// BottomLogZ is log Z of the bottom rung, where it is known.
func (k *Kernel) BottomLogZ() (logZ float64, known bool) { return k.ladder.logZ() }

// Classes is the mixture whose classes are balanced on the rungs, or nil.
func (k *Kernel) Classes() *Mixture {
	if k.balance == nil {
		return nil
	}
	return k.balance.mixture
}

// startSweep is the number of the first stream for the starts of replicas, beyond all sweeps.
const startSweep = 1 << 54

// rungSeed gives the replicas of a rung random numbers of their own; the chain itself keeps its seed.
func rungSeed(seed uint64, r, top int) uint64 {
	if r == top {
		return seed
	}
	b := rng.New(seed, rng.Swap, uint32(r), startSweep-1).Block(0)
	return uint64(b[0])<<32 | uint64(b[1])
}

// worker moves chains and their replicas.
type worker struct {
	*Kernel
	layout   layout
	rows     ladderWorker
	classes  *classWorker
	of       *sampler.Chains
	rung     []*sampler.Chains // the replicas of each rung, the chains themselves last
	bias     []float64
	accepted []bool
}

// Worker returns what one goroutine needs.
func (k *Kernel) Worker() sampler.Worker {
	w := &worker{Kernel: k, layout: k.layout(), rows: k.ladder.worker(), rung: make([]*sampler.Chains, k.Rungs()),
		bias: make([]float64, batch.MaxRows), accepted: make([]bool, batch.MaxRows)}
	if k.balance != nil {
		w.classes = k.balance.worker()
	}
	return w
}

// bind makes batches of the replicas of each rung.
func (w *worker) bind(c *sampler.Chains) {
	top := len(w.rung) - 1
	if w.of == c && w.rung[top].V == c.V && w.rung[0].V == c.Replicas[0] {
		return
	}
	w.of = c
	for r := range w.rung {
		v := c.V
		if r < top {
			v = c.Replicas[r]
		}
		w.rung[r] = &sampler.Chains{Seed: rungSeed(c.Seed, r, top), First: c.First, V: v,
			Proposed: make([]uint64, v.Len), Accepted: make([]uint64, v.Len)}
	}
}

func (w *worker) Sweep(c *sampler.Chains, lo, hi int, first uint64, n int) {
	w.bind(c)
	for ; lo < hi; lo += batch.MaxRows {
		end := min(lo+batch.MaxRows, hi)
		if w.classes != nil {
			w.classes.begin(w.rung, lo, end)
		}
		for t := range uint64(n) {
			w.sweep(c, lo, end, first+t)
		}
	}
}

// sweep is one step of every replica, then the exchanges.
func (w *worker) sweep(c *sampler.Chains, lo, hi int, sweep uint64) {
	for r, replicas := range w.rung {
		w.step(r, replicas, lo, hi, sweep)
	}
	for r := int(sweep % 2); r+1 < len(w.rung); r += 2 {
		bias := w.bias[:hi-lo]
		clear(bias)
		if w.classes != nil {
			w.classes.exchangeBias(bias, r, lo)
		}
		accepted := w.accepted[:hi-lo]
		w.rows.exchange(r, w.rung[r], w.rung[r+1], lo, hi, sweep, bias, accepted)
		for k, yes := range accepted {
			c.Proposed[lo+k]++
			if yes {
				c.Accepted[lo+k]++
				w.layout.exchanged(c.Tally, lo+k, r)
				if w.classes != nil {
					w.classes.swap(r, lo+k)
				}
			}
		}
	}
	for k := lo; k < hi; k++ {
		w.layout.swept(c.Tally, k, int(sweep%2))
		if w.classes != nil {
			w.layout.classes(c.Tally, k, w.classes.of, k)
		}
	}
}
