package figure_test

import (
	"fmt"

	"instanton/paper/figure"
)

// The figures, in the order of the paper.
func ExampleAll() {
	for _, f := range figure.All()[:3] {
		fmt.Printf("%s: %s\n", f.Name, f.Title)
	}
	// Output:
	// fig-algo: The machine and the ways to sample it
	// text-formulas: Formulas of the text, put to the test
	// fig-dataset: The data
}
