package batch

import (
	"instanton/internal/kernel"
	"instanton/internal/rng"
	"instanton/unit"
)

type view = kernel.View

// conditional is the law of one layer given the other, for many rows side by side, computed by the loops of package
// kernel: sums of fixed-point weights if the layer that sends is discrete, a matrix product in float32 if it is real.
// Either way the result of a row does not depend on the other rows.
type conditional struct {
	from, to unit.Spec
	law      law

	weights *kernel.Weights // if discrete units send
	dense   *kernel.Dense   // if real units send
	fields  []float32       // of discrete units, if real units send
}

func newConditional(from, to unit.Spec) *conditional {
	c := &conditional{from: from, to: to, law: newLaw(to)}
	if from.Type.Discrete() {
		c.weights = kernel.NewWeights(kernelInputs(from), to.Width())
	} else {
		c.dense = kernel.NewDense(from.Width(), to.Width())
	}
	return c
}

// kernelInputs describes the units that send in the terms of package kernel.
func kernelInputs(spec unit.Spec) kernel.Inputs {
	return kernel.Inputs{Units: spec.N, Spin: spec.Type == unit.Spin, States: spec.Q}
}

// set takes the weights as seen from the layer that receives; the law already has its parameters.
func (c *conditional) set(w view) error {
	fields := c.law.fields()
	if c.weights != nil {
		return c.weights.Set(w, fields)
	}
	c.dense.Set(w)
	c.fields = c.fields[:0]
	for _, g := range fields {
		c.fields = append(c.fields, float32(g))
	}
	return nil
}

// block is the memory of a conditional law for a number of rows.
type block struct {
	rows        int
	fields      *kernel.Fields // if discrete units send: inputs plus fields in fixed point
	gemm        *kernel.GEMM
	inputs      []float32 // rows of inputs, plus the fields of discrete units
	words       []uint32
	categorical *kernel.Categorical
}

func (c *conditional) block(rows int) *block {
	b := &block{rows: rows}
	if c.weights != nil {
		b.fields = kernel.NewFields(rows, c.weights.Inputs, c.to.Width())
	} else {
		b.gemm = kernel.NewGEMM()
	}
	if c.dense != nil || !c.to.Type.Discrete() {
		b.inputs = make([]float32, rows*c.to.Width())
	}
	if c.to.Channels() > 1 {
		b.categorical = kernel.NewCategorical(c.to.N, c.to.Q)
	} else {
		b.words = make([]uint32, c.law.words())
	}
	return b
}

// draw draws rows of dst, starting at row to, given those of src, starting at row from. The stream is that of the
// first row.
func (c *conditional) draw(b *block, dst *unit.States, to int, src *unit.States, from int, r rng.Stream) {
	stream := kernel.Stream{Key: r.Key(), Counter: r.Counter()}
	c.receive(b, b.inputs, src, from)
	c.law.draw(b, dst, to, stream)
}

// receive computes the inputs given rows of src, starting at row from, plus the fields of discrete units. If discrete
// units send, the result is in b.fields, otherwise in inputs.
func (c *conditional) receive(b *block, inputs []float32, src *unit.States, from int) {
	switch {
	case src.Bits != nil:
		b.fields.FromBits(c.weights, src.Bits[from*src.Stride:], src.Stride)
	case src.Codes != nil:
		b.fields.FromCodes(c.weights, src.Codes[from*src.Stride:], src.Stride)
	default:
		width := c.to.Width()
		clear(inputs[:b.rows*width])
		for k := 0; len(c.fields) > 0 && k < b.rows; k++ {
			copy(inputs[k*width:], c.fields)
		}
		rows := kernel.Left{Data: src.Reals[from*src.Stride:], Row: src.Stride, Step: 1}
		b.gemm.AddProduct(inputs, width, rows, b.rows, c.dense)
	}
}

// reals converts the result of receive to rows of float32, wherever it is.
func (c *conditional) reals(b *block, rows []float32) {
	if b.fields != nil {
		b.fields.Reals(rows, c.to.Width(), 1)
	}
}
