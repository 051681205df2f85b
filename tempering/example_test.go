package tempering_test

import (
	"context"
	"fmt"

	"instanton/rbm"
	"instanton/sampler"
	"instanton/tempering"
)

// Chains of a mean-field ferromagnet start with all spins down, and Gibbs sampling would leave them there. On a ladder
// of temperatures they change sides.
func Example() {
	model, err := rbm.CurieWeiss(128, 1.5)
	if err != nil {
		panic(err)
	}
	kernel, err := tempering.NewBeta(model, 1, tempering.Options{Seed: 1})
	if err != nil {
		panic(err)
	}
	chains := sampler.NewChains(model, 200, 42)
	for k := range chains.V.Len {
		for i := range 128 {
			chains.V.Set(k, i, -1)
		}
	}
	if err := sampler.NewPool(kernel, 0).Run(context.Background(), chains, 300); err != nil {
		panic(err)
	}
	up := 0
	for k := range chains.V.Len {
		var sum float64
		for i := range 128 {
			sum += chains.V.Value(k, i)
		}
		if sum > 0 {
			up++
		}
	}
	report, err := kernel.Report(chains)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d rungs, Λ = %.1f, %d of 200 chains up\n", report.Rungs, report.Lambda, up)
	// Output:
	// 11 rungs, Λ = 4.8, 92 of 200 chains up
}
