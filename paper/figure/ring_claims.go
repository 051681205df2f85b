package figure

import (
	"fmt"
	"math"

	"instanton/paper/verdict"
	"instanton/rbm"
)

func ringClaims(r *verdict.Result, ring *ringTheory, sim *ringSimulation) {
	areasClaim(r, ring.model.Overlap)
	around, both, apart := ring.routesOf("around"), ring.routesOf("both ends"), ring.routesOf("apart")
	best, inOrder := ring.best, ring.inOrder
	excess := inOrder.Action - best.Action
	r.Claim(verdict.Claim{
		Name: "order", Where: "figure hidden_units_circle (a)",
		Statement: "On the optimal path of 250 steps hidden units flip in the order of the ring.",
		Criterion: "no path costs less than the best in the order of the ring; corrected: the flipped units form an " +
			"arc on the best path, which is not in that order, " +
			"and for T → ∞ orders of both kinds are among those of least action",
		Measured: []verdict.Measured{{Name: "Φ(" + arrows(best.Order) + ")", Value: best.Action},
			{Name: "Φ(" + arrows(inOrder.Order) + ") − Φ(" + arrows(best.Order) + ")", Value: excess},
			{Name: "limit T → ∞ of both", Value: ring.routes[0].Action}},
		Verdict: verdict.JudgeOr(orderKind(best.Order) == "around",
			orderKind(best.Order) == "both ends" && excess > 0 && around > 0 && both > 0),
		Correction: fmt.Sprintf("the flipped units form an arc, but it grows at either end: the best path flips %s, "+
			"by a hair. For T → ∞ both kinds cost the same.",
			arrows(best.Order)),
	})
	r.Claim(verdict.Claim{
		Name: "number-of-paths", Where: "figure hidden_units_circle, caption",
		Statement: "There are 2M equivalent optimal paths.",
		Criterion: "at T = 250, the length of the figure, 2M = 8 paths of least action and no other as cheap; " +
			"corrected: M·2^(M−2) = 16 for T → ∞",
		Measured: []verdict.Measured{{Name: "paths of the best kind, T = 250", Value: float64(best.Copies)},
			{Name: "cost of the other kind above it", Value: excess},
			{Name: "routes for T → ∞", Value: float64(len(ring.routes))},
			{Name: "of them in the order of the ring", Value: float64(around)},
			{Name: "as an arc that grows at both ends", Value: float64(both)}},
		Verdict: verdict.JudgeOr(best.Copies == 2*ringUnits && excess > 0,
			len(ring.routes) == ringUnits<<(ringUnits-2) && around == 2*ringUnits && both == 2*ringUnits && apart == 0),
		Correction: "M·2^(M−2) = 16 for T → ∞, in two kinds of 8.",
	})
	flipped := map[int]int{} // minima by the number of units that point down
	for _, p := range ring.graph.Minima {
		down := 0
		for _, m := range p.M {
			if m < 0 {
				down++
			}
		}
		flipped[down]++
	}
	times := best.FlipTimes
	apartInTime := times[0] < times[1] && times[1] < times[2] && times[2] < times[3]
	r.Claim(verdict.Claim{
		Name: "one-by-one", Where: "section on time ordering",
		Statement: "Hidden units evolve one by one.",
		Criterion: "on the best path they cross zero at four different times",
		Measured: []verdict.Measured{{Name: "first crosses at", Value: float64(times[0])},
			{Name: "second", Value: float64(times[1])}, {Name: "third", Value: float64(times[2])},
			{Name: "fourth", Value: float64(times[3])},
			{Name: "minima with one or three units flipped", Value: float64(flipped[1] + flipped[3])},
			{Name: "with two", Value: float64(flipped[2])}},
		Verdict: verdict.Judge(apartInTime),
	})
	simulatedOrderClaim(r, sim)
}

// areasClaim adds up the areas that the printed formula gives.
func areasClaim(r *verdict.Result, ring rbm.Overlap) {
	sum := func(o rbm.Overlap) (sum float64) {
		for mu := range o {
			for nu := mu; nu < len(o); nu++ {
				sum += o[mu][nu]
			}
		}
		return sum
	}
	// with replaces the areas of single units by the printed ones.
	with := func(shared func(mu, nu int) float64) rbm.Overlap {
		o := make(rbm.Overlap, ringUnits)
		for mu := range o {
			o[mu] = make([]float64, ringUnits)
			for nu := range o[mu] {
				o[mu][nu] = shared(mu, nu)
			}
			o[mu][mu] = 1.0/ringUnits - (ringUnits-1)*ringOverlap/2.0
		}
		return o
	}
	printed := sum(with(func(mu, nu int) float64 { return ring[mu][nu] }))
	allPairs := sum(with(func(int, int) float64 { return ringOverlap }))
	one := func(x float64) bool { return math.Abs(x-1) < 1e-12 }
	own := math.Abs(ring[0][0]-(1.0/ringUnits-ringOverlap)) < 1e-15
	r.Claim(verdict.Claim{
		Name: "overlap", Where: "section on time ordering",
		Statement: "On the ring α_μμ = 1/M − (M−1)α/2.",
		Criterion: "all areas together hold all spins, for M = 4 and α = 0.02; corrected: they do with 1/M − α, and " +
			"the printed areas do with overlaps between all pairs",
		Measured: []verdict.Measured{{Name: "sum of the printed areas", Value: printed},
			{Name: "sum with 1/M − α", Value: sum(ring)},
			{Name: "sum of the printed areas with overlaps between all pairs", Value: allPairs}},
		Verdict:    verdict.JudgeOr(one(printed), own && one(sum(ring)) && one(allPairs)),
		Correction: "α_μμ = 1/M − α; the printed formula belongs to overlaps between all pairs.",
	})
}

func simulatedOrderClaim(r *verdict.Result, sim *ringSimulation) {
	around, aroundError := sim.share("around")
	both, bothError := sim.share("both ends")
	apart, apartError := sim.share("apart")
	arc := around + both
	r.Claim(verdict.Claim{
		Name: "simulated-order", Where: "figure hidden_units_circle (b)",
		Statement: "In a simulation with N = 400 hidden units flip in the order of the ring.",
		Criterion: "in more than half of the transitions, by two standard errors; corrected: the flipped units form " +
			"an arc in more than half of them, and each of its two kinds " +
			"has more than a quarter, by two standard errors",
		Measured: []verdict.Measured{{Name: "in the order of the ring", Value: around, Error: aroundError},
			{Name: "an arc that grows at both ends", Value: both, Error: bothError},
			{Name: "not an arc", Value: apart, Error: apartError},
			{Name: "transitions", Value: float64(len(sim.paths))}},
		Verdict: verdict.JudgeOr(around-2*aroundError > 0.5,
			arc-2*apartError > 0.5 && around-2*aroundError > 0.25 && both-2*bothError > 0.25),
		Correction: fmt.Sprintf("%.0f %% of the transitions follow the ring; in %.0f %% the arc of flipped units "+
			"grows at both ends, which theory finds as cheap.",
			100*around, 100*both),
	})
}
