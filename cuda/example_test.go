package cuda_test

import (
	"context"
	"fmt"

	"instanton/batch"
	"instanton/cuda"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Chains on a GPU, or on the processor where there is none: the result is the same to the last bit.
func Example() {
	m, err := rbm.Random(unit.Spec{Type: unit.Spin, N: 100}, unit.Spec{Type: unit.Bernoulli, N: 30}, 1, 5)
	if err != nil {
		panic(err)
	}
	var device batch.Device // the processor
	if gpu, err := cuda.Open(0); err == nil {
		device = gpu.Device()
	}
	kernel, err := sampler.NewGibbsOn(device, m, 1)
	if err != nil {
		panic(err)
	}
	chains := sampler.NewChains(m, 50, 42)
	if err := sampler.NewPool(kernel, 0).Run(context.Background(), chains, 20); err != nil {
		panic(err)
	}
	fmt.Println(chains.V.Fingerprint()[:16])
	// Output: 675d0574db16ec5a
}
