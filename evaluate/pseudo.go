package evaluate

import (
	"context"
	"fmt"

	"instanton/batch"
	"instanton/internal/parallel"
	"instanton/internal/special"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// PseudoLogLikelihood returns Σ_i log P(v_i | v_j, j ≠ i), exact and over all sites, for the given rows of data (nil:
// all). It is a sum over sites, so it equals the log-likelihood of a model without weights. Real visible units are
// rejected, since each of their sites would need an integral. If the context ends first, its error is returned.
func PseudoLogLikelihood(ctx context.Context, m *rbm.RBM, data *unit.States, rows []int,
	workers int) ([]float64, error) {
	chosen := data
	if rows != nil {
		chosen = unit.NewStates(data.Spec, len(rows))
		for k, row := range rows {
			chosen.CopyRow(k, data, row)
		}
	}
	out := make([]float64, chosen.Len)
	err := eachSites(ctx, m, chosen, workers, func(k int, sites []float64) { out[k] = vec.Sum(sites) })
	return out, err
}

// SiteLogProbabilities returns log P(v_i | v_j, j ≠ i) of every site of every configuration, N in a row. Their sum
// over a row is its pseudo-log-likelihood.
func SiteLogProbabilities(ctx context.Context, m *rbm.RBM, data *unit.States, workers int) ([]float64, error) {
	n := m.Visible.Spec().N
	out := make([]float64, data.Len*n)
	err := eachSites(ctx, m, data, workers, func(k int, sites []float64) { copy(out[k*n:], sites) })
	return out, err
}

// eachSites calls f, on several workers, with the log-probabilities of the sites of each configuration.
func eachSites(ctx context.Context, m *rbm.RBM, data *unit.States, workers int, f func(k int, sites []float64)) error {
	if !m.Visible.Spec().Type.Discrete() {
		return fmt.Errorf("pseudo-likelihood of %s visible units: expected discrete ones, since real sites "+
			"would need an integral each", m.Visible.Spec().Type)
	}
	if data.Spec != m.Visible.Spec() {
		return fmt.Errorf("data of %s: the model has visible units %s", data.Spec, m.Visible.Spec())
	}
	engine, err := batch.New(m, workers)
	if err != nil {
		return err
	}
	table := newFlips(m)
	blocks := parallel.Blocks(data.Len, pseudoBlock)
	scans := make([]*siteScan, parallel.Workers(workers, len(blocks)))
	for w := range scans {
		scans[w] = newSiteScan(m, table, engine.Worker())
	}
	return parallel.ForContext(ctx, workers, len(blocks), func(worker, i int) {
		scans[worker].each(data, blocks[i], f)
	})
}

// pseudoBlock is the number of configurations whose inputs are computed together: few enough that a cancelled context
// is noticed soon.
const pseudoBlock = 32

// siteScan tries other values of the sites of configurations, for one worker.
type siteScan struct {
	m        *rbm.RBM
	worker   batch.Worker
	inputs   []float64 // of the hidden units, for a block of configurations
	v        []float64
	sites    []float64 // their log-probabilities
	trial    []float64 // inputs after changes of a site
	cgf      []float64 // ΣΓ of these
	single   []float64 // −E_eff for each state of a site, up to a constant
	table    *flips    // the faster way, or nil
	up, down []float64 // scratch of the table
}

func newSiteScan(m *rbm.RBM, table *flips, worker batch.Worker) *siteScan {
	v, nh := m.Visible.Spec(), m.Hidden.Spec().Width()
	return &siteScan{m: m, worker: worker, table: table, inputs: make([]float64, pseudoBlock*nh),
		v: make([]float64, v.N), sites: make([]float64, v.N),
		single: make([]float64, v.States()), cgf: make([]float64, v.States()),
		trial: make([]float64, v.States()*nh), up: make([]float64, nh), down: make([]float64, nh)}
}

// each calls f with the log-probabilities of the sites of a block of configurations.
func (s *siteScan) each(data *unit.States, block parallel.Range, f func(k int, sites []float64)) {
	nh := len(s.up)
	inputs := s.inputs[:block.Len()*nh]
	s.worker.Inputs(inputs, batch.Hidden, data, block.Lo)
	for k := block.Lo; k < block.Hi; k++ {
		data.Values(s.v, k)
		I := inputs[(k-block.Lo)*nh:][:nh]
		if s.table != nil {
			s.table.setSites(s.sites, s.v, I, s.up, s.down)
		} else {
			s.setSites(I)
		}
		f(k, s.sites)
	}
}

// setSites sets the log-probabilities of the sites of the configuration v, given its inputs.
func (s *siteScan) setSites(I []float64) {
	spec, nh := s.m.Visible.Spec(), len(I)
	s.worker.CGF(s.cgf[:1], batch.Hidden, I)
	base := s.cgf[0]
	fields := s.m.Visible.Params()[0].Data
	for i, x := range s.v {
		own := spec.StateIndex(x)
		others := s.trial[:0]
		for a := range s.single {
			if a != own {
				others = append(others, I...)
				s.m.MoveInputs(others[len(others)-nh:], i, x, spec.StateValue(a))
			}
		}
		cgf := s.cgf[:len(s.single)-1]
		s.worker.CGF(cgf, batch.Hidden, others)
		for a := range s.single {
			s.single[a] = base
			if a != own {
				s.single[a], cgf = cgf[0], cgf[1:]
			}
			if spec.Type == unit.Potts {
				s.single[a] += fields[i*spec.Q+a]
			} else {
				s.single[a] += fields[i] * spec.StateValue(a)
			}
		}
		s.sites[i] = s.single[own] - special.LogSumExp(s.single)
	}
}

// pseudoWork bounds the number of evaluations of a hidden unit for SetPseudo.
const pseudoWork = 4e9

// PseudoRows picks rows for a pseudo-likelihood that takes at most about work evaluations of a hidden unit: all n, or
// some evenly spaced ones, at least eight.
func PseudoRows(m *rbm.RBM, n int, work float64) []int {
	cost := float64(m.Visible.Spec().Width()) * float64(m.Hidden.Spec().Width())
	if twoStates := m.Visible.Spec().States() == 2 && m.Hidden.Spec().States() == 2; twoStates {
		cost /= 10 // thanks to the table of flips
	}
	count := min(n, max(8, int(work/cost)))
	rows := make([]int, count)
	for k := range rows {
		rows[k] = k * n / count
	}
	return rows
}
