package rates_test

import (
	"context"
	"fmt"

	"instanton/rates"
	"instanton/rbm"
)

// The mean-field ferromagnet of 64 spins reverses its magnetisation about once in 10¹³ steps; there is no need to wait
// for it.
func ExampleEstimate() {
	model, err := rbm.CurieWeiss(64, 1.5)
	if err != nil {
		panic(err)
	}
	result, err := rates.Estimate(context.Background(), model, rates.Options{Chains: 64, Seed: 1})
	if err != nil {
		panic(err)
	}
	fmt.Printf("relaxation time %.1e steps, barrier %.1f nats\n", *result.Time, result.Barrier)
	// Output: relaxation time 9.8e+12 steps, barrier 29.9 nats
}
