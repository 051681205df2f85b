package demo

import (
	"context"
	"math"

	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

const (
	trapSpins    = 128
	trapPatterns = 6
	trapSweeps   = 40000
	trapEvery    = 20
)

// Trap follows alternating Gibbs sampling of a Hopfield model: twelve chains, one
// started at each pattern and each opposite. All twelve states are equally likely.
type Trap struct {
	W        float64 `json:"w"`
	Sweeps   int     `json:"sweeps"`
	Chains   int     `json:"chains"`
	Switches int     `json:"switches"` // changes of state of all chains together
	Left     int     `json:"left"`     // chains that ever left their first state
	Visited  int     `json:"visited"`  // states seen by the first chain
	// Overlaps of the first chain with the patterns, m_μ(t), one row a pattern.
	Overlaps [][]float64 `json:"-"`
}

func runTrap(ctx context.Context, o Options, w float64) (*Trap, error) {
	patterns, err := rbm.OrthogonalPatterns(trapSpins, trapPatterns)
	if err != nil {
		return nil, err
	}
	m, err := rbm.Hopfield(patterns, w)
	if err != nil {
		return nil, err
	}
	chains := 2 * trapPatterns
	r, err := record(ctx, o, "gibbs", m, chains, withOpposites(patterns), sampler.Plan{Every: trapEvery, Draws: trapSweeps / trapEvery})
	if err != nil {
		return nil, err
	}
	t := &Trap{W: w, Sweeps: trapSweeps, Chains: chains, Overlaps: make([][]float64, trapPatterns)}
	for k := range chains {
		seen := map[int]bool{}
		state := k // where the chain began
		left := false
		for d := range r.Draws {
			overlaps := overlapsWith(patterns, r.V, k*r.Draws+d)
			if now, in := mattis(overlaps); in && now != state {
				state, left = now, true
				t.Switches++
			}
			seen[state] = true
			if k == 0 {
				for mu, x := range overlaps {
					t.Overlaps[mu] = append(t.Overlaps[mu], x)
				}
			}
		}
		if left {
			t.Left++
		}
		if k == 0 {
			t.Visited = len(seen)
		}
	}
	return t, nil
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

// overlapsWith is m_μ = ξ^μ·v/N of configuration k.
func overlapsWith(p, v *unit.States, k int) []float64 {
	m := make([]float64, p.Len)
	for mu := range m {
		for i := range p.N {
			m[mu] += p.Value(mu, i) * v.Value(k, i) / float64(p.N)
		}
	}
	return m
}

// mattis is the state that a configuration belongs to: μ for the pattern, μ+M for its
// opposite. Between |m| = 0.7 and others a chain still counts for its last state, so
// that turning back on the way is no switch.
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
