package latent_test

import (
	"context"
	"fmt"
	"log"

	"instanton/latent"
	"instanton/rbm"
	"instanton/sampler"
)

// Latent moves change the magnetization of a Curie–Weiss model, which alternating Gibbs sampling
// keeps for an exponentially long time.
func Example() {
	m, err := rbm.CurieWeiss(128, 1.5)
	if err != nil {
		log.Fatal(err)
	}
	gibbs, err := sampler.NewGibbs(m, 1)
	if err != nil {
		log.Fatal(err)
	}
	moves, err := latent.New(m, 1, latent.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, k := range []sampler.Kernel{gibbs, moves} {
		chains := sampler.NewChains(m, 1, 1)
		pool := sampler.NewPool(k, 1)
		reversals, last := 0, 0.0
		for range 1000 {
			if err := pool.Run(context.Background(), chains, 1); err != nil {
				log.Fatal(err)
			}
			magnetization := 0.0
			for i := range chains.V.N {
				magnetization += chains.V.Value(0, i)
			}
			if magnetization*last < 0 {
				reversals++
			}
			last = magnetization
		}
		fmt.Printf("%s: the magnetization is reversed in %d of 10 steps\n", sampler.Name(k), (reversals+50)/100)
	}
	// Output:
	// gibbs: the magnetization is reversed in 0 of 10 steps
	// latent: the magnetization is reversed in 5 of 10 steps
}
