package batch

import (
	"math/bits"

	"instanton/internal/kernel"
	"instanton/internal/parallel"
	"instanton/unit"
)

// correlator computes Σ_ℓ v_ℓ h_ℓᵀ over a batch of a fixed number of rows. No sum is split between tasks, so the
// number of workers does not matter.
type correlator struct {
	visible    unit.Spec
	rows, cols int
	in         kernel.Inputs

	weights *kernel.Weights // h of the batch, for discrete v
	dense   *kernel.Dense   // h of the batch, for real v
	bits    []uint64        // v of the batch, transposed
	words   int             // per row of bits

	parts []*correlation // one task each
	owner []int          // the part that each visible unit belongs to
}

// correlation holds the sums of a range of visible units.
type correlation struct {
	parallel.Range
	fields *kernel.Fields // of discrete v
	gemm   *kernel.GEMM   // of real v
	sums   []float32
}

// mostChannels is the largest number of visible channels in a part: enough to repay the tables of a product many times
// over.
const mostChannels = 1024

func newCorrelator(visible unit.Spec, rows, cols, workers int) *correlator {
	c := &correlator{visible: visible, rows: rows, cols: cols, words: (rows + 63) / 64, owner: make([]int, visible.N)}
	c.in = kernel.Inputs{Units: rows, Spin: visible.Type == unit.Spin}
	if visible.Type.Discrete() {
		c.weights = kernel.NewWeights(c.in, cols)
	} else {
		c.dense = kernel.NewDense(rows, cols)
	}
	if visible.Type.Discrete() && visible.Channels() == 1 {
		c.bits = make([]uint64, visible.N*c.words)
	}
	for k, r := range parallel.Shares(visible.N, workers, max(1, mostChannels/visible.Channels())) {
		p := &correlation{Range: r}
		if c.weights != nil {
			p.fields = kernel.NewFields(r.Len()*visible.Channels(), c.in, cols)
		} else {
			p.gemm, p.sums = kernel.NewGEMM(), make([]float32, r.Len()*cols)
		}
		c.parts = append(c.parts, p)
		for i := r.Lo; i < r.Hi; i++ {
			c.owner[i] = k
		}
	}
	return c
}

// take transposes the bits of some rows of v; the first row is a multiple of 64.
func (c *correlator) take(v *unit.States, rows parallel.Range) {
	if c.bits != nil {
		kernel.TransposeBits(c.bits[rows.Lo/64:], c.words, v.Bits[rows.Lo*v.Stride:], v.Stride, rows.Len(), c.visible.N)
	}
}

// takeMeans takes all rows of h, which must be finite; bound is an upper bound for the sum of absolute values of every
// column.
func (c *correlator) takeMeans(h []float32, bound float64) {
	if c.weights != nil {
		c.weights.SetRows(h, c.cols, bound)
	} else {
		c.dense.SetRows(h, c.cols)
	}
}

// sum computes part k for a batch v.
func (c *correlator) sum(k int, v *unit.States) {
	p := c.parts[k]
	switch {
	case v.Bits != nil:
		p.fields.FromBits(c.weights, c.bits[p.Lo*c.words:], c.words)
	case v.Codes != nil:
		p.fields.FromTransposedCodes(c.weights, v.Codes[p.Lo:], v.Stride, p.Len(), c.visible.Q)
	default:
		clear(p.sums)
		left := kernel.Left{Data: v.Reals[p.Lo:], Row: 1, Step: v.Stride}
		p.gemm.AddProduct(p.sums, c.cols, left, p.Len(), c.dense)
	}
}

// addRow adds scale·Σ_ℓ v_ℓ h_ℓᵀ of one visible channel to dst.
func (c *correlator) addRow(dst []float64, channel int, scale float64) {
	q := c.visible.Channels()
	p := c.parts[c.owner[channel/q]]
	row := channel - p.Lo*q
	if p.fields != nil {
		p.fields.AddRow(dst, row, scale)
		return
	}
	for j, x := range p.sums[row*c.cols:][:c.cols] {
		dst[j] += float64(scale * float64(x))
	}
}

// sumBits sets dst to Σ_ℓ w_ℓ v_ℓ for the units of part k, which are bits, given the weights (nil if all are one) and
// their sum.
func (c *correlator) sumBits(dst []float64, k int, weights []float64, total float64) {
	for i := c.parts[k].Lo; i < c.parts[k].Hi; i++ {
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
