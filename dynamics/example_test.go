package dynamics_test

import (
	"fmt"
	"math"

	"instanton/dynamics"
	"instanton/rbm"
	"instanton/theory"
)

// How long alternating Gibbs sampling of 256 spins takes to forget its state, and what a latent flip makes of it.
func ExampleCurieWeiss() {
	model := theory.CurieWeiss{W: 1.2}
	for _, kernel := range []dynamics.Kernel{dynamics.Gibbs, dynamics.FairFlip} {
		chain, err := dynamics.CurieWeiss(model, 256, kernel)
		if err != nil {
			fmt.Println(err)
			return
		}
		r, _ := chain.Relaxation()
		fmt.Printf("%v: τ = %.4g\n", kernel, r.Time)
	}
	// Output:
	// gibbs: τ = 2.012e+11
	// flip: τ = 2.817
}

// The time that two coupled hidden units take to turn over, against the barrier that mean-field theory finds.
func ExampleChain_Passage() {
	overlap, _ := rbm.AllToAll(2, 0.1)
	chain, err := dynamics.Structured(theory.Structured{W: 1.7, Overlap: overlap}, 20, dynamics.Gibbs)
	if err != nil {
		fmt.Println(err)
		return
	}
	steps, _ := chain.Passage()
	fmt.Println(chain.Method)
	fmt.Printf("%d states, first passage in %.4g steps, e^{NΔf} = %.3g\n",
		chain.States(), steps, math.Exp(chain.LogTimeEstimate()))
	// Output:
	// exact, on the numbers of up spins in the blocks
	// 300 states, first passage in 285.8 steps, e^{NΔf} = 35.4
}
