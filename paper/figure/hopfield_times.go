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

// Sizes and weight at which both samplers change states often enough to compare them.
const (
	fewerSpins  = 128
	moreSpins   = 192
	timesWeight = 1.2
)

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
	logs, errs, err := hopfieldRates(ctx, r, s)
	if err != nil {
		return err
	}
	slope := func(k int) (float64, float64) {
		return (logs[0][k] - logs[1][k]) / (moreSpins - fewerSpins),
			math.Hypot(errs[0][k], errs[1][k]) / (moreSpins - fewerSpins)
	}
	a, ae := slope(0)
	m, me := slope(1)
	height := heights[timesWeight]
	r.Claim(verdict.Claim{
		Name: "as-slow-as-metropolis", Where: "section on transition paths between Mattis states",
		Statement: "As for Curie–Weiss, transitions between Mattis states are exponentially rare in N, and AGS is " +
			"as inefficient as Metropolis–Hastings at sampling the Hopfield model.",
		Criterion: fmt.Sprintf("−log of the rate of changes grows from N = %d to %d, by two standard errors, and by "+
			"as much per spin under AGS as under Metropolis moves within three", fewerSpins, moreSpins),
		Measured: []verdict.Measured{{Name: "slope AGS, w = 1.2", Value: a, Error: ae},
			{Name: "slope Metropolis", Value: m, Error: me}, {Name: "Δf, for large N", Value: height},
			{Name: fmt.Sprintf("rate of Metropolis sweeps over that of AGS steps, N = %d", moreSpins),
				Value: math.Exp(logs[1][1] - logs[1][0]),
				Error: math.Exp(logs[1][1]-logs[1][0]) * math.Hypot(errs[1][0], errs[1][1])}},
		Verdict: verdict.Judge(math.Abs(a-m) < 3*math.Hypot(ae, me) && a > 2*ae && m > 2*me),
	})
	r.Note("At w = 1.2 and these numbers of spins the rates fall more slowly than exp(−NΔf), with AGS and with " +
		"Metropolis moves alike: the exponent is that of large N, and the prefactor changes with N as well.")
	return nil
}

// hopfieldRates are the logarithms of the changes per step and their errors, by size and sampler: AGS, and sweeps of
// Metropolis moves.
func hopfieldRates(ctx context.Context, r *verdict.Result, s verdict.Settings) (logs, errs [2][2]float64, err error) {
	sweeps := 20_000
	if s.Quick {
		sweeps = 1000
	}
	table := r.Table("times",
		"Changes of Mattis state at w = 1.2, M = 6, per 1000 steps of AGS or sweeps of N Metropolis attempts.", "N",
		"sampler", "changes", "per 1000 steps", "error")
	table.Shown = true
	for size, spins := range []int{fewerSpins, moreSpins} {
		machine, err := experiment.HopfieldOf(spins, timesWeight)
		if err != nil {
			return logs, errs, err
		}
		gibbs, err := sampler.NewGibbs(machine, 1)
		if err != nil {
			return logs, errs, err
		}
		metropolis, err := sampler.NewMetropolis(machine, 1)
		if err != nil {
			return logs, errs, err
		}
		for k, kernel := range []sampler.Kernel{gibbs, metropolis} {
			// AGS is the faster code
			plan := experiment.HopfieldPlan{Chains: 48, Draws: sweeps * []int{4, 1}[k],
				Seed: s.SeedFor(fmt.Sprintf("hopfield times %d %s", spins, sampler.Name(kernel)))}
			s.Progress("following %d chains of %d spins, %s", plan.Chains, spins, sampler.Name(kernel))
			run, err := experiment.RunHopfield(ctx, kernel, plan, s)
			if err != nil {
				return logs, errs, err
			}
			if len(run.Changes) == 0 {
				return logs, errs, fmt.Errorf("no chain of %d changed its state in %d steps of %s sampling",
					plan.Chains, plan.Draws, sampler.Name(kernel))
			}
			x, e := run.Rate()
			table.Add(spins, []string{"AGS", "Metropolis"}[k], len(run.Changes), x, e)
			logs[size][k], errs[size][k] = math.Log(x), e/x
		}
	}
	return logs, errs, nil
}
