package vec_test

import (
	"fmt"

	"instanton/internal/vec"
)

// One step of gradient descent, and the length of the gradient.
func Example() {
	x, gradient := []float64{1, 2}, []float64{3, -4}
	vec.AddScaled(x, -0.1, gradient)
	fmt.Printf("%.1f %.0f\n", x, vec.Norm(gradient))
	// Output: [0.7 2.4] 5
}

// Samples of weight zero do not count, whatever their value.
func ExampleWeightedMean() {
	fmt.Println(vec.WeightedMean([]float64{1, 2, 99}, []float64{1, 3, 0}))
	// Output: 1.75
}
