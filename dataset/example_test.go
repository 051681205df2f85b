package dataset_test

import (
	"fmt"
	"strings"

	"instanton/dataset"
	"instanton/unit"
)

// All Bars and Stripes of side three: an image has whole columns or whole rows switched on.
func ExampleBarsAndStripes() {
	d, err := dataset.BarsAndStripes(3, unit.Bernoulli)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.States.Len, "images,", d.States.Spec, d.Shape)
	for _, c := range d.Classes() {
		fmt.Println(c.Name, c.Count)
	}
	x := make([]float64, d.States.N)
	d.States.Values(x, 3)
	rows, columns := d.Shape[0], d.Shape[1]
	for r := range rows {
		fmt.Println(x[r*columns:][:columns])
	}
	// Output:
	// 14 images, bernoulli:9 [3 3]
	// bar 6
	// stripe 6
	// both 2
	// [1 1 0]
	// [1 1 0]
	// [1 1 0]
}

// A small alignment becomes Potts units, one per column; letters become codes of an alphabet.
func ExampleReadFASTA() {
	text := ">first\nACD-\n>second\nACDE\n>third\nWCDE\n"
	d, err := dataset.ReadFASTA(strings.NewReader(text), dataset.FASTAOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.States.Spec, d.Alphabet)
	for k, name := range d.Names {
		fmt.Println(name, d.Letters(k), d.States.CodeRow(k))
	}
	// Output:
	// potts:4x21 -ACDEFGHIKLMNPQRSTVWY
	// first ACD- [1 2 3 0]
	// second ACDE [1 2 3 4]
	// third WCDE [19 2 3 4]
}

// Rows of numbers become units that can hold them.
func ExampleReadTable() {
	for _, text := range []string{"1,-1,1\n-1,-1,1\n", "0.5 1\n2 -3\n"} {
		d, err := dataset.ReadTable(strings.NewReader(text))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(d.States.Spec, d.States.Len)
	}
	// Output:
	// spin:3 2
	// gaussian:2 2
}

// Sequences that resemble each other share one vote: each is weighted by the inverse of the number of sequences,
// itself included, that agree with it in at least 80 % of the columns.
func ExampleIdentityWeights() {
	text := ">a\nACDEF\n>b\nACDEW\n>c\nMKLVI\n"
	d, err := dataset.ReadFASTA(strings.NewReader(text), dataset.FASTAOptions{Alphabet: dataset.Protein})
	if err != nil {
		fmt.Println(err)
		return
	}
	weights, err := dataset.IdentityWeights(d.States, 0.8, 0)
	fmt.Println(weights, err)
	// Output: [0.5 0.5 1] <nil>
}

// Repeated configurations are dropped.
func ExampleDataset_Unique() {
	d, err := dataset.ReadTable(strings.NewReader("1,0\n0,1\n1,0\n1,0\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Unique().States.Len, "of", d.States.Len)
	// Output: 2 of 4
}
