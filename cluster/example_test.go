package cluster_test

import (
	"fmt"
	"math"
	"slices"

	"instanton/cluster"
)

// Points on a line fall into two groups; the tree shows at which distance they join.
func ExampleHierarchy() {
	x := []float64{0, 1, 10, 12, 2}
	distance := make([][]float64, len(x))
	for i := range x {
		for j := range x {
			distance[i] = append(distance[i], math.Abs(x[i]-x[j]))
		}
	}
	tree, err := cluster.Hierarchy(distance, cluster.Average, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range tree.Merges {
		fmt.Printf("%d and %d at %.3g: %d leaves\n", m.A, m.B, m.Height, m.Size)
	}
	fmt.Println(tree.Into(2), tree.Below(1.2))
	// Output:
	// 0 and 1 at 1: 2 leaves
	// 4 and 5 at 1.5: 3 leaves
	// 2 and 3 at 2: 2 leaves
	// 6 and 7 at 10: 5 leaves
	// [[0 1 4] [2 3]] [[0 1] [2] [3] [4]]
}

// The centres of two groups of points, the same for the same seed.
func ExampleCentres() {
	points := [][]float64{{0, 0}, {0, 1}, {1, 0}, {8, 8}, {9, 8}, {8, 9}}
	centres := cluster.Centres(points, 2, 1)
	slices.SortFunc(centres, slices.Compare)
	fmt.Printf("%.2f\n", centres)
	// Output: [[0.33 0.33] [8.33 8.33]]
}
