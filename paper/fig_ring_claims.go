package paper

import (
	"fmt"
	"math"

	"instanton/theory"
)

func ringClaims(r *Result, graph *theory.Graph, best, inOrder theory.Optimum, routes int, limit float64, sim *ringSimulation) {
	r.Claim(Claim{
		Name: "overlap", Where: "section on time ordering",
		Statement:  "On the ring α_μμ = 1/M − (M−1)α/2.",
		Criterion:  "all areas together hold all spins, for M = 4 and α = 0.02",
		Measured:   []Measured{{Name: "sum of the printed areas", Value: 4*(0.25-1.5*0.02) + 4*0.02}, {Name: "sum with 1/M − α", Value: 4*(0.25-0.02) + 4*0.02}},
		Verdict:    Corrected,
		Correction: "α_μμ = 1/M − α; the printed formula belongs to overlaps between all pairs.",
	})
	kind := orderKind(best.Order)
	r.Claim(Claim{
		Name: "order", Where: "figure hidden_units_circle (a)",
		Statement: "On the optimal path of 250 steps hidden units flip in the order of the ring.",
		Criterion: "the flipped units form an arc throughout on the best path",
		Measured: []Measured{{Name: "Φ(" + arrows(best.Order) + ")", Value: best.Action}, {Name: "Φ(" + arrows(inOrder.Order) + ") − Φ(" + arrows(best.Order) + ")", Value: inOrder.Action - best.Action},
			{Name: "limit T → ∞ of both", Value: limit}},
		Verdict: JudgeCorrected(kind != "apart" && inOrder.Action > best.Action),
		Correction: fmt.Sprintf("the flipped units form an arc, but it grows at either end: the best path flips %s, by a hair. For T → ∞ both kinds cost the same.",
			arrows(best.Order)),
	})
	r.Claim(Claim{
		Name: "number-of-paths", Where: "figure hidden_units_circle, caption",
		Statement:  "There are 2M equivalent optimal paths.",
		Criterion:  "M·2^(M−2) = 16 routes of least action for T → ∞",
		Measured:   []Measured{{Name: "routes", Value: float64(routes)}, {Name: "2M", Value: 8}},
		Verdict:    JudgeCorrected(routes == 16),
		Correction: "16 for T → ∞, in two kinds of 8; at T = 250 the 8 of one kind cost less.",
	})
	single := math.Inf(1)
	for _, p := range graph.Minima {
		down := 0
		for _, m := range p.M {
			if m < 0 {
				down++
			}
		}
		if down == 1 || down == 3 {
			single = p.F
		}
	}
	times := best.FlipTimes
	r.Claim(Claim{
		Name: "one-by-one", Where: "section on time ordering",
		Statement: "Hidden units evolve one by one.",
		Criterion: "they cross zero one after the other, four different times, on the best path",
		Measured: []Measured{{Name: "first", Value: float64(times[0])}, {Name: "second", Value: float64(times[1])}, {Name: "third", Value: float64(times[2])},
			{Name: "fourth", Value: float64(times[3])}},
		Verdict:    JudgeCorrected(times[0] < times[1] && times[1] < times[2] && times[2] < times[3] && math.IsInf(single, 1)),
		Correction: "one after the other, but the path rests only where two have flipped: states with a single unit flipped are not minima of f.",
	})
	around, aroundError := sim.share("around")
	both, bothError := sim.share("both ends")
	apart, apartError := sim.share("apart")
	arc := around + both
	r.Claim(Claim{
		Name: "simulated-order", Where: "figure hidden_units_circle (b)",
		Statement: "In a simulation with N = 400 hidden units flip in the order of the ring.",
		Criterion: "the flipped units form an arc in more than half of the transitions, by two standard errors",
		Measured: []Measured{{Name: "in the order of the ring", Value: around, Error: aroundError}, {Name: "an arc that grows at both ends", Value: both, Error: bothError},
			{Name: "not an arc", Value: apart, Error: apartError}, {Name: "transitions", Value: float64(len(sim.paths))}},
		Verdict:    JudgeCorrected(arc-2*apartError > 0.5),
		Correction: "only about half of the transitions follow the ring; in the others the arc of flipped units grows at both ends, as theory says.",
	})
}
