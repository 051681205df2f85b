package evaluate_test

import (
	"context"
	"fmt"

	"instanton/evaluate"
	"instanton/rbm"
)

// Bounds on log Z from both sides, where they can be checked by enumeration.
func ExampleNewAIS() {
	model, err := rbm.CurieWeiss(16, 1.2)
	if err != nil {
		panic(err)
	}
	ais, err := evaluate.NewAIS(context.Background(), model, evaluate.AISOptions{Seed: 1})
	if err != nil {
		panic(err)
	}
	exact, _, err := rbm.LogZ(model)
	if err != nil {
		panic(err)
	}
	fmt.Printf("log Z = %.4f, annealing from both sides: %.2f ± %.2f and %.2f ± %.2f\n",
		exact, ais.LogZ, ais.Error, ais.Reverse, ais.ReverseError)
	fmt.Println("within the bounds:", ais.Lower < exact && exact < ais.Upper)
	// Output:
	// log Z = 14.5807, annealing from both sides: 14.59 ± 0.02 and 14.59 ± 0.02
	// within the bounds: true
}
