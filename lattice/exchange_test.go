package lattice

import (
	"context"
	"math"
	"testing"
)

// ladder is that of the exchange tests, with rungs far enough apart that swaps are often rejected.
var ladder = []float64{0.5, 3, 12}

// A swap of two rungs satisfies detailed balance with the product of their laws.
func TestSwapBalance(t *testing.T) {
	p := small(t, []int{3, 13}, "KLD")
	low, high := p.law(ladder[0]), p.law(ladder[1])
	log := func(x int) float64 { return math.Log(plainPnat(p.set.indices, p.native, p.sequence(x))) }
	for x := range low {
		for y := range low {
			there := low[x] * high[y] * min(1, swap(ladder[0], ladder[1], log(x), log(y)))
			back := low[y] * high[x] * min(1, swap(ladder[0], ladder[1], log(y), log(x)))
			if math.Abs(there-back) > 1e-15 {
				t.Errorf("the flow of swaps of %d and %d is off balance by %g", x, y, there-back)
			}
		}
	}
}

// Ladders that start at the product of their laws stay there under sweeps and swaps, all rungs jointly, and the
// frequency of swaps is that of the law.
func TestExchangeStaysAtEquilibrium(t *testing.T) {
	p := small(t, []int{3, 13}, "KL")
	n := p.states()
	pop := p.population(t, HeatBath{}, ladder, 10000, 0)
	p.equilibrate(pop)
	const rounds = 4
	for range rounds {
		if err := pop.Run(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
	}
	var laws [3][]float64
	for k, beta := range ladder {
		laws[k] = p.law(beta)
	}
	joint := make([]float64, n*n*n)
	counts := make([]int, len(joint))
	for x := range joint {
		joint[x] = laws[0][x%n] * laws[1][x/n%n] * laws[2][x/n/n]
	}
	for r := 0; r < len(pop.Replicas); r += 3 {
		counts[p.state(pop.Replicas[r].V)+n*(p.state(pop.Replicas[r+1].V)+n*p.state(pop.Replicas[r+2].V))]++
	}
	checkHistogram(t, counts, joint)

	for k, rate := range pop.Swaps {
		want := 0.0
		for x := range n {
			for y := range n {
				ratio := laws[k][y] * laws[k+1][x] / (laws[k][x] * laws[k+1][y])
				want += laws[k][x] * laws[k+1][y] * min(1, ratio)
			}
		}
		if rate.Tried != pop.design.Chains*rounds/2 {
			t.Errorf("rungs %d and %d tried %d swaps, want one every other sweep", k, k+1, rate.Tried)
		}
		if sd := math.Sqrt(want * (1 - want) / float64(rate.Tried)); math.Abs(rate.Value()-want) > 5*sd {
			t.Errorf("rungs %d and %d swap at rate %g, want %g ± %g", k, k+1, rate.Value(), want, sd)
		}
	}
}
