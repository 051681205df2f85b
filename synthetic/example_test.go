package synthetic_test

import (
	"context"
	"fmt"

	"instanton/rbm"
	"instanton/synthetic"
)

// Data around the patterns of a Hopfield model, labelled by the pattern at which they started.
func ExampleFromPatterns() {
	patterns, err := rbm.OrthogonalPatterns(64, 2)
	if err != nil {
		panic(err)
	}
	model, err := rbm.Hopfield(patterns, 1.6)
	if err != nil {
		panic(err)
	}
	data, err := synthetic.FromPatterns(context.Background(), model, 500, 20, 1)
	if err != nil {
		panic(err)
	}
	fmt.Println(data.States.Len, "configurations of", data.States.Spec, "with labels", data.LabelNames)
	// Output: 500 configurations of spin:64 with labels [+1 +2 -1 -2]
}
