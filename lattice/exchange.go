package lattice

import (
	"math"

	"instanton/internal/rng"
)

// exchange lets neighbouring rungs of every ladder swap their sequences: in one sweep the pairs that start at an even
// rung, in the next those that start at an odd one. The acceptance probability
//
//	min(1, exp((β_{k+1}−β_k)(log P_k − log P_{k+1})))
//
// satisfies detailed balance with the product of all P_nat(v_k)^{β_k}.
func (p *Population) exchange(share float64) {
	rungs := len(p.design.Ladder)
	for r := range p.Replicas {
		k := r % rungs
		if k+1 == rungs || k%2 != int(p.Sweep%2) {
			continue
		}
		var word [1]uint32
		p.stream(rng.Swap, r).Fill(word[:])
		low, high := &p.Replicas[r], &p.Replicas[r+1]
		p.Swaps[k].Tried++
		if rng.Uniform(word[0]) < swap(share*p.beta(r), share*p.beta(r+1), low.LogPnat, high.LogPnat) {
			*low, *high = *high, *low
			p.Swaps[k].Done++
		}
	}
}

// swap is the ratio of the weights after and before two replicas swap their sequences.
func swap(betaLow, betaHigh, logLow, logHigh float64) float64 {
	return math.Exp((betaHigh - betaLow) * (logLow - logHigh))
}
