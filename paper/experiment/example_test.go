package experiment_test

import (
	"fmt"

	"instanton/paper/experiment"
)

// Twelve changes of state in 4000 steps, per thousand steps, with the error of the count.
func ExamplePerThousand() {
	mean, err := experiment.PerThousand(12, 4000)
	fmt.Printf("%.2f ± %.2f\n", mean, err)
	// Output: 3.00 ± 0.87
}
