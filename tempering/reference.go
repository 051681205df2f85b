package tempering

import (
	"errors"
	"fmt"

	"instanton/batch"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// mixtureLadder leads from a mixture q to the model: π_b(v,h,z) ∝ q(v,z)^{1−b} e^{−bE(v,h)}. Given v, h and z are
// independent; given h and z, the sites of v are. At b = 0 configurations are drawn exactly, at b = 1 z does not
// matter.
//
//	F_b(v) = −log Σ_z q(v,z)^{1−b} − log ∫dh e^{−bE(v,h)}
type mixtureLadder struct {
	model *rbm.RBM
	q     *Mixture
	at    []mixtureRung
}

var _ ladder = (*mixtureLadder)(nil)

// mixtureRung is the law at one b.
type mixtureRung struct {
	b       float64
	scaled  batch.Engine // e^{−bE}; nil at b = 0
	q       batch.Engine // q^{1−b}; nil at b = 1
	visible rbm.Layer    // potentials of both together
	columns [][]float64  // fields on the visible units from each component
}

// NewMixture prepares a ladder from a mixture, fitted to data, to the model at β = 1. Its rungs and the weights of the
// classes on them are found by a pilot, which starts at draws from the mixture unless it is given data.
func NewMixture(m *rbm.RBM, q *Mixture, o Options) (*Kernel, error) {
	if q == nil {
		return nil, errors.New("a ladder from a mixture: expected the mixture")
	}
	if have, want := q.model.Visible.Spec(), m.Visible.Spec(); have != want {
		return nil, fmt.Errorf("a mixture of %s: the model has visible units %s", have, want)
	}
	o.Classes = q
	build := func(points []float64) (ladder, error) { return newMixtureLadder(m, q, points) }
	k := &Kernel{model: m, beta: 1}
	return k, o.place(k, build)
}

func newMixtureLadder(m *rbm.RBM, q *Mixture, points []float64) (*mixtureLadder, error) {
	l := &mixtureLadder{model: m, q: q}
	for _, b := range points {
		r := mixtureRung{b: b, visible: rbm.ZeroLayer(m.Visible.Spec())}
		if b > 0 {
			s, err := m.Scaled(b)
			if err != nil {
				return nil, err
			}
			if r.scaled, err = batch.New(s, 1); err != nil {
				return nil, err
			}
			add(r.visible, s.Visible)
		}
		if b < 1 {
			s, err := q.model.Scaled(1 - b)
			if err != nil {
				return nil, err
			}
			if r.q, err = batch.New(s, 1); err != nil {
				return nil, err
			}
			add(r.visible, s.Visible)
			t := s.Transpose()
			for z := range q.Components() {
				r.columns = append(r.columns, t.Row(z))
			}
		}
		l.at = append(l.at, r)
	}
	return l, nil
}

// add adds the potentials of a layer of the same shape.
func add(to, l rbm.Layer) {
	params := l.Params()
	for k, p := range to.Params() {
		for i := range p.Data {
			p.Data[i] += params[k].Data[i]
		}
	}
}

func (l *mixtureLadder) name() string       { return "mixture" }
func (l *mixtureLadder) size() int          { return len(l.at) }
func (l *mixtureLadder) spec(int) unit.Spec { return l.model.Visible.Spec() }

func (l *mixtureLadder) describe() string {
	var points []float64
	for _, r := range l.at {
		points = append(points, r.b)
	}
	return fmt.Sprintf("mixture of %d in %d classes, b %.6g", l.q.Components(), l.q.Classes(), points)
}

func (l *mixtureLadder) start(c *sampler.Chains, _ int, v *unit.States, k int, _ rng.Stream) {
	v.CopyRow(k, c.V, k)
}

func (l *mixtureLadder) worker() ladderWorker {
	w := &mixtureWorker{mixtureLadder: l, z: unit.NewStates(l.q.model.Hidden.Spec(), batch.MaxRows),
		h:      unit.NewStates(l.model.Hidden.Spec(), batch.MaxRows),
		prior:  make([]float64, l.q.Components()),
		fields: make([]float32, l.model.Visible.Spec().Width()), words: make([]uint32, l.model.Visible.Words())}
	for _, r := range l.at {
		var pair, crossed [2]batch.Worker
		if r.scaled != nil {
			pair[0], crossed[0] = r.scaled.Worker(), r.scaled.Worker()
		}
		if r.q != nil {
			pair[1], crossed[1] = r.q.Worker(), r.q.Worker()
		}
		w.own, w.crossed = append(w.own, pair), append(w.crossed, crossed)
	}
	return w
}

// mixtureWorker moves replicas. Products with configurations that belong to a rung are kept apart from those with
// configurations of its neighbours, so that the former are not computed twice.
type mixtureWorker struct {
	*mixtureLadder
	own, crossed [][2]batch.Worker
	h, z         *unit.States
	prior        []float64
	inputs       []float64
	fields       []float32
	words        []uint32
	swapper
	part []float64
}

func (w *mixtureWorker) step(r int, c *sampler.Chains, lo, hi int, sweep uint64) {
	rung, n := &w.at[r], hi-lo
	s := batch.Stream{Seed: c.Seed, Chain: c.First + uint32(lo), Sweep: sweep}
	if rung.b == 0 {
		w.draw(rung, r, c, lo, hi, s)
		return
	}
	if rung.b == 1 {
		w.own[r][0].Sweep(c.V, lo, n, s, 1)
		return
	}
	w.own[r][0].Draw(batch.Hidden, w.h, 0, c.V, lo, n, s)
	other := s
	other.Recorded = true // random numbers apart from those of h
	w.own[r][1].Draw(batch.Hidden, w.z, 0, c.V, lo, n, other)
	width := len(w.fields)
	inputs := room(&w.inputs, n*width)
	w.own[r][0].Inputs(inputs, batch.Visible, w.h, 0)
	for k := range n {
		column := rung.columns[w.z.Codes[k]]
		for i, x := range inputs[k*width : (k+1)*width] {
			w.fields[i] = float32(x + column[i])
		}
		rng.New(c.Seed, rng.Visible, c.First+uint32(lo+k), sweep).Fill(w.words)
		rung.visible.Draw(c.V, lo+k, w.fields, w.words)
	}
}

// draw draws configurations from the mixture itself.
func (w *mixtureWorker) draw(rung *mixtureRung, r int, c *sampler.Chains, lo, hi int, s batch.Stream) {
	for k := lo; k < hi; k++ {
		copy(w.prior, w.q.log)
		w.z.Codes[k-lo] = uint8(rng.Categorical(w.prior, uniform(c, k, s.Sweep, componentBlock)))
	}
	w.own[r][1].Draw(batch.Visible, c.V, lo, w.z, 0, hi-lo, s)
}

func (w *mixtureWorker) exchange(r int, low, high *sampler.Chains, lo, hi int, sweep uint64, bias []float64,
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
func (w *mixtureWorker) add(dst []float64, sign float64, of [2]batch.Worker, v *unit.States, lo int) {
	part := room(&w.part, len(dst))
	for _, rows := range of {
		if rows != nil {
			rows.Energies(part, v, lo)
			for k, x := range part {
				dst[k] += sign * x
			}
		}
	}
}

func (w *mixtureWorker) energies(dst []float64, r int, v *unit.States, lo int) {
	clear(dst)
	w.add(dst, 1, w.crossed[r], v, lo)
}

// logZ is that of the mixture, which is normalised.
func (l *mixtureLadder) logZ() (float64, bool) { return 0, l.at[0].b == 0 }
