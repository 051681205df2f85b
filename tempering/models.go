package tempering

import (
	"instanton/batch"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// modelLadder has one model per rung, with the same visible units; F_r is the effective energy of model r.
type modelLadder struct {
	kind    string
	rungs   string // in words
	engines []batch.Engine
}

var _ ladder = (*modelLadder)(nil)

func newModelLadder(kind, rungs string, models []*rbm.RBM) (*modelLadder, error) {
	l := &modelLadder{kind: kind, rungs: rungs}
	for _, m := range models {
		e, err := batch.New(m, 1)
		if err != nil {
			return nil, err
		}
		l.engines = append(l.engines, e)
	}
	return l, nil
}

func (l *modelLadder) name() string       { return l.kind }
func (l *modelLadder) size() int          { return len(l.engines) }
func (l *modelLadder) spec(int) unit.Spec { return l.engines[0].Model().Visible.Spec() }
func (l *modelLadder) describe() string   { return l.rungs }

func (l *modelLadder) start(c *sampler.Chains, _ int, v *unit.States, k int, _ rng.Stream) {
	v.CopyRow(k, c.V, k)
}

func (l *modelLadder) worker() ladderWorker {
	w := &modelWorker{}
	for _, e := range l.engines {
		w.own, w.crossed = append(w.own, e.Worker()), append(w.crossed, e.Worker())
	}
	return w
}

// modelWorker keeps products with configurations of a rung apart from those with configurations of its neighbours, so
// that the former are not computed twice.
type modelWorker struct {
	own, crossed []batch.Worker
	swapper
	part []float64
}

func (w *modelWorker) step(r int, c *sampler.Chains, lo, hi int, sweep uint64) {
	w.own[r].Sweep(c.V, lo, hi-lo, batch.Stream{Seed: c.Seed, Chain: c.First + uint32(lo), Sweep: sweep}, 1)
}

func (w *modelWorker) exchange(r int, low, high *sampler.Chains, lo, hi int, sweep uint64, bias []float64,
	accepted []bool) {
	gain := room(&w.gain, hi-lo)
	copy(gain, bias)
	w.add(gain, 1, w.own[r], low.V, lo)
	w.add(gain, 1, w.own[r+1], high.V, lo)
	w.add(gain, -1, w.crossed[r], high.V, lo)
	w.add(gain, -1, w.crossed[r+1], low.V, lo)
	w.swap(low, high, lo, hi, sweep, gain, accepted)
}

// add adds sign·F of rows of v.
func (w *modelWorker) add(dst []float64, sign float64, rows batch.Worker, v *unit.States, lo int) {
	part := room(&w.part, len(dst))
	rows.Energies(part, v, lo)
	for k, x := range part {
		dst[k] += sign * x
	}
}

func (w *modelWorker) energies(dst []float64, r int, v *unit.States, lo int) {
	w.crossed[r].Energies(dst, v, lo)
}

// logZ is that of independent sites, if the bottom has no weights.
func (l *modelLadder) logZ() (float64, bool) {
	m := l.engines[0].Model()
	for _, w := range m.W {
		if w != 0 {
			return 0, false
		}
	}
	return m.Visible.CGF(make([]float64, m.Visible.Spec().Width())) +
		m.Hidden.CGF(make([]float64, m.Hidden.Spec().Width())), true
}
