package batch

import (
	"math"

	"instanton/internal/kernel"
	"instanton/internal/parallel"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// accurate computes the inputs of a layer to the accuracy of float64. Weights of discrete units
// that give come in two parts in fixed point: what the first rounds off is the second, in units
// some 2^25 times smaller. Sums of whole numbers are exact and do not depend on their order.
type accurate struct {
	from, to unit.Spec
	parts    [2]*kernel.Weights // nil if real units give
	total    []float64          // Σ_i W_iμ, for units ±1: Σ ±w = 2 Σ_{up} w − Σ w
	rest     []float64          // what the first part rounds off

	weights view
}

func newAccurate(from, to unit.Spec) *accurate {
	a := &accurate{from: from, to: to}
	if !from.Type.Discrete() {
		return a
	}
	in := kernelInputs(from)
	in.Spin = false
	for k := range a.parts {
		a.parts[k] = kernel.NewWeights(in, to.Width())
	}
	a.total, a.rest = make([]float64, to.Width()), make([]float64, from.Width()*to.Width())
	return a
}

// set takes the weights as seen from the layer that receives.
func (a *accurate) set(w view) error {
	a.weights = w
	if a.parts[0] == nil {
		return nil
	}
	if err := a.parts[0].Set(w, nil); err != nil {
		return err
	}
	clear(a.total)
	unit := float64(a.parts[0].Scale)
	rows, cols := a.from.Width(), a.to.Width()
	for i := range rows {
		rest := a.rest[i*cols : (i+1)*cols]
		for j := range rest {
			x := w.Data[i*w.Row+j*w.Col]
			rest[j] = x - unit*math.RoundToEven(x/unit)
			a.total[j] += x
		}
	}
	return a.parts[1].Set(view{Data: a.rest, Row: cols, Col: 1}, nil)
}

// accurateBlock is what the inputs of a number of rows are computed in.
type accurateBlock struct {
	fields [2]*kernel.Fields
	values []float64 // of a row that gives
}

// accurateRows is the number of rows of a task.
const accurateRows = 256

func (a *accurate) block() *accurateBlock {
	b := &accurateBlock{values: make([]float64, a.from.N)}
	for k, w := range a.parts {
		if w != nil {
			b.fields[k] = kernel.NewFields(accurateRows, w.Inputs, a.to.Width())
		}
	}
	return b
}

// inputs sets rows of dst to the inputs given some rows of x.
func (a *accurate) inputs(dst []float64, b *accurateBlock, x *unit.States, r parallel.Range) {
	width := a.to.Width()
	clear(dst)
	if a.parts[0] == nil {
		for k := r.Lo; k < r.Hi; k++ {
			x.Values(b.values, k)
			a.product(dst[(k-r.Lo)*width:][:width], b.values)
		}
		return
	}
	for k, w := range a.parts {
		f := b.fields[k]
		f.Resize(r.Len())
		if x.Bits != nil {
			f.FromBits(w, x.Bits[r.Lo*x.Stride:], x.Stride)
		} else {
			f.FromCodes(w, x.Codes[r.Lo*x.Stride:], x.Stride)
		}
		f.AddTo(dst, width, 1)
	}
	if a.from.Type == unit.Spin {
		for ; len(dst) > 0; dst = dst[width:] {
			for j, t := range a.total {
				dst[j] = 2*dst[j] - t
			}
		}
	}
}

// product adds what real units give to one row.
func (a *accurate) product(dst, values []float64) {
	w := a.weights
	if w.Col == 1 {
		for i, x := range values {
			vec.AddScaled(dst, x, w.Data[i*w.Row:][:len(dst)])
		}
		return
	}
	for j := range dst {
		dst[j] = vec.Dot(w.Data[j*w.Col:][:len(values)], values)
	}
}

// accurateInputs returns the inputs of a layer, with the present parameters.
func (e *CPU) accurateInputs(of Side) *accurate {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.accurate[of] == nil {
		e.accurate[of] = newAccurate(layer(e.model, of.Other()).Spec(), layer(e.model, of).Spec())
	}
	if e.stale[of] {
		if err := e.accurate[of].set(weights(e.model, of)); err != nil {
			panic(err) // Set has refused such sums
		}
		e.stale[of] = false
	}
	return e.accurate[of]
}

// Inputs sets rows of dst to what a layer receives from each configuration of the other one.
func (e *CPU) Inputs(dst []float64, of Side, given *unit.States) {
	width := layer(e.model, of).Spec().Width()
	e.eachRow(of, given, func(_ *rowScratch, k int, I []float64) { copy(dst[k*width:(k+1)*width], I) })
}

// Means sets rows of dst to the means of a layer given each configuration of the other one.
func (e *CPU) Means(dst []float64, of Side, given *unit.States) {
	l := layer(e.model, of)
	width := l.Spec().Width()
	e.eachRow(of, given, func(_ *rowScratch, k int, I []float64) { l.Mean(dst[k*width:(k+1)*width], I) })
}

// EffectiveEnergies sets dst to the effective energies of configurations of a layer.
func (e *CPU) EffectiveEnergies(dst []float64, of Side, x *unit.States) {
	own, other := e.given[of].law, e.given[of.Other()].law
	e.eachRow(of.Other(), x, func(s *rowScratch, k int, I []float64) {
		if g := other.fields(); g != nil {
			vec.Add(I, g)
		}
		dst[k] = own.potential(x, k, s.own) - other.cgf(I, s.logs)
	})
}

// Energies sets dst to E(v,h) of each pair of configurations.
func (e *CPU) Energies(dst []float64, v, h *unit.States) {
	hidden := e.model.Hidden.Spec()
	e.eachRow(Hidden, v, func(s *rowScratch, k int, I []float64) {
		h.Values(s.other, k)
		dst[k] = e.given[Visible].law.potential(v, k, s.own) + e.model.Hidden.Potential(s.other) -
			rbm.Contract(hidden, I, s.other)
	})
}

// rowScratch is what the worker of a row needs besides its inputs.
type rowScratch struct {
	block      *accurateBlock
	inputs     []float64
	own, other []float64 // a configuration of the layer that gives, and of the one that receives
	logs       *kernel.LogSums
}

// eachRow calls f with the inputs that a layer receives from each configuration.
func (e *CPU) eachRow(to Side, given *unit.States, f func(s *rowScratch, k int, I []float64)) {
	a := e.accurateInputs(to)
	width := a.to.Width()
	blocks := parallel.Blocks(given.Len, accurateRows)
	workers := make([]*rowScratch, parallel.Workers(e.workers, len(blocks)))
	parallel.For(e.workers, len(blocks), func(worker, i int) {
		s := workers[worker]
		if s == nil {
			s = &rowScratch{
				block: a.block(), inputs: make([]float64, min(accurateRows, given.Len)*width),
				own: make([]float64, a.from.N), other: make([]float64, a.to.N), logs: kernel.NewLogSums(width),
			}
			workers[worker] = s
		}
		inputs := s.inputs[:blocks[i].Len()*width]
		a.inputs(inputs, s.block, given, blocks[i])
		for k := blocks[i].Lo; k < blocks[i].Hi; k++ {
			f(s, k, inputs[(k-blocks[i].Lo)*width:][:width])
		}
	})
}
