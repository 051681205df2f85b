package rates

import (
	"context"
	"math"

	"instanton/internal/parallel"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// umbrella is the weight e^{f(q)} of the chains in addition to P(v), on bins lo to hi; moves to other bins are
// rejected. With f = −log P(q) from bin a to bin b, those of the two states, all bins in between are equally likely;
// beyond them f is constant.
type umbrella struct {
	lo, a, b, hi int
	f            []float64
}

// group is a number of chains that share nothing with those of other groups.
type group struct {
	c      *coordinate
	see    *observer
	worker sampler.Worker
	levels []int // a sweep at level ℓ changes one unit in 2^ℓ

	chains *sampler.Chains // under the umbrella
	q      []float64       // of each chain
	before *unit.States
	mask   []uint64
	words  []uint32

	seen   *flows
	pairs  *pairs  // steps across dividing surfaces, for shots
	record *record // nil for none
	check  *check  // nil for none
}

// newGroup prepares group g with n chains, half of them in each of two states.
func newGroup(k *sampler.Gibbs, c *coordinate, g, n int, seed uint64, from, to []float64) *group {
	// Every group has its own chain numbers: n under the umbrella, n for steps, the rest for shots.
	first := uint32(g) * uint32(2*n+lanes)
	u := newChainsOf(k, c, n, seed, first)
	u.pairs = newPairs(u, k.Model(), n, seed, first+uint32(n))
	for i := range n {
		x := from
		if i >= n/2 {
			x = to
		}
		u.chains.V.SetValues(i, x)
	}
	return u
}

// newChainsOf prepares n chains under an umbrella that begin anywhere.
func newChainsOf(k *sampler.Gibbs, c *coordinate, n int, seed uint64, first uint32) *group {
	m := k.Model()
	u := &group{
		c: c, see: newObserver(m, c), worker: k.Worker(), levels: []int{0},
		chains: newChains(m, n, seed, first), q: make([]float64, n), before: unit.NewStates(c.spec, n),
		mask: make([]uint64, (c.spec.N+63)/64), seen: newFlows(c.bins),
	}
	for _, level := range []int{2, 4} {
		if c.spec.N>>level >= 2 {
			u.levels = append(u.levels, level)
		}
	}
	u.words = make([]uint32, 2*len(u.mask)*u.levels[len(u.levels)-1])
	return u
}

func newChains(m *rbm.RBM, n int, seed uint64, first uint32) *sampler.Chains {
	c := sampler.NewChains(m, n, seed)
	c.First = first
	return c
}

// sweep moves a batch of chains by one step of alternating Gibbs sampling.
func (u *group) sweep(c *sampler.Chains) {
	u.worker.Sweep(c, 0, c.V.Len, c.Sweep, 1)
	c.Sweep++
}

// settle moves the chains freely and returns the values of q during the second half of the time, separately for chains
// that started in the first and in the second state.
func (u *group) settle(sweeps int) (a, b []float64) {
	var mean [2]average
	for t := range sweeps {
		u.sweep(u.chains)
		if t < sweeps/2 {
			continue
		}
		if n := len(u.q); u.check != nil {
			mean[0].add(u, u.chains.V, 0, n/2, t)
			mean[1].add(u, u.chains.V, n/2, n, t)
		}
		for k := range u.q {
			u.q[k] = u.c.of(u.chains.V, k)
			if k < len(u.q)/2 {
				a = append(a, u.q[k])
			} else {
				b = append(b, u.q[k])
			}
		}
	}
	if u.check != nil {
		u.check.settled = [2][]float64{mean[0].value(), mean[1].value()}
		u.check.free.V.CopyFrom(u.chains.V)
	}
	return a, b
}

// cycle moves the chains under the umbrella once at every level.
//
// A move draws h from P(h|v), then a random set of visible units from P(v|h), and keeps the others. For every set this
// satisfies detailed balance with P(v), because the visible units are independent given h. Moves of all units make
// long jumps where P(q) is flat. Where it is steep, they fall back to the state they came from and are rejected;
// there, small sets still advance.
func (u *group) cycle(w *umbrella) {
	for _, level := range u.levels {
		for k := range u.q {
			u.before.CopyRow(k, u.chains.V, k)
		}
		now := u.chains.Sweep
		u.sweep(u.chains)
		for k := range u.q {
			chain := u.chains.First + uint32(k)
			if level > 0 {
				u.choose(rng.New(u.chains.Seed, rng.Site, chain, now), level)
				u.keep(k)
			}
			q := u.c.of(u.chains.V, k)
			old, next := u.c.bin(u.q[k])-w.lo, u.c.bin(q)-w.lo
			if next >= 0 && next < len(w.f) &&
				rng.Uniform(rng.New(u.chains.Seed, rng.Accept, chain, now).Block(0)[0]) < math.Exp(w.f[next]-w.f[old]) {
				u.q[k] = q
			} else {
				u.chains.V.CopyRow(k, u.before, k)
			}
		}
	}
}

// look adds the flows of the current configurations.
func (u *group) look() {
	for k, q := range u.q {
		u.see.see(u.seen, u.chains.V, k, q)
		if u.record != nil {
			u.record.add(k, u.c.bin(q))
		}
	}
}

// choose sets the mask to a random set to which each unit belongs with probability 2^−level.
func (u *group) choose(s rng.Stream, level int) {
	words := u.words[:2*len(u.mask)*level]
	s.Fill(words)
	for i := range u.mask {
		u.mask[i] = math.MaxUint64
		for range level {
			u.mask[i] &= uint64(words[0])<<32 | uint64(words[1])
			words = words[2:]
		}
	}
}

// keep undoes the move of chain k for the units outside the mask.
func (u *group) keep(k int) {
	if u.chains.V.Codes != nil {
		row, before := u.chains.V.CodeRow(k), u.before.CodeRow(k)
		for i := range u.c.spec.N {
			if u.mask[i/64]>>(i%64)&1 == 0 {
				row[i] = before[i]
			}
		}
		return
	}
	row, before := u.chains.V.BitRow(k), u.before.BitRow(k)
	for i, m := range u.mask {
		row[i] = row[i]&m | before[i]&^m
	}
}

// cover widens the umbrella to include all chains.
func (w *umbrella) cover(groups []*group) {
	for _, u := range groups {
		for _, q := range u.q {
			w.lo, w.hi = min(w.lo, u.c.bin(q)), max(w.hi, u.c.bin(q))
		}
	}
}

// each calls do for every group, several at a time.
func each(ctx context.Context, groups []*group, workers int, do func(u *group) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	errs := make([]error, len(groups))
	parallel.For(workers, len(groups), func(_, g int) { errs[g] = do(groups[g]) })
	for _, err := range errs { // only the first, so that the result does not depend on the workers
		if err != nil {
			return err
		}
	}
	return nil
}
