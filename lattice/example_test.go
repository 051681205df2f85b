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
