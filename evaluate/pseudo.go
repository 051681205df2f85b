package evaluate

import (
	"context"
	"fmt"
	"math"

	"instanton/internal/parallel"
	"instanton/rbm"
	"instanton/unit"
)

// PseudoLogLikelihood is Σ_i log P(v_i | v_j, j ≠ i), exact and over all sites, for each of
// the given configurations of data (rows nil: all). It is a sum over sites, so that it
// equals the log-likelihood for a model without weights. Real visible units are refused:
// each of their sites would need an integral. When the context ends first, the error is
// the context's.
func PseudoLogLikelihood(ctx context.Context, m *rbm.RBM, data *unit.States, rows []int,
	workers int) ([]float64, error) {
	if !m.Visible.Spec().Type.Discrete() {
		return nil, fmt.Errorf("the pseudo-likelihood of %s visible units: expected discrete ones, real sites need "+
			"an integral each", m.Visible.Spec().Type)
	}
	if data.Spec != m.Visible.Spec() {
		return nil, fmt.Errorf("data of %s: the model has visible units %s", data.Spec, m.Visible.Spec())
	}
	if rows == nil {
		rows = make([]int, data.Len)
		for k := range rows {
			rows[k] = k
		}
	}
	out := make([]float64, len(rows))
	table := newFlips(m)
	scans := make([]*siteScan, parallel.Workers(workers, len(rows)))
	for w := range scans {
		scans[w] = newSiteScan(m)
		scans[w].table = table
	}
	err := parallel.ForContext(ctx, workers, len(rows), func(worker, k int) {
		s := scans[worker]
		data.Values(s.v, rows[k])
		out[k] = s.pseudo()
	})
	return out, err
}

// siteScan holds a configuration with its inputs and tries other values of its sites.
type siteScan struct {
	m           *rbm.RBM
	v, I, trial []float64
	single      []float64 // −E_eff for each state of a site, up to a constant
	table       *flips    // a shorter way, or nil
	more        []float64
}

func newSiteScan(m *rbm.RBM) *siteScan {
	nh := m.Hidden.Spec().Width()
	return &siteScan{m: m, v: make([]float64, m.Visible.Spec().N), I: make([]float64, nh), trial: make([]float64, nh),
		single: make([]float64, m.Visible.Spec().States()), more: make([]float64, nh)}
}

// pseudo is the pseudo-log-likelihood of the configuration v.
func (s *siteScan) pseudo() float64 {
	spec := s.m.Visible.Spec()
	s.m.Inputs(s.I, s.v)
	if s.table != nil {
		return s.table.pseudo(s.v, s.I, s.trial, s.more)
	}
	base := s.m.Hidden.CGF(s.I)
	fields := s.m.Visible.Params()[0].Data
	var sum float64
	for i, x := range s.v {
		own := spec.StateIndex(x)
		top := math.Inf(-1)
		for a := range s.single {
			value := spec.StateValue(a)
			s.single[a] = base
			if a != own {
				copy(s.trial, s.I)
				s.m.MoveInputs(s.trial, i, x, value)
				s.single[a] = s.m.Hidden.CGF(s.trial)
			}
			if spec.Type == unit.Potts {
				s.single[a] += fields[i*spec.Q+a]
			} else {
				s.single[a] += fields[i] * value
			}
			top = max(top, s.single[a])
		}
		var z float64
		for _, e := range s.single {
			z += math.Exp(e - top)
		}
		sum += s.single[own] - top - math.Log(z)
	}
	return sum
}

// pseudoWork is the number of hidden units' cumulants that are computed unasked.
const pseudoWork = 4e9

// PseudoRows picks configurations for a pseudo-likelihood that takes at most about work
// evaluations of a hidden unit: all of n, or some evenly spaced ones, at least eight.
func PseudoRows(m *rbm.RBM, n int, work float64) []int {
	cost := float64(m.Visible.Spec().Width()) * float64(m.Hidden.Spec().Width())
	if twoStates := m.Visible.Spec().States() == 2 && m.Hidden.Spec().States() == 2; twoStates {
		cost /= 10 // by the table of flips
	}
	count := min(n, max(8, int(work/cost)))
	rows := make([]int, count)
	for k := range rows {
		rows[k] = k * n / count
	}
	return rows
}
