package lattice_test

import (
	"context"
	"fmt"

	"instanton/lattice"
)

// The probability that a sequence folds into structure A, against all others.
func ExampleCompetitors_Pnat() {
	space := lattice.Enumerate()
	v, err := lattice.ParseSequence("EKALNPVDTECWKEYKKKMRPVMLDAR")
	if err != nil {
		fmt.Println(err)
		return
	}
	const a = 20706
	fmt.Printf("%d structures, E = %.2f, P_nat = %.6f\n", space.Len(), lattice.Energy(v, space.At(a)),
		space.All().Pnat(a, v))
	// Output: 103346 structures, E = -95.71, P_nat = 0.788314
}

// Five sequences that fold into structure B against a hundred random structures.
func ExampleDesign_Family() {
	set, err := lattice.Choice{Count: 100, Seed: 1}.Of(lattice.Enumerate())
	if err != nil {
		fmt.Println(err)
		return
	}
	d := lattice.Design{Competitors: set, Native: 65336, Ladder: []float64{lattice.DefaultBeta}, Chains: 2, Seed: 1}
	family, err := d.Family(context.Background(), lattice.FamilyOptions{Count: 5, MinPnat: 0.99, Burn: 50, Every: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	for k, p := range family.Pnat {
		fmt.Println(len(family.Sequences[k].String()), p >= 0.99)
	}
	// Output:
	// 27 true
	// 27 true
	// 27 true
	// 27 true
	// 27 true
}

// The structures that a sequence folds into with the highest probability.
func ExampleCompetitors_Best() {
	v, err := lattice.ParseSequence("EKALNPVDTECWKEYKKKMRPVMLDAR")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range lattice.Enumerate().All().Best(v, 3) {
		fmt.Printf("%s  E = %.2f kT  P_nat = %.4f\n", lattice.Name(f.Index), f.Energy, f.Pnat)
	}
	// Output:
	// A  E = -95.71 kT  P_nat = 0.7883
	// 11524  E = -93.63 kT  P_nat = 0.0985
	// 10927  E = -90.79 kT  P_nat = 0.0058
}
