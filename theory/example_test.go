package theory_test

import (
	"fmt"

	"instanton/rbm"
	"instanton/theory"
)

// The barrier of the Curie–Weiss model, and the most likely path over it in 25 steps.
func ExampleLandscape_OptimalPath() {
	model := theory.CurieWeiss{W: 1.1}
	m, _ := model.Magnetization()
	barrier, _ := model.Barrier()
	landscape, _ := model.Landscape()
	path, err := landscape.OptimalPath(theory.PathProblem{From: []float64{m}, To: []float64{-m}, Steps: 25})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("m* = %.6f, Δf = %.8f, Φ(25) = %.8f\n", m, barrier, path.Action)
	// Output: m* = 0.669929, Δf = 0.02630611, Φ(25) = 0.03089415
}

// The states of two coupled hidden units, and what it takes to go from one uniform state to the other.
func ExampleLandscape_Graph() {
	overlap, _ := rbm.AllToAll(2, 0.02)
	landscape, _ := theory.Structured{W: 1.6, Overlap: overlap}.Landscape()
	graph, err := landscape.Graph()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range graph.Critical.Points {
		fmt.Printf("f = %.6f, index %d, %d copies\n", p.F, p.Index, p.Copies)
	}
	up := graph.Minima[0].M
	route, _ := graph.Cheapest(up, []float64{-up[0], -up[1]})
	fmt.Printf("highest barrier %.6f, sum of ascents %.6f\n", route.Barrier, route.Action)
	// Output:
	// f = -0.754146, index 0, 2 copies
	// f = -0.729377, index 0, 2 copies
	// f = -0.718013, index 1, 4 copies
	// f = -0.693147, index 2, 1 copies
	// highest barrier 0.036133, sum of ascents 0.047497
}
