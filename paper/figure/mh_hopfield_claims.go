package figure

import (
	"context"
	"fmt"
	"math"
	"slices"

	"instanton/landscape"
	"instanton/latent"
	"instanton/mixing"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/rbm"
	"instanton/theory"
)

func landscapeClaims(r *verdict.Result, maps []*landscape.Landscape) {
	r.Claim(verdict.Claim{
		Name: "two-other-units", Where: "figure MH-Hopfields (a)",
		Statement: "The potential of two units other than that of the pattern has one minimum, with both units " +
			"weakly activated.",
		Criterion: "one minimum, at |h| < 1",
		Measured: []verdict.Measured{{Name: "minima", Value: float64(len(maps[0].Minima))},
			{Name: "largest |h| there", Value: math.Max(math.Abs(maps[0].Minima[0].H[0]),
				math.Abs(maps[0].Minima[0].H[1]))}},
		Verdict: verdict.Judge(len(maps[0].Minima) == 1 && math.Abs(maps[0].Minima[0].H[0]) < 1 &&
			math.Abs(maps[0].Minima[0].H[1]) < 1),
	})
	level := 0.0
	for _, m := range maps[1].Minima {
		level = math.Max(level, experiment.HopfieldSpins*m.E)
	}
	r.Claim(verdict.Claim{
		Name: "four-minima", Where: "figure MH-Hopfields (b)",
		Statement: "The potential of the pattern's unit and another has four minima, the four Mattis states of the " +
			"two patterns.",
		Criterion: "four minima, level to 1e-6 in N·e",
		Measured: []verdict.Measured{{Name: "minima", Value: float64(len(maps[1].Minima))},
			{Name: "largest difference in N·e", Value: level}},
		Verdict: verdict.Judge(len(maps[1].Minima) == 4 && level < 1e-6),
	})
}

// singleUnitClaims look at the potential of each hidden unit in the state of pattern 1.
func singleUnitClaims(r *verdict.Result, aligned *rbm.RBM) error {
	h, err := firstState(aligned)
	if err != nil {
		return err
	}
	var own *landscape.Landscape
	most, curvature := 0, 0.0
	for mu := range experiment.HopfieldPatterns {
		l, err := landscape.New(aligned, []int{mu}, h)
		if err != nil {
			return err
		}
		if mu == 0 {
			own = l
			continue
		}
		most = max(most, len(l.Minima))
		mid := len(l.X) / 2 // h = 0
		step := l.X[mid+1] - l.X[mid]
		curvature = experiment.HopfieldSpins * (l.E[0][mid-1] + l.E[0][mid+1] - 2*l.E[0][mid]) / (step * step)
	}
	level, opposed := math.NaN(), math.NaN()
	if len(own.Minima) == 2 {
		level, opposed = experiment.HopfieldSpins*own.Minima[1].E, math.Abs(own.Minima[0].H[0]+own.Minima[1].H[0])
	}
	claim := verdict.Claim{
		Name: "single-unit", Where: "section on aligned weights, eq. (E(h)_Hopfield1)",
		Statement: "In the presence of a pattern the potential of the pattern's hidden unit has two global, opposed " +
			"minima, and that of every other unit one.",
		Criterion: "two minima, level and opposed to 1e-6, for the pattern's unit, and one for the five others",
		Measured: []verdict.Measured{{Name: "minima of the pattern's unit", Value: float64(len(own.Minima))},
			{Name: "most minima of another", Value: float64(most)}},
		Verdict: verdict.Judge(level < 1e-6 && opposed < 1e-6 && most == 1),
	}
	if len(own.Minima) == 2 {
		claim.Measured = append(claim.Measured, verdict.Measured{Name: "difference in N·e", Value: level},
			verdict.Measured{Name: "sum of their h", Value: opposed})
	}
	r.Claim(claim)
	star, err := theory.CurieWeiss{W: pairWeight}.Magnetization()
	if err != nil {
		return err
	}
	formula := 1 - pairWeight*pairWeight*(1-star*star)
	r.Claim(verdict.Claim{
		Name: "other-unit-potential", Where: "eq. (E(h)_Hopfield2)",
		Statement: "The potential of another unit ν is h_ν²/2 less a term linear in h_ν, which is zero for " +
			"orthogonal patterns.",
		Criterion: "its second derivative at h_ν = 0 is 1 to 1e-3; with a correction, 1 − w²(1 − m₁²) to 1e-3",
		Measured: []verdict.Measured{{Name: "second derivative", Value: curvature},
			{Name: "1 − w²(1 − m₁²)", Value: formula}},
		Verdict: verdict.JudgeOr(math.Abs(curvature-1) < 1e-3, math.Abs(curvature-formula) < 1e-3),
		Correction: "for small h_ν it is ½[1 − w²(1 − m₁²)]h_ν² − w m₁ q h_ν with the patterns' overlap q: flatter, " +
			"and still with one minimum.",
	})
	return nil
}

// occupancyClaims judge many chains: the twelve shares, and how often states change.
func occupancyClaims(ctx context.Context, r *verdict.Result, aligned *rbm.RBM, s verdict.Settings) error {
	const chains, rotations = 24, 4
	sweeps, turned := 5_000, 2_500
	if s.Quick {
		sweeps, turned = 200, 100
	}
	follow := func(m *rbm.RBM, o latent.Options, chains, sweeps int, name string) (*experiment.HopfieldRun,
		error) {
		s.Progress("following %d chains, %s", chains, name)
		kernel, err := latent.New(m, 1, o)
		if err != nil {
			return nil, err
		}
		return experiment.RunHopfield(ctx, kernel,
			experiment.HopfieldPlan{Chains: chains, Draws: sweeps, Seed: s.SeedFor("occupancy " + name)}, s)
	}
	run, err := follow(aligned, latent.Options{Block: 2}, chains, sweeps, "aligned")
	if err != nil {
		return err
	}
	a, ae := run.Rate()
	largest, worst := unevenShares(run)
	r.Claim(verdict.Claim{
		Name: "aligned-mixes", Where: "figure MH-Hopfields (d)",
		Statement: "With aligned weights, moves of pairs of hidden units visit all Mattis states with equal " +
			"probabilities.",
		Criterion: fmt.Sprintf("all twelve shares are 1/12 within four standard errors (%d chains)", chains),
		Measured: []verdict.Measured{{Name: "largest deviation from 1/12", Value: largest},
			{Name: "in standard errors", Value: worst}, {Name: "changes per 1000 steps", Value: a, Error: ae}},
		Verdict: verdict.Judge(worst < 4),
	})
	var rates []float64
	changes, steps, still := 0, 0.0, 0
	for k := range rotations {
		m, err := experiment.RotatedHopfield(pairWeight, rotationSeed(s, k))
		if err != nil {
			return err
		}
		run, err := follow(m, latent.Options{Block: 2}, chains/2, turned, fmt.Sprintf("rotated %d", k))
		if err != nil {
			return err
		}
		x, _ := run.Rate()
		rates = append(rates, x)
		if len(run.Changes) == 0 {
			still++
		}
		changes, steps = changes+len(run.Changes), steps+run.Steps()
	}
	b, spread := experiment.MeanError(rates)
	be := math.Max(spread, 1000*math.Sqrt(max(1, float64(changes)))/steps)
	r.Claim(verdict.Claim{
		Name: "rotated-stuck", Where: "figure MH-Hopfields (e)",
		Statement: "With rotated weights the same moves leave the chain stuck in one Mattis state.",
		Criterion: fmt.Sprintf("no change in n steps of chains with %d random rotations, a rate below 3/n; with a "+
			"correction, less than a twentieth of the changes per step of the aligned weights, by two standard errors",
			rotations),
		Measured: []verdict.Measured{{Name: "changes, rotated", Value: float64(changes)}, {Name: "n", Value: steps},
			{Name: "changes per 1000 steps, rotated", Value: b, Error: be},
			{Name: "aligned", Value: a, Error: ae}, {Name: "rotations without a change", Value: float64(still)}},
		Verdict: verdict.JudgeOr(changes == 0, b+2*be < a/20),
		Correction: "much slower, not frozen: the second minimum of a pair lies some units of N·e higher for some " +
			"pairs, and a chain changes its state now and " +
			"then.",
	})
	m, err := experiment.RotatedHopfield(pairWeight, rotationSeed(s, 0))
	if err != nil {
		return err
	}
	return severalUnits(r, follow, m, verdict.Measured{Value: b, Error: be}, chains, sweeps)
}

// followHopfield runs chains with moves of hidden units.
type followHopfield func(m *rbm.RBM, o latent.Options, chains, sweeps int, name string) (*experiment.HopfieldRun, error)

// unevenShares is the largest deviation of a state's share from 1/12, and the largest in standard errors.
func unevenShares(r *experiment.HopfieldRun) (largest, worst float64) {
	mean, err := r.Shares()
	for k, x := range mean {
		d := math.Abs(x - 1.0/float64(len(mean)))
		largest, worst = math.Max(largest, d), math.Max(worst, d/math.Max(err[k], 1e-300))
	}
	return largest, worst
}

// stateDirections lead from every Mattis state to every other: the representations of the patterns, with their sums and
// differences. For rotated weights each moves all hidden units.
func stateDirections(m *rbm.RBM) (all [][]float64) {
	points := mixing.Representations(m, m.Patterns)
	combine := func(a, b []float64, sign float64) []float64 {
		d := make([]float64, len(a))
		for mu := range d {
			d[mu] = a[mu] + sign*b[mu]
		}
		return d
	}
	for mu, p := range points {
		all = append(all, p)
		for _, q := range points[:mu] {
			all = append(all, combine(p, q, 1), combine(p, q, -1))
		}
	}
	return all
}

// rotationsClaim looks at the two-unit potentials of many rotations.
func rotationsClaim(ctx context.Context, r *verdict.Result, s verdict.Settings) error {
	rotations := 40
	if s.Quick {
		rotations = 12
	}
	several := 0
	var gaps []float64
	for k := range rotations {
		if err := ctx.Err(); err != nil {
			return err
		}
		m, err := experiment.RotatedHopfield(pairWeight, rotationSeed(s, k))
		if err != nil {
			return err
		}
		h, err := firstState(m)
		if err != nil {
			return err
		}
		l, err := landscape.New(m, []int{0, 1}, h)
		if err != nil {
			return err
		}
		if len(l.Minima) > 1 {
			several++
			gaps = append(gaps, experiment.HopfieldSpins*l.Minima[1].E)
		}
	}
	slices.Sort(gaps)
	share := float64(several) / float64(rotations)
	least := math.Inf(1)
	claim := verdict.Claim{
		Name: "one-minimum", Where: "figure MH-Hopfields (c), caption",
		Statement: "With rotated weights two-unit potentials have only one minimum.",
		Criterion: fmt.Sprintf("one minimum in %d random rotations; with a correction, one global minimum: every "+
			"other one lies higher by at least 1 in N·e", rotations),
		Measured: []verdict.Measured{{Name: "share with several local minima", Value: share,
			Error: math.Sqrt(max(share*(1-share), 1/float64(rotations)) / float64(rotations))}},
	}
	if several > 0 {
		least = gaps[0]
		claim.Measured = append(claim.Measured, verdict.Measured{Name: "least height of the second, N·e", Value: least},
			verdict.Measured{Name: "median", Value: gaps[len(gaps)/2]})
	}
	claim.Verdict = verdict.JudgeOr(several == 0, least >= 1)
	claim.Correction = "one global minimum, as the text has it: only the caption errs. Part of the rotations have " +
		"other local minima above it."
	r.Claim(claim)
	return nil
}
