package batch

import (
	"math"

	"instanton/internal/kernel"
	"instanton/internal/vec"
	"instanton/unit"
)

// accurate computes the inputs of a layer to the accuracy of float64. If the layer that sends is discrete, the weights
// come in two parts in fixed point: the second, in units some 2^25 times smaller, holds what the first rounds off.
// Sums of integers are exact and do not depend on their order.
type accurate struct {
	from, to unit.Spec
	parts    [2]*kernel.Weights // nil if real units send
	total    []float64          // Σ_i W_iμ, for spins: Σ ±w = 2 Σ_{up} w − Σ w
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

// accurateBlock is the memory for the inputs of a number of rows.
type accurateBlock struct {
	fields [2]*kernel.Fields
	values []float64 // of one row of the layer that sends
}

// accurateRows is the largest number of rows whose inputs are computed side by side.
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

// inputs sets rows of dst to the inputs given n rows of x, starting at row from.
func (a *accurate) inputs(dst []float64, b *accurateBlock, x *unit.States, from, n int) {
	width := a.to.Width()
	clear(dst)
	if a.parts[0] == nil {
		for k := range n {
			x.Values(b.values, from+k)
			a.product(dst[k*width:][:width], b.values)
		}
		return
	}
	for k, w := range a.parts {
		f := b.fields[k]
		f.Resize(n)
		if x.Bits != nil {
			f.FromBits(w, x.Bits[from*x.Stride:], x.Stride)
		} else {
			f.FromCodes(w, x.Codes[from*x.Stride:], x.Stride)
		}
		for row := range n {
			f.AddRow(dst[row*width:(row+1)*width], row, 1)
		}
	}
	if a.from.Type == unit.Spin {
		for ; len(dst) > 0; dst = dst[width:] {
			for j, t := range a.total {
				dst[j] = 2*dst[j] - t
			}
		}
	}
}

// product adds the inputs from one row of real units.
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

// accurateInputs returns the accurate inputs of a layer for the current parameters.
func (e *CPU) accurateInputs(of Side) *accurate {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.accurate[of] == nil {
		e.accurate[of] = newAccurate(layer(e.model, of.Other()).Spec(), layer(e.model, of).Spec())
	}
	if e.stale[of] {
		if err := e.accurate[of].set(weights(e.model, of)); err != nil {
			panic(err) // Set has checked the sums
		}
		e.stale[of] = false
	}
	return e.accurate[of]
}
