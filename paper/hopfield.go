package paper

import (
	"context"
	"math"
	"math/bits"

	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Both figures of the Hopfield model have 128 spins and 6 orthogonal patterns.
const (
	hopfieldSpins    = 128
	hopfieldPatterns = 6
)

// alignedHopfield is the Hopfield model with a hidden unit along each pattern.
func alignedHopfield(w float64) (*rbm.RBM, error) { return hopfieldOf(hopfieldSpins, w) }

// hopfieldOf is the same with another number of spins.
func hopfieldOf(spins int, w float64) (*rbm.RBM, error) {
	patterns, err := rbm.OrthogonalPatterns(spins, hopfieldPatterns)
	if err != nil {
		return nil, err
	}
	return rbm.Hopfield(patterns, w)
}

// rotatedHopfield is the same model with its hidden units turned by the random rotation of a seed.
func rotatedHopfield(w float64, seed uint64) (*rbm.RBM, error) {
	m, err := alignedHopfield(w)
	if err != nil {
		return nil, err
	}
	return m, m.Rotate(rbm.RandomRotation(hopfieldPatterns, seed))
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

// hopfieldPlan says how chains are followed, one after the other started at each pattern and each opposite.
type hopfieldPlan struct {
	chains, draws int
	alone         bool // all start at the first pattern
	hidden        bool // hidden units are recorded
	seed          uint64
}

// hopfieldRun is what became of the chains.
type hopfieldRun struct {
	hopfieldPlan
	machine *rbm.RBM
	record  *sampler.Record
	states  [][]int // the state of each chain at each draw
	changes []change
}

// change is a passage from one state to another; draw is the first in the new state.
type change struct {
	chain, draw, from, to int
	left                  int // the last draw in the old state
}

// runHopfield follows chains under a kernel.
func runHopfield(ctx context.Context, k sampler.Kernel, p hopfieldPlan, s Settings) (*hopfieldRun, error) {
	m := k.Model()
	c := sampler.NewChains(m, p.chains, p.seed)
	starts := withOpposites(m.Patterns)
	if p.alone {
		starts = starts.Slice(0, 1)
	}
	if err := c.Begin(starts); err != nil {
		return nil, err
	}
	r := &hopfieldRun{hopfieldPlan: p, machine: m, record: sampler.NewRecord(k, c, sampler.Plan{Every: 1, Draws: p.draws}, p.hidden)}
	if err := sampler.NewPool(k, s.Workers).Record(ctx, c, r.record, nil); err != nil {
		return nil, err
	}
	overlaps := make([]float64, hopfieldPatterns)
	for k := range p.chains {
		state := k % starts.Len
		left := 0
		path := make([]int, p.draws)
		for d := range p.draws {
			overlapsWith(overlaps, m.Patterns, r.record.V, k*p.draws+d)
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

// steps is the length of all chains together.
func (r *hopfieldRun) steps() float64 { return float64(r.chains * r.draws) }

// rate is the number of changes of state per 1000 draws, with an error from the spread over chains, at least that of one
// change.
func (r *hopfieldRun) rate() (mean, err float64) {
	counts := make([]float64, r.chains)
	for _, c := range r.changes {
		counts[c.chain] += 1000 / float64(r.draws)
	}
	mean, err = meanAndError(counts)
	return mean, math.Max(err, 1000/r.steps())
}

// shares are the parts of the time in each state, with errors from the spread over chains.
func (r *hopfieldRun) shares() (mean, err []float64) {
	for state := range 2 * hopfieldPatterns {
		x := make([]float64, r.chains)
		for k, path := range r.states {
			for _, s := range path {
				if s == state {
					x[k] += 1 / float64(r.draws)
				}
			}
		}
		m, e := meanAndError(x)
		mean, err = append(mean, m), append(err, e)
	}
	return mean, err
}

// window gives the overlaps of a chain between two draws and the hidden units that were recorded with them, over √N.
func (r *hopfieldRun) window(chain, from, to int) (t []float64, m, h [][]float64) {
	root := math.Sqrt(float64(r.machine.Patterns.N))
	for d := max(0, from); d < min(r.draws, to); d++ {
		t = append(t, float64(d-max(0, from)))
		x, y := make([]float64, hopfieldPatterns), make([]float64, hopfieldPatterns)
		overlapsWith(x, r.machine.Patterns, r.record.V, chain*r.draws+d)
		r.record.H.Values(y, chain*r.draws+d)
		for k := range y {
			y[k] /= root
		}
		m, h = append(m, x), append(h, y)
	}
	return t, m, h
}
