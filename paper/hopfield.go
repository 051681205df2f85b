package paper

import (
	"context"
	"math"
	"math/bits"

	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Both figures of the Hopfield model have 128 spins and 6 orthogonal patterns.
const (
	hopfieldSpins    = 128
	hopfieldPatterns = 6
)

// hopfieldMachine is the Hopfield model, with its weights turned by a random rotation if rotate is not 0.
func hopfieldMachine(w float64, rotate uint64) (*rbm.RBM, error) {
	patterns, err := rbm.OrthogonalPatterns(hopfieldSpins, hopfieldPatterns)
	if err != nil {
		return nil, err
	}
	m, err := rbm.Hopfield(patterns, w)
	if err != nil || rotate == 0 {
		return m, err
	}
	return m, m.Rotate(rbm.RandomRotation(hopfieldPatterns, rotate))
}

// overlapsWith sets dst to m_μ = ξ^μ·v/N of configuration k.
func overlapsWith(dst []float64, patterns, v *unit.States, k int) {
	row := v.BitRow(k)
	for mu := range dst {
		apart := 0
		for w, x := range patterns.BitRow(mu) {
			apart += bits.OnesCount64(x ^ row[w])
		}
		dst[mu] = 1 - 2*float64(apart)/float64(v.N)
	}
}

// mattis is the state that overlaps belong to: μ for the pattern, μ+M for its opposite. Where none is
// beyond 0.7 a chain still counts for its last state: turning back on the way is no change.
func mattis(overlaps []float64) (state int, in bool) {
	for mu, x := range overlaps {
		if math.Abs(x) > 0.7 {
			if x < 0 {
				mu += len(overlaps)
			}
			return mu, true
		}
	}
	return 0, false
}

// hopfieldRun is a run of chains, one after the other started at each pattern and each opposite.
type hopfieldRun struct {
	machine       *rbm.RBM
	record        *sampler.Record
	seed          uint64
	chains, draws int
	states        [][]int // the state of each chain at each draw
	changes       []change
}

// change is a passage from one state to another; draw is the first in the new state.
type change struct {
	chain, draw, from, to int
	left                  int // the last draw in the old state
}

// runHopfield follows chains under a kernel; all start at the first pattern where alone is set.
func runHopfield(ctx context.Context, k sampler.Kernel, chains, draws int, alone bool, s Settings) (*hopfieldRun, error) {
	m := k.Model()
	c := sampler.NewChains(m, chains, s.Seed)
	starts := withOpposites(m.Patterns)
	if alone {
		starts = starts.Slice(0, 1)
	}
	if err := c.Begin(starts); err != nil {
		return nil, err
	}
	r := &hopfieldRun{machine: m, chains: chains, draws: draws, seed: s.Seed, record: sampler.NewRecord(k, c, sampler.Plan{Every: 1, Draws: draws}, false)}
	if err := sampler.NewPool(k, s.Workers).Record(ctx, c, r.record, nil); err != nil {
		return nil, err
	}
	overlaps := make([]float64, hopfieldPatterns)
	for k := range chains {
		state := k % starts.Len
		left := 0
		path := make([]int, draws)
		for d := range draws {
			overlapsWith(overlaps, m.Patterns, r.record.V, k*draws+d)
			if now, in := mattis(overlaps); in {
				if now != state {
					r.changes = append(r.changes, change{chain: k, draw: d, from: state, to: now, left: left})
				}
				state, left = now, d
			}
			path[d] = state
		}
		r.states = append(r.states, path)
	}
	return r, nil
}

// withOpposites appends −ξ to the patterns ξ.
func withOpposites(p *unit.States) *unit.States {
	all := unit.NewStates(p.Spec, 2*p.Len)
	for mu := range p.Len {
		for i := range p.N {
			x := p.Value(mu, i)
			all.Set(mu, i, x)
			all.Set(mu+p.Len, i, -x)
		}
	}
	return all
}

// rate is the number of changes of state per 1000 draws, with an error from the spread over chains.
func (r *hopfieldRun) rate() (mean, err float64) {
	counts := make([]float64, r.chains)
	for _, c := range r.changes {
		counts[c.chain] += 1000 / float64(r.draws)
	}
	return meanAndError(counts)
}

// meanAndError is the mean of independent numbers and its standard error.
func meanAndError(x []float64) (mean, err float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		err += (v - mean) * (v - mean)
	}
	if n < 2 {
		return mean, 0
	}
	return mean, math.Sqrt(err / (n * (n - 1)))
}

// window gives overlaps of a chain between two draws, and hidden units drawn from P(h|v), over √N.
func (r *hopfieldRun) window(chain, from, to int) (t []float64, m, h [][]float64) {
	v, root := make([]float64, hopfieldSpins), math.Sqrt(hopfieldSpins)
	for d := max(0, from); d < min(r.draws, to); d++ {
		t = append(t, float64(d-max(0, from)))
		x, y := make([]float64, hopfieldPatterns), make([]float64, hopfieldPatterns)
		overlapsWith(x, r.machine.Patterns, r.record.V, chain*r.draws+d)
		r.record.V.Values(v, chain*r.draws+d)
		r.machine.Inputs(y, v)
		noise := rng.New(r.seed, rng.Record, uint32(chain), uint64(d)).Rand()
		for k := range y {
			y[k] = (y[k] + noise.NormFloat64()) / root
		}
		m, h = append(m, x), append(h, y)
	}
	return t, m, h
}
