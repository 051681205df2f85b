package tempering

import (
	"math"

	"instanton/internal/rng"
	"instanton/sampler"
	"instanton/unit"
)

// Blocks of the random stream of (rung, chain, sweep).
const (
	exchangeBlock  = iota // Metropolis' test of the exchange with the rung above
	classBlock            // the test of a change of class
	componentBlock        // a component of the mixture
)

// uniform is the random number of a rung for chain k in a sweep.
func uniform(c *sampler.Chains, k int, sweep uint64, block uint32) float64 {
	return rng.Uniform(rng.New(c.Seed, rng.Swap, c.First+uint32(k), sweep).Block(block)[0])
}

// swapper exchanges configurations of two rungs.
type swapper struct {
	gain []float64
	row  *unit.States
}

// swap exchanges rows where Metropolis' test accepts the gain, the logarithm of the ratio of probabilities.
func (s *swapper) swap(low, high *sampler.Chains, lo, hi int, sweep uint64, gain []float64, accepted []bool) {
	if s.row == nil {
		s.row = unit.NewStates(low.V.Spec, 1)
	}
	for k := lo; k < hi; k++ {
		yes := uniform(low, k, sweep, exchangeBlock) < math.Exp(gain[k-lo])
		if accepted[k-lo] = yes; yes {
			s.row.CopyRow(0, low.V, k)
			low.V.CopyRow(k, high.V, k)
			high.V.CopyRow(k, s.row, 0)
		}
	}
}

// room returns memory for n numbers, kept between calls.
func room(x *[]float64, n int) []float64 {
	if cap(*x) < n {
		*x = make([]float64, n)
	}
	return (*x)[:n]
}
