package unit_test

import (
	"fmt"

	"instanton/unit"
)

// A layer is written TYPE:N, or potts:NxQ. Its width is the number of inputs that it receives.
func ExampleParseSpec() {
	for _, text := range []string{"spin:16", "potts:27x20", "potts:27"} {
		s, err := unit.ParseSpec(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(s, s.N, s.States(), s.Width())
	}
	// Output:
	// spin:16 16 2 16
	// potts:27x20 27 20 540
	// layer "potts:27": Potts units need their number of states, as in potts:27x20
}

// The values that a unit can take, and the error for any other.
func ExampleSpec_Allows() {
	spin := unit.Spec{Type: unit.Spin, N: 3}
	fmt.Println(spin.Allows(-1))
	fmt.Println(spin.Allows(0))
	// Output:
	// <nil>
	// value 0: expected -1 or 1 for a spin
}

// A batch of a hundred thousand configurations of 784 spins takes ten megabytes: one bit per spin.
func ExampleStates() {
	s := unit.NewStates(unit.Spec{Type: unit.Spin, N: 784}, 100000)
	s.Set(7, 3, 1) // unit 3 of configuration 7; all spins start down
	fmt.Println(s.Value(7, 2), s.Value(7, 3))
	fmt.Println(len(s.Bits)*8/1000000, "MB")
	// Output:
	// -1 1
	// 10 MB
}

// A single configuration is a slice with one entry per unit.
func ExampleStates_Values() {
	s := unit.NewStates(unit.Spec{Type: unit.Potts, N: 4, Q: 20}, 2)
	s.SetValues(1, []float64{0, 19, 3, 7})
	x := make([]float64, s.N)
	s.Values(x, 1)
	fmt.Println(x, s.CodeRow(1))
	// Output: [0 19 3 7] [0 19 3 7]
}

// A slice of a batch shares its memory; a clone does not.
func ExampleStates_Slice() {
	s := unit.NewStates(unit.Spec{Type: unit.Gaussian, N: 2}, 5)
	part, copied := s.Slice(3, 5), s.Clone()
	part.Set(0, 1, 0.5)
	fmt.Println(s.RealRow(3), copied.RealRow(3))
	// Output: [0 0.5] [0 0]
}
