package interpret_test

import (
	"fmt"

	"instanton/dataset"
	"instanton/interpret"
	"instanton/rbm"
	"instanton/unit"
)

// A model whose only unit couples the first site to the last, and what each question finds.
func Example() {
	m, err := rbm.New(unit.Spec{Type: unit.Potts, N: 3, Q: 2}, unit.Spec{Type: unit.Gaussian, N: 1})
	if err != nil {
		panic(err)
	}
	copy(m.W, []float64{1, -1, 0, 0, 1, -1})                              // states 0 and 1 of sites 0, 1 and 2
	data := &dataset.Dataset{States: unit.NewStates(m.Visible.Spec(), 2)} // 000 and …
	data.States.SetValues(1, []float64{1, 0, 1})                          // … 101

	mutants, err := interpret.NewMutants(m, data.States, 0)
	if err != nil {
		panic(err)
	}
	both, err := mutants.Delta(interpret.Mutation{Site: 0, State: 1}, interpret.Mutation{Site: 2, State: 1})
	if err != nil {
		panic(err)
	}
	fmt.Println("ΔE of each state:", mutants.Singles(), "of the double mutant:", both)

	c, err := interpret.NewCouplings(m, data.States, nil)
	if err != nil {
		panic(err)
	}
	best := interpret.Ranked(c.Scores(-1), 1)[0]
	fmt.Printf("strongest pair: %d and %d, %.0f\n", best.I, best.J, best.Score)

	units, err := interpret.NewUnits(m, data)
	if err != nil {
		panic(err)
	}
	fmt.Printf("unit 0 looks at %.0f sites\n", units.Units[0].Sites)
	// Output:
	// ΔE of each state: [[0 2] [0 0] [0 2]] of the double mutant: 0
	// strongest pair: 0 and 2, 2
	// unit 0 looks at 2 sites
}
