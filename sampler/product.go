package sampler

import (
	"math/bits"

	"instanton/unit"
)

// product computes the inputs that one layer gives to the other, in float32, from
// compact states: rows of weights are added up, never multiplied for discrete units.
type product struct {
	spec unit.Spec
	cols int
	rows []float32 // one row a channel of the giving layer; doubled for spins
	base []float32 // what all spins down give
}

func newProduct(spec unit.Spec, w []float64) *product {
	p := &product{spec: spec, cols: len(w) / spec.Width(), rows: make([]float32, len(w))}
	p.base = make([]float32, p.cols)
	for k, x := range w {
		if spec.Type == unit.Spin { // W v = 2W·[v=1] − W
			p.rows[k] = float32(2 * x)
		} else {
			p.rows[k] = float32(x)
		}
	}
	if spec.Type == unit.Spin {
		for c := range p.base {
			var sum float64
			for r := range spec.N {
				sum -= w[r*p.cols+c]
			}
			p.base[c] = float32(sum)
		}
	}
	return p
}

func (p *product) row(r int) []float32 { return p.rows[r*p.cols : (r+1)*p.cols] }

// apply sets I to the inputs given by configuration k of s.
func (p *product) apply(I []float32, s *unit.States, k int) {
	copy(I, p.base)
	switch p.spec.Type {
	case unit.Spin, unit.Bernoulli:
		for word, b := range s.BitRow(k) {
			for ; b != 0; b &= b - 1 {
				add(I, p.row(word<<6+bits.TrailingZeros64(b)))
			}
		}
	case unit.Potts:
		for i, a := range s.CodeRow(k) {
			add(I, p.row(i*p.spec.Q+int(a)))
		}
	default:
		for i, x := range s.RealRow(k) {
			for c, w := range p.row(i) {
				I[c] += float32(w * x)
			}
		}
	}
}

func add(I, row []float32) {
	for c, w := range row {
		I[c] += w
	}
}
