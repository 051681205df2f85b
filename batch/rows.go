package batch

import (
	"instanton/internal/kernel"
	"instanton/internal/parallel"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// Inputs sets each row of dst to the inputs of a layer given a configuration of the other.
func (e *CPU) Inputs(dst []float64, of Side, given *unit.States) {
	width := layer(e.model, of).Spec().Width()
	e.eachBlock(given.Len, func(s *rowScratch, r parallel.Range) {
		s.worker.Inputs(dst[r.Lo*width:r.Hi*width], of, given, r.Lo)
	})
}

// Means sets each row of dst to the means of a layer given a configuration of the other.
func (e *CPU) Means(dst []float64, of Side, given *unit.States) {
	l := layer(e.model, of)
	width := l.Spec().Width()
	e.eachRow(of, given, func(_ *rowScratch, k int, I []float64) { l.Mean(dst[k*width:(k+1)*width], I) })
}

// EffectiveEnergies sets dst to the effective energies of configurations of a layer.
func (e *CPU) EffectiveEnergies(dst []float64, of Side, x *unit.States) {
	own := e.given[of].law
	e.eachRow(of.Other(), x, func(s *rowScratch, k int, I []float64) {
		dst[k] = own.potential(x, k, s.values[of]) - s.cgf(e, of.Other(), I)
	})
}

// EffectiveEnergies returns E_eff(v) of visible configurations, by an engine made for this call alone.
func EffectiveEnergies(m *rbm.RBM, v *unit.States) ([]float64, error) {
	e, err := New(m, 0)
	if err != nil {
		return nil, err
	}
	energies := make([]float64, v.Len)
	e.EffectiveEnergies(energies, Visible, v)
	return energies, nil
}

// Energies sets dst to E(v,h) of each pair of configurations.
func (e *CPU) Energies(dst []float64, v, h *unit.States) {
	visible, hidden := e.given[Visible].law, e.given[Hidden].law
	e.eachRow(Hidden, v, func(s *rowScratch, k int, I []float64) {
		dst[k] = visible.potential(v, k, s.values[Visible]) + hidden.potential(h, k, s.values[Hidden])
		h.Values(s.values[Hidden], k)
		dst[k] -= rbm.Contract(h.Spec, I, s.values[Hidden])
	})
}

// CGF sets dst to ΣΓ(I) of a layer for each row of inputs.
func (e *CPU) CGF(dst []float64, of Side, inputs []float64) {
	width := layer(e.model, of).Spec().Width()
	e.eachBlock(len(dst), func(s *rowScratch, r parallel.Range) {
		s.worker.CGF(dst[r.Lo:r.Hi], of, inputs[r.Lo*width:])
	})
}

// rowScratch is the memory of one worker of the methods on whole batches.
type rowScratch struct {
	worker Worker
	inputs []float64
	values [2][]float64 // a configuration of each layer
	logs   [2]*kernel.LogSums
}

// room returns scratch for n inputs.
func (s *rowScratch) room(n int) []float64 {
	if len(s.inputs) < n {
		s.inputs = make([]float64, n)
	}
	return s.inputs[:n]
}

// cgf is ΣΓ of a layer given its inputs, which it overwrites.
func (s *rowScratch) cgf(e *CPU, of Side, I []float64) float64 {
	law := e.given[of].law
	if g := law.fields(); g != nil {
		vec.Add(I, g)
	}
	return law.cgf(I, s.logs[of])
}

// scratch returns the memory of a worker, allocated at the first use.
func (e *CPU) scratch(worker int) *rowScratch {
	if e.rows[worker] == nil {
		s := &rowScratch{worker: e.Worker()}
		for _, side := range []Side{Visible, Hidden} {
			spec := layer(e.model, side).Spec()
			s.values[side], s.logs[side] = make([]float64, spec.N), kernel.NewLogSums(spec.Width())
		}
		e.rows[worker] = s
	}
	return e.rows[worker]
}

// eachBlock calls f for blocks of rows, on all workers.
func (e *CPU) eachBlock(rows int, f func(s *rowScratch, r parallel.Range)) {
	n := (rows + accurateRows - 1) / accurateRows
	for len(e.rows) < parallel.Workers(e.workers, n) {
		e.rows = append(e.rows, nil)
	}
	parallel.For(e.workers, n, func(worker, i int) {
		f(e.scratch(worker), parallel.Range{Lo: i * accurateRows, Hi: min((i+1)*accurateRows, rows)})
	})
}

// eachRow calls f with the inputs of a layer given each configuration of the other.
func (e *CPU) eachRow(to Side, given *unit.States, f func(s *rowScratch, k int, I []float64)) {
	width := layer(e.model, to).Spec().Width()
	e.eachBlock(given.Len, func(s *rowScratch, r parallel.Range) {
		inputs := s.room(r.Len() * width)
		s.worker.Inputs(inputs, to, given, r.Lo)
		for k := r.Lo; k < r.Hi; k++ {
			f(s, k, inputs[(k-r.Lo)*width:][:width])
		}
	})
}
