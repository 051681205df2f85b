package figure

import (
	"context"
	"fmt"
	"math"

	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/sampler"
	"instanton/theory"
)

// hopfieldBarrier is the height of the lowest way between the Mattis states of two patterns.
func hopfieldBarrier(w float64) (float64, error) {
	model := theory.Hopfield{W: w, M: experiment.HopfieldPatterns}
	l, err := model.Landscape()
	if err != nil {
		return 0, err
	}
	graph, err := l.Graph()
	if err != nil {
		return 0, err
	}
	from, err := model.Mattis(1, 1)
	if err != nil {
		return 0, err
	}
	to, err := model.Mattis(2, 1)
	if err != nil {
		return 0, err
	}
	route, err := graph.Lowest(from, to)
	if err != nil {
		return 0, err
	}
	return route.Barrier, nil
}

// Sizes and weight at which both samplers change states often enough to compare them. Six independent orthogonal
// patterns need a multiple of 2⁶ spins.
var timesSizes = []int{64, 128, 192, 256}

const timesWeight = 1.2

// hopfieldTimes judges what the text says of barriers and of Metropolis moves.
func hopfieldTimes(ctx context.Context, r *verdict.Result, s verdict.Settings) error {
	heights := map[float64]float64{}
	claim := verdict.Claim{
		Name: "barrier", Where: "section on transition paths between Mattis states",
		Statement: "The barrier Δf between Mattis states depends on w and is positive for all w² > 1.",
		Criterion: "the lowest way from pattern 1 to pattern 2 rises, at four weights from 1.05 to 1.5",
		Verdict:   verdict.Holds,
	}
	for _, w := range []float64{1.05, timesWeight, transitionWeight, pairWeight} {
		if err := ctx.Err(); err != nil {
			return err
		}
		x, err := hopfieldBarrier(w)
		if err != nil {
			return err
		}
		heights[w] = x
		claim.Measured = append(claim.Measured, verdict.Measured{Name: fmt.Sprintf("Δf at w = %g", w), Value: x})
		if !(x > 0) {
			claim.Verdict = verdict.Fails
		}
	}
	r.Claim(claim)
	rates, err := hopfieldRates(ctx, r, s)
	if err != nil {
		return err
	}
	rarityClaim(r, rates[0], heights[timesWeight])
	samplersClaim(r, rates, heights[timesWeight])
	return nil
}

// rates are the logarithms of the changes per step at each size, with their errors.
type rates struct{ logs, errs []float64 }

// misfit is χ² of a straight line through the logarithms as a function of x, weighted by their errors.
func (r rates) misfit(x []float64) (slope, slopeErr, chi2 float64) {
	var w, wx, wy, wxx, wxy float64
	for k, y := range r.logs {
		weight := 1 / (r.errs[k] * r.errs[k])
		w, wx, wy, wxx, wxy = w+weight, wx+weight*x[k], wy+weight*y, wxx+weight*x[k]*x[k], wxy+weight*x[k]*y
	}
	det := w*wxx - wx*wx
	slope = (w*wxy - wx*wy) / det
	start := (wy - slope*wx) / w
	for k, y := range r.logs {
		d := (y - start - slope*x[k]) / r.errs[k]
		chi2 += d * d
	}
	return slope, math.Sqrt(w / det), chi2
}

// sizes are the numbers of spins, through a function.
func sizes(f func(float64) float64) (x []float64) {
	for _, n := range timesSizes {
		x = append(x, f(float64(n)))
	}
	return x
}

// steepness is the fall of the logarithm per spin between a size and the next.
func (r rates) steepness(k int) (slope, err float64) {
	d := float64(timesSizes[k+1] - timesSizes[k])
	return (r.logs[k] - r.logs[k+1]) / d, math.Hypot(r.errs[k], r.errs[k+1]) / d
}

// rarityClaim judges whether changes become rare exponentially and not by a power of N.
func rarityClaim(r *verdict.Result, ags rates, barrier float64) {
	const most = 13.8 // χ² of two degrees of freedom exceeds it once in 1000
	power, _, misfit := ags.misfit(sizes(math.Log))
	first, firstErr := ags.steepness(0)
	last, lastErr := ags.steepness(len(timesSizes) - 2)
	claim := verdict.Claim{
		Name: "exponentially-rare", Where: "section on transition paths between Mattis states",
		Statement: "As for Curie–Weiss, transitions of AGS between Mattis states are exponentially rare in N.",
		Criterion: fmt.Sprintf("of the rates at %d sizes a power law of N is refuted (χ² > %g, two degrees of "+
			"freedom), and the fall of their logarithm per spin does not slow down from the first two sizes to the "+
			"last two, by two standard errors", len(timesSizes), most),
		Measured: []verdict.Measured{{Name: "χ² of the power law", Value: misfit}, {Name: "its exponent", Value: power},
			{Name: fmt.Sprintf("fall per spin, N = %d to %d", timesSizes[0], timesSizes[1]), Value: first,
				Error: firstErr}},
		Verdict: verdict.Judge(misfit > most && last+2*math.Hypot(firstErr, lastErr) > first && last > 2*lastErr),
	}
	for k := 1; k < len(timesSizes)-1; k++ {
		x, e := ags.steepness(k)
		claim.Measured = append(claim.Measured, verdict.Measured{Name: fmt.Sprintf("%d to %d", timesSizes[k],
			timesSizes[k+1]), Value: x, Error: e})
	}
	claim.Measured = append(claim.Measured, verdict.Measured{Name: "Δf, for large N", Value: barrier})
	r.Claim(claim)
	r.Note("At w = 1.2 and these numbers of spins the rates fall more slowly than exp(−NΔf), with AGS and with " +
		"Metropolis moves alike: the exponent is that of large N, and the prefactor changes with N as well.")
}

// samplersClaim compares how AGS and Metropolis slow down.
func samplersClaim(r *verdict.Result, both [2]rates, barrier float64) {
	var ratio rates // of Metropolis to AGS
	for k := range timesSizes {
		ratio.logs = append(ratio.logs, both[1].logs[k]-both[0].logs[k])
		ratio.errs = append(ratio.errs, math.Hypot(both[0].errs[k], both[1].errs[k]))
	}
	slope, e, _ := ratio.misfit(sizes(func(n float64) float64 { return n }))
	claim := verdict.Claim{
		Name: "as-slow-as-metropolis", Where: "section on transition paths between Mattis states",
		Statement: "AGS is as inefficient as Metropolis–Hastings at sampling the Hopfield model.",
		Criterion: fmt.Sprintf("both have the same exponent: the slope in N of the logarithm of the rate of sweeps of "+
			"Metropolis moves over that of AGS steps, from %d to %d, is below a tenth of Δf in size, by two standard "+
			"errors", timesSizes[0], timesSizes[len(timesSizes)-1]),
		Measured: []verdict.Measured{{Name: "slope of the logarithm of the ratio", Value: slope, Error: e}},
	}
	for k, n := range timesSizes {
		x := math.Exp(ratio.logs[k])
		claim.Measured = append(claim.Measured, verdict.Measured{Name: fmt.Sprintf("ratio, N = %d", n), Value: x,
			Error: x * ratio.errs[k]})
	}
	claim.Verdict = verdict.Judge(math.Abs(slope)+2*e < barrier/10)
	r.Claim(claim)
}

// hopfieldRates are the rates of changes of AGS and of sweeps of Metropolis moves.
func hopfieldRates(ctx context.Context, r *verdict.Result, s verdict.Settings) (both [2]rates, err error) {
	sweeps, steps := 20_000, 80_000 // AGS is the faster code
	if s.Quick {
		sweeps, steps = 1000, 20_000
	}
	table := r.Table("times",
		"Changes of Mattis state at w = 1.2, M = 6, per 1000 steps of AGS or sweeps of N Metropolis attempts.", "N",
		"sampler", "changes", "per 1000 steps", "error")
	table.Shown = true
	for _, spins := range timesSizes {
		machine, err := experiment.HopfieldOf(spins, timesWeight)
		if err != nil {
			return both, err
		}
		gibbs, err := sampler.NewGibbs(machine, 1)
		if err != nil {
			return both, err
		}
		metropolis, err := sampler.NewMetropolis(machine, 1)
		if err != nil {
			return both, err
		}
		for k, kernel := range []sampler.Kernel{gibbs, metropolis} {
			plan := experiment.HopfieldPlan{Chains: 48, Draws: []int{steps, sweeps}[k],
				Seed: s.SeedFor(fmt.Sprintf("hopfield times %d %s", spins, sampler.Name(kernel)))}
			s.Progress("following %d chains of %d spins, %s", plan.Chains, spins, sampler.Name(kernel))
			run, err := experiment.RunHopfield(ctx, kernel, plan, s)
			if err != nil {
				return both, err
			}
			if len(run.Changes) == 0 {
				return both, fmt.Errorf("no chain of %d changed its state in %d steps of %s sampling",
					plan.Chains, plan.Draws, sampler.Name(kernel))
			}
			x, e := run.Rate()
			table.Add(spins, []string{"AGS", "Metropolis"}[k], len(run.Changes), x, e)
			both[k].logs, both[k].errs = append(both[k].logs, math.Log(x)), append(both[k].errs, e/x)
		}
	}
	return both, nil
}
