package pca_test

import (
	"fmt"

	"instanton/dataset"
	"instanton/pca"
	"instanton/unit"
)

// The magnetisation is the only direction in which configurations near two opposite patterns vary.
func ExampleFit() {
	v := unit.NewStates(unit.Spec{Type: unit.Spin, N: 4}, 2)
	v.SetValues(0, []float64{1, 1, 1, 1})
	v.SetValues(1, []float64{-1, -1, -1, -1})
	p, err := pca.Fit(v, nil, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d component %.2f with %.0f %% of the variance\n",
		len(p.Components), p.Components[0], 100*p.Variances[0]/p.Total)
	// Output: 1 component [0.50 0.50 0.50 0.50] with 100 % of the variance
}

// Bars and Stripes of side three in their first two components.
func ExamplePCA_Projections() {
	d, err := dataset.BarsAndStripes(3, unit.Spin)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := pca.Fit(d.States, d.Weights, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	points, err := p.Projections(d.States)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(points), "points in", len(points[0]), "dimensions")
	fmt.Printf("%.2f of the variance\n", (p.Variances[0]+p.Variances[1])/p.Total)
	// Output:
	// 14 points in 2 dimensions
	// 0.43 of the variance
}
