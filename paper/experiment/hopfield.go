package experiment

import (
	"context"
	"math"

	"instanton/paper/verdict"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Both figures of the Hopfield model have 128 spins and 6 orthogonal patterns.
const (
	HopfieldSpins    = 128
	HopfieldPatterns = 6
)

// AlignedHopfield is the Hopfield model with a hidden unit along each pattern.
func AlignedHopfield(w float64) (*rbm.RBM, error) { return HopfieldOf(HopfieldSpins, w) }

// HopfieldOf is [AlignedHopfield] with another number of spins.
func HopfieldOf(spins int, w float64) (*rbm.RBM, error) {
	patterns, err := rbm.OrthogonalPatterns(spins, HopfieldPatterns)
	if err != nil {
		return nil, err
	}
	return rbm.Hopfield(patterns, w)
}

// RotatedHopfield is [AlignedHopfield] with its hidden units turned by the random rotation of a seed.
func RotatedHopfield(w float64, seed uint64) (*rbm.RBM, error) {
	m, err := AlignedHopfield(w)
	if err != nil {
		return nil, err
	}
	return m, m.Rotate(rbm.RandomRotation(HopfieldPatterns, seed))
}

// Overlaps sets dst to m_μ = ξ^μ·v/N of configuration k.
func Overlaps(dst []float64, patterns, v *unit.States, k int) {
	for mu := range dst {
		dst[mu] = 1 - 2*float64(patterns.Hamming(mu, v, k))/float64(v.N)
	}
}

// MattisState is the state that overlaps belong to: μ for the pattern, μ+M for its opposite. Where none is
// beyond 0.7 a chain still counts for its last state: turning back on the way is no change.
func MattisState(overlaps []float64) (state int, in bool) {
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

// HopfieldPlan says how chains are followed, one after the other started at each pattern and each opposite.
type HopfieldPlan struct {
	Chains, Draws int
	FirstOnly     bool // all start at the first pattern
	Hidden        bool // hidden units are recorded
	Seed          uint64
}

// HopfieldRun is what became of the chains.
type HopfieldRun struct {
	HopfieldPlan
	machine *rbm.RBM
	record  *sampler.Record
	States  [][]int // the state of each chain at each draw
	Changes []HopfieldChange
}

// HopfieldChange is a passage from one state to another; Draw is the first in the new state.
type HopfieldChange struct {
	Chain, Draw, From, To int
	Left                  int // the last draw in the old state
}

// RunHopfield follows chains under a kernel.
func RunHopfield(ctx context.Context, k sampler.Kernel, p HopfieldPlan, s verdict.Settings) (*HopfieldRun, error) {
	m := k.Model()
	c := sampler.NewChains(m, p.Chains, p.Seed)
	starts := m.PatternsAndOpposites()
	if p.FirstOnly {
		starts = starts.Slice(0, 1)
	}
	if err := c.Begin(starts); err != nil {
		return nil, err
	}
	r := &HopfieldRun{HopfieldPlan: p, machine: m,
		record: sampler.NewRecord(k, c, sampler.Plan{Every: 1, Draws: p.Draws}, p.Hidden)}
	if err := sampler.NewPool(k, s.Workers).Record(ctx, c, r.record, nil); err != nil {
		return nil, err
	}
	overlaps := make([]float64, HopfieldPatterns)
	for k := range p.Chains {
		state := k % starts.Len
		left := 0
		path := make([]int, p.Draws)
		for d := range p.Draws {
			Overlaps(overlaps, m.Patterns, r.record.V, k*p.Draws+d)
			if now, in := MattisState(overlaps); in {
				if now != state {
					r.Changes = append(r.Changes, HopfieldChange{Chain: k, Draw: d, From: state, To: now, Left: left})
				}
				state, left = now, d
			}
			path[d] = state
		}
		r.States = append(r.States, path)
	}
	return r, nil
}

// Steps is the length of all chains together.
func (r *HopfieldRun) Steps() float64 { return float64(r.Chains * r.Draws) }

// Rate is the number of changes of state per 1000 draws, with an error from the spread over chains, at least that of
// one change.
func (r *HopfieldRun) Rate() (mean, err float64) {
	counts := make([]float64, r.Chains)
	for _, c := range r.Changes {
		counts[c.Chain] += 1000 / float64(r.Draws)
	}
	mean, err = MeanError(counts)
	return mean, math.Max(err, 1000/r.Steps())
}

// Shares are the parts of the time in each state, with errors from the spread over chains.
func (r *HopfieldRun) Shares() (mean, err []float64) {
	for state := range 2 * HopfieldPatterns {
		x := make([]float64, r.Chains)
		for k, path := range r.States {
			for _, s := range path {
				if s == state {
					x[k] += 1 / float64(r.Draws)
				}
			}
		}
		m, e := MeanError(x)
		mean, err = append(mean, m), append(err, e)
	}
	return mean, err
}

// Window gives the overlaps of a chain between two draws and the hidden units that were recorded with them, over √N.
func (r *HopfieldRun) Window(chain, from, to int) (t []float64, m, h [][]float64) {
	root := math.Sqrt(float64(r.machine.Patterns.N))
	for d := max(0, from); d < min(r.Draws, to); d++ {
		t = append(t, float64(d-max(0, from)))
		x, y := make([]float64, HopfieldPatterns), make([]float64, HopfieldPatterns)
		Overlaps(x, r.machine.Patterns, r.record.V, chain*r.Draws+d)
		r.record.H.Values(y, chain*r.Draws+d)
		for k := range y {
			y[k] /= root
		}
		m, h = append(m, x), append(h, y)
	}
	return t, m, h
}
