package train

import (
	"math/bits"

	"instanton/internal/kernel"
	"instanton/unit"
)

// correlator computes Σ_ℓ v_ℓ h_ℓᵀ over a batch of a fixed number of rows. No sum is split
// between tasks, so that the number of workers changes nothing.
type correlator struct {
	visible    unit.Spec
	rows, cols int
	in         kernel.Inputs

	weights *kernel.Weights // h of the batch, for discrete v
	dense   *kernel.Dense   // h of the batch, for real v
	bits    []uint64        // v of the batch, transposed
	words   int             // of a row of bits
}

// correlation is what one worker needs to compute the sums of some visible units.
type correlation struct {
	fields *kernel.Fields
	gemm   *kernel.GEMM
	sums   []float32
}

func newCorrelator(visible unit.Spec, rows, cols int) *correlator {
	c := &correlator{visible: visible, rows: rows, cols: cols, words: (rows + 63) / 64}
	c.in = kernel.Inputs{Units: rows, Spin: visible.Type == unit.Spin}
	if visible.Type.Discrete() {
		c.weights = kernel.NewWeights(c.in, cols)
	} else {
		c.dense = kernel.NewDense(rows, cols)
	}
	if visible.Type == unit.Spin || visible.Type == unit.Bernoulli {
		c.bits = make([]uint64, visible.N*c.words)
	}
	return c
}

func (c *correlator) correlation(units int) *correlation {
	if c.weights != nil {
		return &correlation{fields: kernel.NewFields(units*c.visible.Channels(), c.in, c.cols)}
	}
	return &correlation{gemm: kernel.NewGEMM(), sums: make([]float32, units*c.cols)}
}

// take takes some rows of v, from a multiple of 64 on.
func (c *correlator) take(v *unit.States, s span) {
	if c.bits != nil {
		kernel.TransposeBits(c.bits[s.lo/64:], c.words, v.Bits[s.lo*v.Stride:], v.Stride, s.hi-s.lo, c.visible.N)
	}
}

// takeMeans takes all rows of h, which must be finite, with no sum of a column's absolute
// values above the bound.
func (c *correlator) takeMeans(h []float32, bound float64) {
	if c.weights != nil {
		c.weights.SetRows(h, c.cols, bound)
	} else {
		c.dense.SetRows(h, c.cols)
	}
}

// add adds scale·Σ_ℓ v_ℓ h_ℓᵀ of some visible units to dst, which has a row for each of
// their channels.
func (c *correlator) add(dst []float64, s *correlation, v *unit.States, units span, scale float64) {
	n := units.hi - units.lo
	switch c.visible.Type {
	case unit.Spin, unit.Bernoulli:
		s.fields.Resize(n)
		s.fields.FromBits(c.weights, c.bits[units.lo*c.words:], c.words)
	case unit.Potts:
		s.fields.Resize(n * c.visible.Q)
		s.fields.FromTransposedCodes(c.weights, v.Codes[units.lo:], v.Stride, n, c.visible.Q)
	default:
		sums := s.sums[:n*c.cols]
		clear(sums)
		s.gemm.AddProduct(sums, c.cols, kernel.Left{Data: v.Reals[units.lo:], Row: 1, Step: v.Stride}, n, c.dense)
		for i, x := range sums {
			dst[i] += scale * float64(x)
		}
		return
	}
	s.fields.AddTo(dst, c.cols, scale)
}

// sumBits sets dst to Σ_ℓ w_ℓ v_ℓ of some units of bits, given the weights (nil: all one)
// and their sum.
func (c *correlator) sumBits(dst []float64, units span, weights []float64, total float64) {
	for i := units.lo; i < units.hi; i++ {
		var up float64
		for k, word := range c.bits[i*c.words : (i+1)*c.words] {
			if weights == nil {
				up += float64(bits.OnesCount64(word))
				continue
			}
			for ; word != 0; word &= word - 1 {
				up += weights[64*k+bits.TrailingZeros64(word)]
			}
		}
		if c.visible.Type == unit.Spin {
			up = 2*up - total
		}
		dst[i] = up
	}
}
