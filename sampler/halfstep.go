package sampler

import (
	"math"

	"instanton/internal/kernel"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/unit"
)

// halfStep draws one layer given the other, for many chains side by side, by the loops
// of package kernel. Discrete units give sums of fixed-point weights, real units a
// matrix product in float32. Either way a chain's result does not depend on the chains
// beside it.
type halfStep struct {
	from, to unit.Spec

	weights *kernel.Weights // of units that give bits or codes
	dense   *kernel.Dense   // of real units that give
	bias    []float32       // fields of discrete units that receive from real ones

	scale  float32        // bits: 2 for spins, whose odds are e^{2I}
	normal *kernel.Normal // the laws of real units that receive
	half   *kernel.Half
	double *kernel.Double
}

// direction says which layer gives.
type direction bool

const (
	upward   direction = false // visible units give, hidden ones are drawn
	downward direction = true
)

func newHalfStep(m *rbm.RBM, d direction) (*halfStep, error) {
	from, to := m.Visible, m.Hidden
	if d == downward {
		from, to = to, from
	}
	s := &halfStep{from: from.Spec(), to: to.Spec(), scale: 1}
	if s.from.Type.Discrete() {
		in := kernel.Inputs{Units: s.from.N, Spin: s.from.Type == unit.Spin, States: s.from.Q}
		s.weights = kernel.NewWeights(in, s.to.Width())
	} else {
		s.dense = kernel.NewDense(s.from.Width(), s.to.Width())
	}
	return s, s.set(m, d)
}

// set takes the parameters of a model. It allocates nothing but at the first time.
func (s *halfStep) set(m *rbm.RBM, d direction) error {
	to, cols := m.Hidden, m.Hidden.Spec().Width()
	w := kernel.View{Data: m.W, Row: cols, Col: 1}
	if d == downward {
		to = m.Visible
		w.Row, w.Col = 1, cols
	}
	fields := s.takeLaw(to)
	if s.weights != nil {
		return s.weights.Set(w, fields)
	}
	s.dense.Set(w)
	s.bias = s.bias[:0]
	for _, g := range fields {
		s.bias = append(s.bias, float32(g))
	}
	return nil
}

// takeLaw prepares the laws of real units, or returns the fields of discrete ones.
func (s *halfStep) takeLaw(l rbm.Layer) (fields []float64) {
	switch l := l.(type) {
	case *rbm.Spin:
		s.scale = 2
		return l.Fields
	case *rbm.Bernoulli:
		return l.Fields
	case *rbm.Potts:
		return l.Fields
	case *rbm.Gaussian:
		if s.normal == nil {
			s.normal = &kernel.Normal{Gain: make([]float32, s.to.N), Offset: make([]float32, s.to.N), Spread: make([]float32, s.to.N)}
		}
		for i, g := range l.Gamma {
			s.normal.Gain[i], s.normal.Offset[i], s.normal.Spread[i] = float32(1/g), float32(-l.Theta[i]/g), float32(1/math.Sqrt(g))
		}
	case *rbm.ReLU:
		if s.half == nil {
			s.half = newHalf(s.to.N)
		}
		setHalf(s.half, l.Gamma, l.Theta, 1)
	case *rbm.DReLU:
		if s.double == nil {
			s.double = &kernel.Double{Right: *newHalf(s.to.N), Left: *newHalf(s.to.N), Odds: make([]float32, s.to.N)}
		}
		setHalf(&s.double.Right, l.GammaPlus, l.ThetaPlus, 1)
		setHalf(&s.double.Left, l.GammaMinus, l.ThetaMinus, -1)
		for i, g := range l.GammaPlus {
			s.double.Odds[i] = float32(math.Log2(l.GammaMinus[i]/g) / 2)
		}
	}
	return nil
}

func newHalf(n int) *kernel.Half {
	return &kernel.Half{Gain: make([]float32, n), Offset: make([]float32, n)}
}

// setHalf sets the law of units, or of their mirror images (sign −1), right of zero.
func setHalf(h *kernel.Half, gamma, theta []float64, sign float64) {
	for i, g := range gamma {
		h.Gain[i], h.Offset[i] = float32(1/math.Sqrt(g)), float32(sign*theta[i]/math.Sqrt(g))
	}
}

// halfScratch is what a half-step of a number of chains works in.
type halfScratch struct {
	chains      int
	fields      *kernel.Fields
	gemm        *kernel.GEMM
	inputs      []float32 // rows of inputs, one a chain
	words       []uint32
	categorical *kernel.Categorical
}

func (s *halfStep) scratch(chains int) *halfScratch {
	b := &halfScratch{chains: chains}
	if s.weights != nil {
		b.fields = kernel.NewFields(chains, s.weights.Inputs, s.to.Width())
	} else {
		b.gemm = kernel.NewGEMM()
	}
	if s.dense != nil || !s.to.Type.Discrete() {
		b.inputs = make([]float32, chains*s.to.Width())
	}
	if s.to.Type == unit.Potts {
		b.categorical = kernel.NewCategorical(s.to.N, s.to.Q)
	} else {
		b.words = make([]uint32, (2*s.to.N+15)&^15) // dReLU units take two each
	}
	return b
}

// run draws configurations of dst, from row to on, given those of src, from row from on.
// The stream is that of the first chain.
func (s *halfStep) run(b *halfScratch, dst *unit.States, to int, src *unit.States, from int, r rng.Stream) {
	stream := kernel.Stream{Key: r.Key(), Counter: r.Counter()}
	width := s.to.Width()
	s.add(b, b.inputs, src, from)
	switch {
	case s.to.Type == unit.Potts && b.fields != nil:
		b.categorical.FromFields(dst.Codes[to*dst.Stride:], dst.Stride, b.fields, 1, stream)
	case s.to.Type == unit.Potts:
		b.categorical.FromRows(dst.Codes[to*dst.Stride:], dst.Stride, b.inputs, width, b.chains, 1, stream)
	case s.to.Type.Discrete() && b.fields != nil:
		b.fields.DrawBits(dst.Bits[to*dst.Stride:], dst.Stride, s.scale, stream)
	default:
		if b.fields != nil {
			b.fields.Reals(b.inputs, width, 1)
		}
		for k := range b.chains {
			s.drawRow(b, dst, to+k, b.inputs[k*width:(k+1)*width], stream.OfChain(k))
		}
	}
}

// add computes the fields that the configurations of src, from row from on, exert: discrete
// units leave them in the scratch, real ones in rows of inputs.
func (s *halfStep) add(b *halfScratch, inputs []float32, src *unit.States, from int) {
	switch s.from.Type {
	case unit.Spin, unit.Bernoulli:
		b.fields.FromBits(s.weights, src.Bits[from*src.Stride:], src.Stride)
	case unit.Potts:
		b.fields.FromCodes(s.weights, src.Codes[from*src.Stride:], src.Stride)
	default:
		width := s.to.Width()
		clear(inputs[:b.chains*width])
		for k := 0; len(s.bias) > 0 && k < b.chains; k++ {
			copy(inputs[k*width:], s.bias)
		}
		rows := kernel.Left{Data: src.Reals[from*src.Stride:], Row: src.Stride, Step: 1}
		b.gemm.AddProduct(inputs, width, rows, b.chains, s.dense)
	}
}

// drawRow draws the units of one chain from their inputs.
func (s *halfStep) drawRow(b *halfScratch, dst *unit.States, k int, inputs []float32, stream kernel.Stream) {
	words := b.words
	if s.double == nil {
		words = words[:(s.to.N+15)&^15]
	}
	kernel.Words(words, stream)
	switch {
	case s.normal != nil:
		s.normal.Draw(dst.RealRow(k), inputs, words)
	case s.half != nil:
		s.half.Draw(dst.RealRow(k), inputs, words)
	case s.double != nil:
		s.double.Draw(dst.RealRow(k), inputs, words)
	default:
		kernel.DrawBits(dst.BitRow(k), inputs, s.scale, words)
	}
}
