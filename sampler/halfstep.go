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
	from, to, cols := m.Visible, m.Hidden, m.Hidden.Spec().Width()
	w := kernel.View{Data: m.W, Row: cols, Col: 1}
	if d == downward {
		from, to = to, from
		w.Row, w.Col = 1, cols
	}
	s := &halfStep{from: from.Spec(), to: to.Spec(), scale: 1}
	fields := s.takeLaw(to)
	if s.from.Type.Discrete() {
		in := kernel.Inputs{Units: s.from.N, Spin: s.from.Type == unit.Spin, States: s.from.Q}
		s.weights = kernel.NewWeights(in, s.to.Width())
		return s, s.weights.Set(w, fields)
	}
	s.dense = kernel.NewDense(s.from.Width(), s.to.Width())
	s.dense.Set(w)
	s.bias = narrow(fields, func(_ int, x float64) float64 { return x })
	return s, nil
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
		s.normal = &kernel.Normal{
			Gain:   narrow(l.Gamma, func(_ int, g float64) float64 { return 1 / g }),
			Offset: narrow(l.Gamma, func(i int, g float64) float64 { return -l.Theta[i] / g }),
			Spread: narrow(l.Gamma, func(_ int, g float64) float64 { return 1 / math.Sqrt(g) }),
		}
	case *rbm.ReLU:
		s.half = halfLaw(l.Gamma, l.Theta, 1)
	case *rbm.DReLU:
		s.double = &kernel.Double{
			Right: *halfLaw(l.GammaPlus, l.ThetaPlus, 1),
			Left:  *halfLaw(l.GammaMinus, l.ThetaMinus, -1),
			Odds:  narrow(l.GammaPlus, func(i int, g float64) float64 { return math.Log2(l.GammaMinus[i]/g) / 2 }),
		}
	}
	return nil
}

// halfLaw is the law of a unit, or of its mirror image (sign −1), right of zero.
func halfLaw(gamma, theta []float64, sign float64) *kernel.Half {
	return &kernel.Half{
		Gain:   narrow(gamma, func(_ int, g float64) float64 { return 1 / math.Sqrt(g) }),
		Offset: narrow(gamma, func(i int, g float64) float64 { return sign * theta[i] / math.Sqrt(g) }),
	}
}

// narrow computes float32 numbers from float64 ones.
func narrow(x []float64, f func(i int, x float64) float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(f(i, v))
	}
	return out
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
	switch s.from.Type {
	case unit.Spin, unit.Bernoulli:
		b.fields.FromBits(s.weights, src.Bits[from*src.Stride:], src.Stride)
	case unit.Potts:
		b.fields.FromCodes(s.weights, src.Codes[from*src.Stride:], src.Stride)
	default:
		clear(b.inputs)
		for k := 0; len(s.bias) > 0 && k < b.chains; k++ {
			copy(b.inputs[k*width:], s.bias)
		}
		rows := kernel.Left{Data: src.Reals[from*src.Stride:], Row: src.Stride, Step: 1}
		b.gemm.AddProduct(b.inputs, width, rows, b.chains, s.dense)
	}

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
