package paper

import (
	"context"
	"fmt"
	"math"
	"slices"

	"instanton/sampler"
)

func landscapeClaims(r *Result, maps []*sampler.Landscape) {
	r.Claim(Claim{
		Name: "two-other-units", Where: "figure MH-Hopfields (a)",
		Statement: "The potential of two units other than that of the pattern has one minimum, with both units weakly activated.",
		Criterion: "one minimum, at |h| < 1",
		Measured:  []Measured{{Name: "minima", Value: float64(len(maps[0].Minima))}, {Name: "largest |h| there", Value: math.Max(math.Abs(maps[0].Minima[0].H[0]), math.Abs(maps[0].Minima[0].H[1]))}},
		Verdict:   Judge(len(maps[0].Minima) == 1 && math.Abs(maps[0].Minima[0].H[0]) < 1 && math.Abs(maps[0].Minima[0].H[1]) < 1),
	})
	level := 0.0
	for _, m := range maps[1].Minima {
		level = math.Max(level, hopfieldSpins*m.E)
	}
	r.Claim(Claim{
		Name: "four-minima", Where: "figure MH-Hopfields (b)",
		Statement: "The potential of the pattern's unit and another has four minima, the four Mattis states of the two patterns.",
		Criterion: "four minima, level to 1e-6 in N·e",
		Measured:  []Measured{{Name: "minima", Value: float64(len(maps[1].Minima))}, {Name: "largest difference in N·e", Value: level}},
		Verdict:   Judge(len(maps[1].Minima) == 4 && level < 1e-6),
	})
}

// occupancyClaims judge many chains: the twelve shares, and how often states change.
func occupancyClaims(r *Result, rates []*hopfieldRun) {
	run := rates[0]
	worst, largest := 0.0, 0.0
	for state := range 2 * hopfieldPatterns {
		x := make([]float64, run.chains)
		for k, path := range run.states {
			for _, s := range path {
				if s == state {
					x[k] += 1 / float64(run.draws)
				}
			}
		}
		m, e := meanAndError(x)
		worst, largest = math.Max(worst, math.Abs(m-1.0/12)/e), math.Max(largest, math.Abs(m-1.0/12))
	}
	a, ae := run.rate()
	b, be := rates[1].rate()
	r.Claim(Claim{
		Name: "aligned-mixes", Where: "figure MH-Hopfields (d)",
		Statement: "With aligned weights, moves of pairs of hidden units visit all Mattis states with equal probabilities.",
		Criterion: fmt.Sprintf("all twelve shares are 1/12 within four standard errors (%d chains)", run.chains),
		Measured:  []Measured{{Name: "largest deviation from 1/12", Value: largest}, {Name: "in standard errors", Value: worst}, {Name: "changes per 1000 steps", Value: a, Error: ae}},
		Verdict:   Judge(worst < 4),
	})
	r.Claim(Claim{
		Name: "rotated-stuck", Where: "figure MH-Hopfields (e)",
		Statement: "With rotated weights the same moves leave the chain stuck in one Mattis state.",
		Criterion: "less than a twentieth of the changes per step of the aligned weights, by two standard errors",
		Measured:  []Measured{{Name: "changes per 1000 steps, rotated", Value: b, Error: be}, {Name: "aligned", Value: a, Error: ae}},
		Verdict:   JudgeCorrected(b+2*be < a/20),
		Correction: "much slower, not frozen: the second minimum of a pair lies some units of N·e higher for some pairs, and a chain changes its state now and " +
			"then.",
	})
}

// rotationsClaim looks at the two-unit potentials of many rotations.
func rotationsClaim(ctx context.Context, r *Result, s Settings) error {
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
		m, err := hopfieldMachine(pairWeight, s.Seed*1000+uint64(k)+1)
		if err != nil {
			return err
		}
		h, err := firstState(m)
		if err != nil {
			return err
		}
		l, err := sampler.NewLandscape(m, []int{0, 1}, h)
		if err != nil {
			return err
		}
		if len(l.Minima) > 1 {
			several++
			gaps = append(gaps, hopfieldSpins*l.Minima[1].E)
		}
	}
	slices.Sort(gaps)
	share := float64(several) / float64(rotations)
	claim := Claim{
		Name: "one-minimum", Where: "figure MH-Hopfields (c)",
		Statement: "With rotated weights two-unit potentials have one minimum.",
		Criterion: fmt.Sprintf("one global minimum in %d random rotations: every other one lies higher by at least 1 in N·e", rotations),
		Measured:  []Measured{{Name: "share with several local minima", Value: share, Error: math.Sqrt(max(share*(1-share), 1/float64(rotations)) / float64(rotations))}},
		Verdict:   Holds,
	}
	if several > 0 {
		claim.Measured = append(claim.Measured, Measured{Name: "least height of the second, N·e", Value: gaps[0]}, Measured{Name: "median", Value: gaps[len(gaps)/2]})
		claim.Verdict = JudgeCorrected(gaps[0] >= 1)
		claim.Correction = "one global minimum; part of the rotations have other local minima above it."
	}
	r.Claim(claim)
	return nil
}
