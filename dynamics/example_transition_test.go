package dynamics_test

import (
	"context"
	"fmt"

	"instanton/dynamics"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/theory"
)

// Transitions of a Curie–Weiss model of 200 spins: each takes some ten steps of alternating Gibbs sampling, though it
// takes about 10⁹ steps to see one.
func ExampleTransition() {
	const n, w = 200, 1.2
	overlap := rbm.Overlap{{1}}
	model, _ := rbm.Structured(n, w, overlap)
	kernel, _ := sampler.NewGibbs(model, 1)
	star, _ := theory.CurieWeiss{W: w}.Magnetization()
	blocks := overlap.Blocks(n)
	transition := dynamics.Transition{
		Kernel: kernel, Blocks: dynamics.NewBlocks(blocks), Seed: 1,
		InA:        func(m []float64) bool { return m[0] > 0.8*star },
		InB:        func(m []float64) bool { return m[0] < -0.8*star },
		Coordinate: func(m []float64) float64 { return m[0] }, Middle: 0, Width: 0.1,
		Starts: dynamics.BlockStates(blocks, [][]float64{{0}}), Burn: 200, Longest: 10_000,
	}
	paths, err := transition.Draw(context.Background(), 1000)
	if err != nil {
		fmt.Println(err)
		return
	}
	length, lengthError := dynamics.Mean(paths, func(k int) float64 { return float64(paths[k].Len()) })
	chain, _ := dynamics.CurieWeiss(theory.CurieWeiss{W: w}, n, dynamics.Gibbs)
	wait, _ := chain.Passage()
	fmt.Printf("a path takes %.1f ± %.1f steps, and comes after %.2g\n", length, lengthError, wait)
	// Output: a path takes 16.5 ± 0.3 steps, and comes after 2.1e+09
}
