package train

import (
	"instanton/internal/kernel"
	"instanton/unit"
)

// correlator computes Σ_ℓ v_ℓ h_ℓᵀ over a batch of a fixed number of rows. Every visible
// unit is a task of its own: no sum is split, so the number of workers changes nothing.
type correlator struct {
	visible    unit.Spec
	rows, cols int

	weights *kernel.Weights // h of the batch, for discrete v
	dense   *kernel.Dense   // h of the batch, for real v
	bits    []uint64        // v of the batch, transposed
	words   int
	pieces  []piece
}

// piece is a range of visible units with the scratch to compute their sums.
type piece struct {
	span
	fields *kernel.Fields
	gemm   *kernel.GEMM
	sums   []float32
}

// pieceUnits is the number of visible units of a piece; whole words of 64 bits.
const pieceUnits = 64

func newCorrelator(visible unit.Spec, rows, cols int) *correlator {
	c := &correlator{visible: visible, rows: rows, cols: cols, words: (rows + 63) / 64}
	in := kernel.Inputs{Units: rows, Spin: visible.Type == unit.Spin}
	if visible.Type.Discrete() {
		c.weights = kernel.NewWeights(in, cols)
	} else {
		c.dense = kernel.NewDense(rows, cols)
	}
	size := pieceUnits
	if visible.Type == unit.Potts {
		size = max(1, pieceUnits/visible.Q)
	} else if visible.Type.Discrete() {
		c.bits = make([]uint64, visible.N*c.words)
	}
	for _, s := range spans(visible.N, size) {
		p := piece{span: s}
		if visible.Type.Discrete() {
			p.fields = kernel.NewFields((s.hi-s.lo)*visible.Channels(), in, cols)
		} else {
			p.gemm, p.sums = kernel.NewGEMM(), make([]float32, (s.hi-s.lo)*cols)
		}
		c.pieces = append(c.pieces, p)
	}
	return c
}

// add adds scale·Σ_ℓ v_ℓ h_ℓᵀ to dst, which has a row for each visible channel. h must be
// finite.
func (c *correlator) add(dst []float64, v *unit.States, h []float32, scale float64, workers int) {
	if c.weights != nil {
		c.weights.SetRows(h, c.cols, kernel.MaxColumnSum(h, c.cols, c.rows, c.cols))
	} else {
		c.dense.SetRows(h, c.cols)
	}
	if c.bits != nil {
		kernel.TransposeBits(c.bits, c.words, v.Bits, v.Stride, c.rows, c.visible.N)
	}
	parallel(workers, len(c.pieces), func(k int) {
		p := &c.pieces[k]
		to := dst[p.lo*c.visible.Channels()*c.cols:]
		switch c.visible.Type {
		case unit.Spin, unit.Bernoulli:
			p.fields.FromBits(c.weights, c.bits[p.lo*c.words:], c.words)
		case unit.Potts:
			p.fields.FromTransposedCodes(c.weights, v.Codes[p.lo:], v.Stride, p.hi-p.lo, c.visible.Q)
		default:
			clear(p.sums)
			p.gemm.AddProduct(p.sums, c.cols, kernel.Left{Data: v.Reals[p.lo:], Row: 1, Step: v.Stride}, p.hi-p.lo, c.dense)
			for i, x := range p.sums {
				to[i] += scale * float64(x)
			}
			return
		}
		p.fields.AddTo(to, c.cols, scale)
	})
}
