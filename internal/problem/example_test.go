package problem_test

import (
	"fmt"

	"instanton/internal/problem"
	"instanton/rbm"
	"instanton/unit"
)

// The law of a tiny model, written out over all of its visible configurations.
func ExampleTiny() {
	model := problem.Tiny(unit.Spin, unit.Gaussian)
	law, err := rbm.NewDistribution(model, problem.Space(model.Visible), 1)
	if err != nil {
		panic(err)
	}
	var sum float64
	for _, p := range law.P {
		sum += p
	}
	fmt.Printf("%d pairs of unit types; %s has %d configurations of total probability %.3f\n",
		len(problem.Pairs()), model.Visible.Spec(), len(law.P), sum)
	// Output: 36 pairs of unit types; spin:3 has 8 configurations of total probability 1.000
}
