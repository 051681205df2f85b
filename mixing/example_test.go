package mixing_test

import (
	"context"
	"fmt"

	"instanton/mixing"
	"instanton/rbm"
	"instanton/sampler"
)

// Alternating Gibbs sampling of a Hopfield model: at high temperature it moves between the stored patterns, at low
// temperature it does not, and the verdict says so.
func Example() {
	patterns, err := rbm.OrthogonalPatterns(32, 2)
	if err != nil {
		panic(err)
	}
	for _, w := range []float64{1.0, 2} {
		model, err := rbm.Hopfield(patterns, w)
		if err != nil {
			panic(err)
		}
		kernel, err := sampler.NewGibbs(model, 1)
		if err != nil {
			panic(err)
		}
		const chains, draws = 24, 2000
		c := sampler.NewChains(model, chains, 1)
		start := mixing.Starts(model, chains, 1) // chains must come from different places
		if err := c.Begin(start); err != nil {
			panic(err)
		}
		plan := sampler.Plan{Burn: 100, Every: 1, Draws: draws}
		record := sampler.NewRecord(kernel, c, plan, false)
		if err := sampler.NewPool(kernel, 0).Record(context.Background(), c, record, nil); err != nil {
			panic(err)
		}
		modes, err := mixing.Patterns(model)
		if err != nil {
			panic(err)
		}
		samples := mixing.Samples{V: record.V, Chains: chains, Draws: draws, Model: model, Start: start}
		d, err := mixing.Diagnose(samples, modes)
		if err != nil {
			panic(err)
		}
		fmt.Printf("w = %g: %s\n", w, d.Verdict)
	}
	// Output:
	// w = 1: mixes
	// w = 2: stuck
}

// R-hat of chains that agree, and of chains that do not.
func ExampleRHat() {
	together := [][]float64{{1, 2, 3, 2, 1, 2, 3, 2}, {2, 3, 2, 1, 2, 3, 2, 1}}
	apart := [][]float64{{1, 2, 3, 2, 1, 2, 3, 2}, {7, 8, 7, 6, 7, 8, 7, 6}}
	fmt.Printf("%.2f %.2f\n", mixing.RHat(together), mixing.RHat(apart))
	// Output: 0.87 1.78
}
