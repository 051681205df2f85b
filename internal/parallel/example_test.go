package parallel_test

import (
	"fmt"

	"instanton/internal/parallel"
)

// A sum that does not depend on the number of workers: each block has a place for its result, and the results are
// added in the order of the blocks.
func ExampleFor() {
	x := make([]float64, 1000)
	for i := range x {
		x[i] = 1 / float64(i+1)
	}
	blocks := parallel.Blocks(len(x), 64)
	sums := make([]float64, len(blocks))
	parallel.For(0, len(blocks), func(_, i int) { // 0: one worker per processor
		for _, v := range x[blocks[i].Lo:blocks[i].Hi] {
			sums[i] += v
		}
	})
	var total float64
	for _, s := range sums {
		total += s
	}
	fmt.Printf("%d blocks, %.6f\n", len(blocks), total)
	// Output: 16 blocks, 7.485471
}
