package paper

import (
	"context"
	"math"

	"instanton/internal/rng"
	"instanton/sampler"
	"instanton/unit"
)

// Transitions that take far longer than can be waited for are drawn from their own law. AGS is
// reversible, so a path through a configuration v in equilibrium is two runs from v, one of them
// read backwards. Those that come from state A and end in state B are transition paths. With v drawn
// from P(v)g(v), where g is large near the bottleneck that every transition goes through, a path
// comes in proportion to Σ_t g(v_t), and a weight of one over that undoes it.

// reactive describes transitions of a model whose states are told by block magnetizations.
type reactive struct {
	kernel sampler.Kernel
	blocks *blocks
	seed   uint64

	// inA and inB tell the states by block magnetizations.
	inA, inB func(m []float64) bool
	// coordinate measures how far a transition has come; g is a Gaussian of it.
	coordinate    func(m []float64) float64
	middle, width float64

	starts  *unit.States
	burn    int // sweeps near the bottleneck before shots
	longest int // steps of a shot before it is given up
}

// reactivePath is a transition path from A to B.
type reactivePath struct {
	trace  // from the last step in A to the first in B
	Weight float64
	first  []float64 // the configurations at the ends, one number a spin
	last   []float64
}

// draw makes count shots and returns the transition paths among them.
func (x *reactive) draw(ctx context.Context, count int) ([]reactivePath, error) {
	start, err := x.bottleneck(ctx, count)
	if err != nil {
		return nil, err
	}
	forward, err := x.shoot(ctx, start, x.seed+1, nil)
	if err != nil {
		return nil, err
	}
	backward, err := x.shoot(ctx, start, x.seed+2, forward)
	if err != nil {
		return nil, err
	}
	var paths []reactivePath
	m := make([]float64, len(x.blocks.masks))
	for k := range count {
		f, b := forward[k], backward[k]
		if !f.joins(b) {
			continue
		}
		forward[k], backward[k] = shot{}, shot{} // a path takes the room of its shots
		if f.end < 0 {                           // read it the other way
			f, b = b, f
		}
		p := reactivePath{trace: trace{x.blocks, make([]uint16, 0, len(b.up)+len(m)+len(f.up))}, first: b.v, last: f.v}
		p.append(&b.trace, true)
		x.blocks.read(m, start, k)
		p.add(m)
		p.append(&f.trace, false)
		visits := 0.0
		for t := range p.Len() {
			p.read(m, t)
			visits += math.Exp(x.logG(m))
		}
		p.Weight = 1 / visits
		paths = append(paths, p)
	}
	return paths, nil
}

// logG is log g at block magnetizations.
func (x *reactive) logG(m []float64) float64 {
	d := (x.coordinate(m) - x.middle) / x.width
	return -d * d / 2
}

// bottleneck draws configurations from P(v)g(v): a step of AGS is a proposal, accepted with
// min(1, g(v′)/g(v)).
func (x *reactive) bottleneck(ctx context.Context, count int) (*unit.States, error) {
	c := sampler.NewChains(x.kernel.Model(), count, x.seed)
	if err := c.Begin(x.starts); err != nil {
		return nil, err
	}
	worker := x.kernel.Worker()
	m, g := make([]float64, len(x.blocks.masks)), make([]float64, count)
	for k := range g {
		x.blocks.read(m, c.V, k)
		g[k] = x.logG(m)
	}
	before := c.V.Clone()
	words := make([]uint32, count)
	for t := range x.burn {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		worker.Sweep(c, 0, count, uint64(t), 1)
		rng.New(x.seed, rng.Accept, 0, uint64(t)).Fill(words)
		for k := range count {
			x.blocks.read(m, c.V, k)
			if next := x.logG(m); math.Log(rng.Uniform(words[k])) < next-g[k] {
				before.CopyRow(k, c.V, k)
				g[k] = next
			} else {
				c.V.CopyRow(k, before, k)
			}
		}
	}
	return c.V, nil
}

// shot is a run until a state is met: −1 for A, 1 for B, 0 for neither in time.
type shot struct {
	trace
	v   []float64 // the last configuration
	end int
}

// joins tells whether two shots from one configuration make a transition path.
func (s *shot) joins(other shot) bool { return s.end*other.end < 0 }

// shoot runs AGS from each configuration until it is in A or B. The steps of shots that cannot join others, made before
// from the same configurations (nil for none), are forgotten on both sides.
func (x *reactive) shoot(ctx context.Context, from *unit.States, seed uint64, others []shot) ([]shot, error) {
	shots := make([]shot, from.Len)
	c := sampler.NewChains(x.kernel.Model(), from.Len, seed)
	if err := c.Begin(from); err != nil {
		return nil, err
	}
	running := make([]int, from.Len) // the shot that each chain follows
	for k := range running {
		running[k] = k
		shots[k].blocks = x.blocks
	}
	worker := x.kernel.Worker()
	m := make([]float64, len(x.blocks.masks))
	for t := 0; t < x.longest && len(running) > 0; t++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		worker.Sweep(c, 0, len(running), uint64(t), 1)
		left := running[:0]
		for k, number := range running {
			s := &shots[number]
			x.blocks.read(m, c.V, k)
			if others == nil || others[number].end != 0 {
				s.add(m)
			}
			switch {
			case x.inA(m):
				s.end = -1
			case x.inB(m):
				s.end = 1
			default: // move up into the place of one that ended
				c.V.CopyRow(len(left), c.V, k)
				left = append(left, number)
				continue
			}
			s.v = make([]float64, from.N)
			c.V.Values(s.v, k)
			if others != nil && !s.joins(others[number]) {
				s.up, others[number].up = nil, nil
			}
		}
		running = left
	}
	for _, number := range running {
		shots[number].up = nil
	}
	return shots, nil
}

// extend runs AGS on from an end of a path for so many steps.
func (x *reactive) extend(ctx context.Context, from []float64, steps int, seed uint64) ([][]float64, error) {
	v := unit.NewStates(x.starts.Spec, 1)
	v.SetValues(0, from)
	c := sampler.NewChains(x.kernel.Model(), 1, seed)
	if err := c.Begin(v); err != nil {
		return nil, err
	}
	r := sampler.NewRecord(x.kernel, c, sampler.Plan{Every: 1, Draws: steps}, false)
	if err := sampler.NewPool(x.kernel, 1).Record(ctx, c, r, nil); err != nil {
		return nil, err
	}
	out := make([][]float64, steps)
	for t := range out {
		out[t] = make([]float64, len(x.blocks.masks))
		x.blocks.read(out[t], r.V, t)
	}
	return out, nil
}
