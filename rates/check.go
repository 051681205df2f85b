package rates

import (
	"math"

	"instanton/internal/rng"
	"instanton/internal/vec"
	"instanton/sampler"
	"instanton/unit"
)

const (
	witnesses = 4  // chains of a group that come from neither state
	held      = 32 // configurations of a sample
	points    = 64 // configurations near the top of which committors are measured, per group
	volley    = 8  // shots from each
)

// check is what a group of chains does for the verdict alone. Nothing of it enters the estimate.
type check struct {
	witness *group // chains from random configurations, under the same umbrella

	free    *sampler.Chains // without the umbrella, from the states
	passage passages

	tops struct {
		sample
		chain, bin []int
		second     []float64 // shots that went to the second state
	}
	shots shooter

	settled, arrived [2][]float64 // mean features of chains that began in a state, and of shots that ended there
}

func newCheck(k *sampler.Gibbs, u *group, g, n int, seed uint64) *check {
	m := k.Model()
	// Chain numbers follow those of all groups.
	first := uint32(repeats*(2*n+lanes) + g*(witnesses+n+lanes+2*held))
	c := &check{witness: newChainsOf(k, u.c, witnesses, seed, first), free: newChains(m, n, seed, first+witnesses)}
	c.shots = shooter{u: u, chains: newChains(m, lanes, seed, first+witnesses+uint32(n))}
	c.tops.sample = sample{v: unit.NewStates(u.c.spec, points)}
	for i := range witnesses {
		r := rng.New(seed, rng.Start, first+uint32(i), 0).Rand()
		for j := range u.c.spec.N {
			c.witness.chains.V.Set(i, j, u.c.spec.StateValue(r.IntN(u.c.spec.States())))
		}
	}
	return c
}

// begin puts the witnesses under the umbrella: those outside its range start where a chain of the group stands.
func (c *check) begin(u *group, w *umbrella) {
	for k := range c.witness.q {
		q := u.c.of(c.witness.chains.V, k)
		if b := u.c.bin(q); b < w.lo || b > w.hi {
			c.witness.chains.V.CopyRow(k, u.chains.V, k)
			q = u.q[k]
		}
		c.witness.q[k] = q
	}
	u.record, c.witness.record = newRecord(u, w), newRecord(c.witness, w)
}

// mark keeps configurations near the top, each time of another chain, for committors.
func (c *check) mark(u *group, turn int) {
	for j := range u.q {
		k := (turn*7 + j) % len(u.q) // chains of both states by turns
		b := u.c.bin(u.q[k])
		if !u.pairs.surfaces.near(b) {
			continue
		}
		if c.tops.n < points {
			c.tops.chain, c.tops.bin = append(c.tops.chain, k), append(c.tops.bin, b)
		} else {
			c.tops.chain[c.tops.n%points], c.tops.bin[c.tops.n%points] = k, b
		}
		c.tops.keep(u.chains.V, k)
		return
	}
}

// finish makes the shots and the free runs of the check.
func (c *check) finish(u *group, sweeps int) error {
	n := min(c.tops.n, points)
	c.tops.second = make([]float64, n)
	c.shots.a, c.shots.b = u.pairs.shots.a, u.pairs.shots.b
	err := c.shots.shoot(c.tops.v, n*volley, volley, func(shot, _ int, second bool) {
		if second {
			c.tops.second[shot/volley]++
		}
	})
	if err != nil {
		return err
	}
	for side, s := range u.pairs.arrived {
		n := min(s.n, held)
		if n == 0 {
			continue
		}
		chains := newChains(u.see.m, n, c.free.Seed, c.shots.chains.First+uint32(lanes+side*held))
		for k := range n {
			chains.V.CopyRow(k, s.v, k)
		}
		var mean average
		for t := range settling {
			u.sweep(chains)
			if t >= settling/2 {
				mean.add(u, chains.V, 0, n, t)
			}
		}
		c.arrived[side] = mean.value()
	}
	c.passage.wait(u, c.free, sweeps)
	return nil
}

// average is that of the features of free chains in a state, and of q last.
type average struct {
	f        *features
	sum, now []float64
	n        float64
	scratch  *flows
}

// add takes configurations lo to hi−1, now and then.
func (a *average) add(u *group, v *unit.States, lo, hi, sweep int) {
	if sweep%5 != 0 {
		return
	}
	if a.f == nil {
		a.f, a.scratch = newFeatures(u.see), newFlows(u.c.bins)
		a.f.moving = true
		a.now, a.sum = make([]float64, a.f.count()), make([]float64, a.f.count()+1)
	}
	for k := lo; k < hi; k++ {
		q := u.c.of(v, k)
		u.see.see(a.scratch, v, k, q)
		a.f.read(a.now)
		vec.Add(a.sum, a.now)
		a.sum[len(a.now)] += q
		a.n++
	}
}

func (a *average) value() []float64 {
	vec.Scale(1/a.n, a.sum)
	return a.sum
}

// sample keeps the last configurations that it was given.
type sample struct {
	v *unit.States
	n int // given so far
}

func newSample(spec unit.Spec) sample { return sample{v: unit.NewStates(spec, held)} }

func (s *sample) keep(v *unit.States, k int) {
	s.v.CopyRow(s.n%s.v.Len, v, k)
	s.n++
}

// passages counts what free chains do: steps since they were last in each state, and passages to the other.
type passages struct{ steps, count [2]float64 }

// wait runs free chains.
func (p *passages) wait(u *group, chains *sampler.Chains, sweeps int) {
	last := make([]int, chains.V.Len)
	for k := range last {
		last[k] = -1
	}
	for range sweeps {
		u.sweep(chains)
		for k := range last {
			if last[k] >= 0 {
				p.steps[last[k]]++
			}
			q, now := u.c.of(chains.V, k), -1
			switch {
			case q <= u.pairs.shots.a:
				now = 0
			case q >= u.pairs.shots.b:
				now = 1
			default:
				continue
			}
			if last[k] == 1-now {
				p.count[last[k]]++
			}
			last[k] = now
		}
	}
}

// unlikely is the probability of a count as far from its expectation, for a Poisson variable whose expectation is known
// up to a relative error.
func unlikely(count, expected, relative float64) float64 {
	if expected > 20 {
		deviation := math.Sqrt(expected + relative*relative*expected*expected)
		return math.Erfc(math.Abs(count-expected) / deviation / math.Sqrt2)
	}
	mean, more := expected*(1+3*relative), true
	if count < expected {
		mean, more = expected*max(0, 1-3*relative), false
	}
	term, below := math.Exp(-mean), 0.0 // P(0), and P(less than count)
	for k := 0.0; k < count; k++ {
		below += term
		term *= mean / (k + 1)
	}
	if more {
		return max(0, 1-below)
	}
	return min(1, below+term)
}
