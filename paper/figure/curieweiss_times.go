package figure

import (
	"context"
	"fmt"
	"math"

	"instanton/dynamics"
	"instanton/paper/verdict"
	"instanton/theory"
)

// agsAgainstMetropolis compares the exact relaxation times of both samplers of the Curie–Weiss
// model, which the text says are the same.
func agsAgainstMetropolis(ctx context.Context, r *verdict.Result, s verdict.Settings) error {
	const w = 1.2
	model := theory.CurieWeiss{W: w}
	barrier, err := model.Barrier()
	if err != nil {
		return err
	}
	sizes := []int{64, 128, 256, 512, 1024}
	if s.Quick {
		sizes = sizes[:4]
	}
	table := r.Table("times",
		"Exact relaxation times of N Curie–Weiss spins at w = 1.2: AGS in steps, Metropolis in sweeps of N attempts.",
		"N", "log τ AGS", "log τ Metropolis", "AGS / Metropolis")
	table.Shown = true
	logs := map[dynamics.Kernel][]float64{}
	for _, n := range sizes {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, k := range []dynamics.Kernel{dynamics.Gibbs, dynamics.Metropolis} {
			c, err := dynamics.CurieWeiss(model, n, k)
			if err != nil {
				return err
			}
			x, err := c.Relaxation()
			if err != nil {
				return err
			}
			t := math.Log(x.Time)
			if k == dynamics.Metropolis {
				t -= math.Log(float64(n))
			}
			logs[k] = append(logs[k], t)
		}
		last := len(logs[dynamics.Gibbs]) - 1
		a, m := logs[dynamics.Gibbs][last], logs[dynamics.Metropolis][last]
		table.Add(n, a, m, math.Exp(a-m))
	}
	last := len(sizes) - 1
	slope := func(k dynamics.Kernel) float64 {
		return (logs[k][last] - logs[k][last-1]) / float64(sizes[last]-sizes[last-1])
	}
	ags, metropolis := slope(dynamics.Gibbs), slope(dynamics.Metropolis)
	ratio := math.Exp(logs[dynamics.Gibbs][last] - logs[dynamics.Metropolis][last])
	limit, err := limitOfTimes(model)
	if err != nil {
		return err
	}
	exponent := math.Abs(ags/barrier-1) < 0.01 && math.Abs(metropolis/barrier-1) < 0.01
	r.Claim(verdict.Claim{
		Name: "as-slow-as-metropolis", Where: "section on the bi-modal distribution",
		Statement: "AGS takes the same time, exp(NΔf), as Metropolis–Hastings to change the state of the " +
			"Curie–Weiss model.",
		Criterion: "both slopes of log τ in N, between the two largest exact chains, are within 1 % of Δf, and so " +
			"is the ratio of the times of 1; corrected: the slopes are, " +
			"and AGS needs more than twice as many steps as Metropolis sweeps, at the largest N and for N → ∞",
		Measured: []verdict.Measured{{Name: "Δf at w = 1.2", Value: barrier}, {Name: "slope AGS", Value: ags},
			{Name: "slope Metropolis", Value: metropolis},
			{Name: fmt.Sprintf("steps of AGS / sweeps of Metropolis, N = %d", sizes[last]), Value: ratio},
			{Name: "N → ∞", Value: limit}},
		Verdict: verdict.JudgeOr(exponent && math.Abs(ratio-1) < 0.01, exponent && ratio > 2 && limit > 2),
		Correction: "the exponent is the same, the prefactors are not: at w = 1.2 AGS needs more than twice as many " +
			"steps as Metropolis needs sweeps.",
	})
	return glauberClaim(ctx, r, s)
}

// glauberClaim compares the rules by which single flips are accepted.
func glauberClaim(ctx context.Context, r *verdict.Result, s verdict.Settings) error {
	const w = 1.2
	model := theory.CurieWeiss{W: w}
	barrier, err := model.Barrier()
	if err != nil {
		return err
	}
	sizes := [2]int{512, 1024}
	if s.Quick {
		sizes = [2]int{256, 512}
	}
	logs := map[dynamics.Kernel][2]float64{}
	for _, k := range []dynamics.Kernel{dynamics.Metropolis, dynamics.Glauber} {
		var times [2]float64
		for j, n := range sizes {
			if err := ctx.Err(); err != nil {
				return err
			}
			c, err := dynamics.CurieWeiss(model, n, k)
			if err != nil {
				return err
			}
			x, err := c.Relaxation()
			if err != nil {
				return err
			}
			times[j] = math.Log(x.Time / float64(n))
		}
		logs[k] = times
	}
	slope := func(k dynamics.Kernel) float64 { return (logs[k][1] - logs[k][0]) / float64(sizes[1]-sizes[0]) }
	m, g := slope(dynamics.Metropolis), slope(dynamics.Glauber)
	r.Claim(verdict.Claim{
		Name: "glauber", Where: "section on the bi-modal distribution, footnote",
		Statement: "Other rules of acceptance, such as Glauber's, do not change the leading behaviour of τ.",
		Criterion: fmt.Sprintf("the slopes of log τ in N, in sweeps, of the exact chains of %d and %d spins are "+
			"within 1 %% of Δf for both rules", sizes[0], sizes[1]),
		Measured: []verdict.Measured{{Name: "Δf", Value: barrier}, {Name: "slope, Metropolis", Value: m},
			{Name: "slope, Glauber", Value: g}, {Name: fmt.Sprintf("τ of Glauber over Metropolis, N = %d", sizes[1]),
				Value: math.Exp(logs[dynamics.Glauber][1] - logs[dynamics.Metropolis][1])}},
		Verdict: verdict.Judge(math.Abs(m/barrier-1) < 0.01 && math.Abs(g/barrier-1) < 0.01),
	})
	return nil
}

// limitOfTimes is the ratio of steps of AGS to sweeps of Metropolis for N → ∞, where the exponents cancel.
func limitOfTimes(model theory.CurieWeiss) (float64, error) {
	const n = 1 << 20 // any: both laws have the same exponential
	ags, err := dynamics.AsymptoticLogTime(model, n, dynamics.Gibbs)
	if err != nil {
		return 0, err
	}
	attempts, err := dynamics.AsymptoticLogTime(model, n, dynamics.Metropolis)
	return math.Exp(ags - (attempts - math.Log(n))), err
}
