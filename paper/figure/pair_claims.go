package figure

import (
	"fmt"
	"math"

	"instanton/dynamics"
	"instanton/paper/verdict"
)

func pairClaims(r *verdict.Result, p *pairTheory, sim *pairSimulation) error {
	r.Claim(verdict.Claim{
		Name: "landscape", Where: "figure Curie-Weiss_2D (a)",
		Statement: "The landscape has two global and two local minima.",
		Criterion: "critical points: 2 + 2 minima, 4 saddles, 1 maximum",
		Measured: []verdict.Measured{{Name: "f of the global minima", Value: p.aligned.F},
			{Name: "f of the local minima", Value: p.mixed.F},
			{Name: "f of the saddles", Value: p.saddle.F}, {Name: "f of the maximum", Value: p.top.F}},
		Verdict: verdict.Judge(p.aligned.Copies == 2 && p.mixed.Copies == 2 && p.saddle.Copies == 4 &&
			p.top.Copies == 1 && p.aligned.F < p.mixed.F),
	})
	green, red := p.green.Action, p.red.Action
	r.Claim(verdict.Claim{
		Name: "asymmetric", Where: "figure Curie-Weiss_2D (a)",
		Statement: "On the optimal path the two units behave differently; paths on which they are equal have " +
			"exponentially smaller probability.",
		Criterion: "Φ of the red path exceeds that of the green one",
		Measured: []verdict.Measured{{Name: "Φ green", Value: green}, {Name: "Φ red", Value: red},
			{Name: "log of the ratio of probabilities, N = 400", Value: pairSpins * (red - green)}},
		Verdict: verdict.Judge(red > green+1e-6),
	})
	ascents := 2*p.saddle.F - p.aligned.F - p.mixed.F
	top := p.top.F - p.aligned.F
	r.Claim(verdict.Claim{
		Name: "sum-of-barriers", Where: "figure Curie-Weiss_2D (b), (c)",
		Statement: "The cost of green and red is the sum of the barriers that they climb.",
		Criterion: "within 1e-3 relative for green, whose length matters little at T = 100, and within 1e-3 for red",
		Measured: []verdict.Measured{{Name: "barriers on green", Value: ascents}, {Name: "Φ green", Value: green},
			{Name: "barrier on red", Value: top}, {Name: "Φ red", Value: red}},
		Verdict: verdict.Judge(math.Abs(green/ascents-1) < 1e-3 && math.Abs(red/top-1) < 1e-3),
	})
	one, err := dynamics.Share(sim.paths, func(k int) bool {
		_, _, rests := p.rest(sim.paths[k].Rows())
		return rests
	})
	r.Claim(verdict.Claim{
		Name: "one-by-one", Where: "figure Curie-Weiss_2D (a), blue path",
		Statement: "In simulations with N = 400, too, hidden units are preferentially flipped one after the other.",
		Criterion: "more than half of the transitions rest in a local minimum on the way, by two standard errors",
		Measured: []verdict.Measured{{Name: "share that rests in a local minimum", Value: one, Error: err},
			{Name: "transition paths", Value: float64(len(sim.paths))}},
		Verdict: verdict.Judge(one-2*err > 0.5),
	})
	return waitingClaims(r, p, sim)
}

// waitingClaims compare the length of the paper's simulation with the exact time of a transition.
func waitingClaims(r *verdict.Result, p *pairTheory, sim *pairSimulation) error {
	chain, err := dynamics.HiddenChain(p.model, pairSpins, 1e-6)
	if err != nil {
		return err
	}
	wait, err := chain.Passage()
	if err != nil {
		return err
	}
	r.Claim(verdict.Claim{
		Name: "in-1e5-steps", Where: "figure Curie-Weiss_2D, caption",
		Statement: "The blue path, a transition between the global minima, is representative of 10⁵ steps of AGS " +
			"with N = 400.",
		Criterion: "at least one transition is to be expected in 10⁵ steps, by the exact mean first-passage time",
		Measured: []verdict.Measured{{Name: "mean first-passage time", Value: wait},
			{Name: "transitions to be expected in 10⁵ steps", Value: pairSteps / wait}},
		Verdict: verdict.Judge(wait < pairSteps),
		Correction: fmt.Sprintf("with these parameters one run of 10⁵ steps in about %.0f sees a transition; the "+
			"path drawn here is taken from the law of transition "+
			"paths, not waited for.", wait/pairSteps),
	})
	length, lengthError := dynamics.Mean(sim.paths, func(k int) float64 { return float64(sim.paths[k].Len()) })
	r.Claim(verdict.Claim{
		Name: "fast-but-rare", Where: "conclusion",
		Statement: "The system spends nearly all of the time trying to escape; transitions are fast when they come.",
		Criterion: "a transition path is less than a hundredth as long as the wait for it, by two standard errors",
		Measured: []verdict.Measured{{Name: "mean length of a transition path", Value: length, Error: lengthError},
			{Name: "mean first-passage time", Value: wait}},
		Verdict: verdict.Judge(length+2*lengthError < wait/100),
	})
	r.Note("At N = 400 a transition takes %.2g steps on the average, so none is to be expected in 10⁵. The blue "+
		"path is drawn from the law of transition paths: configurations "+
		"in equilibrium near the first saddle, from which AGS is run forwards and, being reversible, backwards; "+
		"then on for 10⁵ steps in all.", wait)
	return nil
}
