package jump_test

import (
	"context"
	"fmt"

	"instanton/jump"
	"instanton/mixing"
	"instanton/rbm"
	"instanton/sampler"
)

// Four modes between which Gibbs sampling never moves: chains that all start in the first one find the others.
func ExampleFit() {
	patterns, err := rbm.OrthogonalPatterns(64, 2)
	if err != nil {
		panic(err)
	}
	model, err := rbm.Hopfield(patterns, 2)
	if err != nil {
		panic(err)
	}
	starts := model.PatternsAndOpposites()
	f, err := jump.Fit(context.Background(), model, 1, starts, jump.Options{Chains: 100, Rows: 4000, Seed: 1})
	if err != nil {
		panic(err)
	}
	gibbs, err := sampler.NewGibbs(model, 1)
	if err != nil {
		panic(err)
	}
	modes, err := mixing.Patterns(model)
	if err != nil {
		panic(err)
	}
	for _, k := range []sampler.Kernel{gibbs, f.Kernel} {
		c := sampler.NewChains(model, 20, 2)
		if err := c.Begin(starts.Slice(0, 1)); err != nil {
			panic(err)
		}
		r := sampler.NewRecord(k, c, sampler.Plan{Every: 2, Draws: 200}, false)
		if err := sampler.NewPool(k, 0).Record(context.Background(), c, r, nil); err != nil {
			panic(err)
		}
		fmt.Printf("%s, modes seen: %d\n", sampler.Name(k), mixing.Occupy(r.V, 20, 200, modes).Seen())
	}
	// Output:
	// gibbs, modes seen: 1
	// jump, modes seen: 4
}
