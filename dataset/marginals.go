package dataset

import (
	"math"
	"math/bits"

	"instanton/unit"
)

// Marginals returns the frequency of each state at each unit of discrete configurations, N rows of q, weighted if the
// configurations have weights.
func (d *Dataset) Marginals() [][]float64 {
	s := d.States
	shares := make([][]float64, s.N)
	for i := range shares {
		shares[i] = make([]float64, s.Spec.States())
	}
	var total float64
	for k := range s.Len {
		w := 1.0
		if d.Weights != nil {
			w = d.Weights[k]
		}
		total += w
		if s.Type == unit.Potts {
			for i, a := range s.CodeRow(k) {
				shares[i][a] += w
			}
			continue
		}
		for b, word := range s.BitRow(k) {
			for ; word != 0; word &= word - 1 {
				shares[b<<6+bits.TrailingZeros64(word)][1] += w
			}
		}
	}
	for _, p := range shares {
		if s.Type != unit.Potts {
			p[0] = total - p[1]
		}
		for a := range p {
			p[a] = max(0, p[a]) / max(total, math.SmallestNonzeroFloat64)
		}
	}
	return shares
}

// Entropy is −Σ p log₂ p, in bits.
func Entropy(p []float64) (bits float64) {
	for _, x := range p {
		if x > 0 {
			bits -= x * math.Log2(x)
		}
	}
	return bits
}

// Information is log₂ q minus the entropy of the states of a unit, in bits: the height of a stack in a sequence logo.
func Information(p []float64) float64 { return max(0, math.Log2(float64(len(p)))-Entropy(p)) }
