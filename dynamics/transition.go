package dynamics

import (
	"context"
	"math"

	"instanton/internal/rng"
	"instanton/sampler"
	"instanton/unit"
)

// Transition draws the passages of a sampler from state A to state B, however rare, from their own law. States are
// told by block magnetizations.
//
// AGS is reversible, so a path through a configuration v in equilibrium is two runs from v, one of them read backwards.
// Those that come from A and end in B are transition paths. With v drawn from P(v)g(v), where g is large near the
// bottleneck that every transition goes through, a path comes in proportion to Σ_t g(v_t), and a weight of one over
// that undoes it.
type Transition struct {
	Kernel sampler.Kernel // reversible, such as AGS
	Blocks *Blocks
	Seed   uint64

	// InA and InB tell the states by block magnetizations.
	InA, InB func(m []float64) bool
	// Coordinate measures how far a transition has come; g is a Gaussian of it.
	Coordinate    func(m []float64) float64
	Middle, Width float64

	Starts  *unit.States // near the bottleneck, dealt to the chains by turns
	Burn    int          // sweeps near the bottleneck before shots
	Longest int          // steps of a shot before it is given up
}

// TransitionPath is a path from A to B.
type TransitionPath struct {
	Trace  // from the last step in A to the first in B
	Weight float64
	First  []float64 // the configurations at the ends, one number per spin
	Last   []float64
}

// Draw makes count shots and returns the transition paths among them.
func (x *Transition) Draw(ctx context.Context, count int) ([]TransitionPath, error) {
	start, err := x.bottleneck(ctx, count)
	if err != nil {
		return nil, err
	}
	forward, err := x.shoot(ctx, start, x.Seed+1, nil)
	if err != nil {
		return nil, err
	}
	backward, err := x.shoot(ctx, start, x.Seed+2, forward)
	if err != nil {
		return nil, err
	}
	var paths []TransitionPath
	m := make([]float64, len(x.Blocks.masks))
	for k := range count {
		f, b := forward[k], backward[k]
		if !f.joins(b) {
			continue
		}
		forward[k], backward[k] = shot{}, shot{} // a path takes the room of its shots
		if f.end < 0 {                           // Read it the other way
			f, b = b, f
		}
		up := make([]uint16, 0, len(b.up)+len(m)+len(f.up))
		p := TransitionPath{Trace: Trace{x.Blocks, up}, First: b.v, Last: f.v}
		p.append(&b.Trace, true)
		x.Blocks.Read(m, start, k)
		p.Add(m)
		p.append(&f.Trace, false)
		visits := 0.0
		for t := range p.Len() {
			p.Read(m, t)
			visits += math.Exp(x.logG(m))
		}
		p.Weight = 1 / visits
		paths = append(paths, p)
	}
	return paths, nil
}

// logG is log g at block magnetizations.
func (x *Transition) logG(m []float64) float64 {
	d := (x.Coordinate(m) - x.Middle) / x.Width
	return -d * d / 2
}

// bottleneck draws configurations from P(v)g(v): a step of the sampler is a proposal, accepted with
// min(1, g(v′)/g(v)).
func (x *Transition) bottleneck(ctx context.Context, count int) (*unit.States, error) {
	c := sampler.NewChains(x.Kernel.Model(), count, x.Seed)
	if err := c.Begin(x.Starts); err != nil {
		return nil, err
	}
	worker := x.Kernel.Worker()
	m, g := make([]float64, len(x.Blocks.masks)), make([]float64, count)
	for k := range g {
		x.Blocks.Read(m, c.V, k)
		g[k] = x.logG(m)
	}
	before := c.V.Clone()
	words := make([]uint32, count)
	for t := range x.Burn {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		worker.Sweep(c, 0, count, uint64(t), 1)
		rng.New(x.Seed, rng.Accept, 0, uint64(t)).Fill(words)
		for k := range count {
			x.Blocks.Read(m, c.V, k)
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
	Trace
	v   []float64 // the last configuration
	end int
}

// joins tells whether two shots from one configuration make a transition path.
func (s *shot) joins(other shot) bool { return s.end*other.end < 0 }

// shoot runs the sampler from each configuration until it is in A or B. The steps of shots that cannot join others,
// made before from the same configurations (nil for none), are forgotten on both sides.
func (x *Transition) shoot(ctx context.Context, from *unit.States, seed uint64, others []shot) ([]shot, error) {
	shots := make([]shot, from.Len)
	c := sampler.NewChains(x.Kernel.Model(), from.Len, seed)
	if err := c.Begin(from); err != nil {
		return nil, err
	}
	running := make([]int, from.Len) // the shot that each chain follows
	for k := range running {
		running[k] = k
		shots[k].blocks = x.Blocks
	}
	worker := x.Kernel.Worker()
	m := make([]float64, len(x.Blocks.masks))
	for t := 0; t < x.Longest && len(running) > 0; t++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		worker.Sweep(c, 0, len(running), uint64(t), 1)
		left := running[:0]
		for k, number := range running {
			s := &shots[number]
			x.Blocks.Read(m, c.V, k)
			if others == nil || others[number].end != 0 {
				s.Add(m)
			}
			switch {
			case x.InA(m):
				s.end = -1
			case x.InB(m):
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

// Extend runs the sampler on from an end of a path for so many steps, and returns the block magnetizations.
func (x *Transition) Extend(ctx context.Context, from []float64, steps int, seed uint64) ([][]float64, error) {
	v := unit.NewStates(x.Starts.Spec, 1)
	v.SetValues(0, from)
	c := sampler.NewChains(x.Kernel.Model(), 1, seed)
	if err := c.Begin(v); err != nil {
		return nil, err
	}
	r := sampler.NewRecord(x.Kernel, c, sampler.Plan{Every: 1, Draws: steps}, false)
	if err := sampler.NewPool(x.Kernel, 1).Record(ctx, c, r, nil); err != nil {
		return nil, err
	}
	out := make([][]float64, steps)
	for t := range out {
		out[t] = make([]float64, len(x.Blocks.masks))
		x.Blocks.Read(out[t], r.V, t)
	}
	return out, nil
}
