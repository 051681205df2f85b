package evaluate

import (
	"instanton/internal/kernel"
	"instanton/unit"
)

// Projector computes the inputs that hidden units receive from many configurations at
// once. They are float32, and those of a configuration do not depend on the others that
// are computed beside it.
type Projector struct {
	visible unit.Spec
	width   int

	weights *kernel.Weights // of discrete visible units
	dense   *kernel.Dense   // of real ones
}

// NewProjector prepares for weights of the visible units with a hidden layer of the
// given width.
func NewProjector(visible unit.Spec, width int) *Projector {
	p := &Projector{visible: visible, width: width}
	if visible.Type.Discrete() {
		in := kernel.Inputs{Units: visible.N, Spin: visible.Type == unit.Spin, States: visible.Q}
		p.weights = kernel.NewWeights(in, width)
	} else {
		p.dense = kernel.NewDense(visible.N, width)
	}
	return p
}

// Set takes the weights, one row a visible channel. The error says what is not finite.
func (p *Projector) Set(w []float64) error {
	view := kernel.View{Data: w, Row: p.width, Col: 1}
	if p.weights != nil {
		return p.weights.Set(view, nil)
	}
	p.dense.Set(view)
	return nil
}

// Projection is the scratch space to project a fixed number of configurations; one
// goroutine uses it at a time.
type Projection struct {
	of     *Projector
	rows   int
	fields *kernel.Fields
	gemm   *kernel.GEMM
}

// Projection returns scratch space for a number of configurations.
func (p *Projector) Projection(rows int) *Projection {
	s := &Projection{of: p, rows: rows}
	if p.weights != nil {
		s.fields = kernel.NewFields(rows, p.weights.Inputs, p.width)
	} else {
		s.gemm = kernel.NewGEMM()
	}
	return s
}

// Inputs sets the rows of I to the inputs from configurations lo, lo+1, … of v. It
// allocates nothing.
func (s *Projection) Inputs(I []float32, v *unit.States, lo int) {
	p, from := s.of, lo*v.Stride
	switch p.visible.Type {
	case unit.Spin, unit.Bernoulli:
		s.fields.FromBits(p.weights, v.Bits[from:], v.Stride)
	case unit.Potts:
		s.fields.FromCodes(p.weights, v.Codes[from:], v.Stride)
	default:
		clear(I[:s.rows*p.width])
		rows := kernel.Left{Data: v.Reals[from:], Row: v.Stride, Step: 1}
		s.gemm.AddProduct(I, p.width, rows, s.rows, p.dense)
		return
	}
	s.fields.Reals(I, p.width, 1)
}
