package figure

import (
	"context"
	"math"
	"math/bits"

	"instanton/latent"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// flipClaim moves the hidden unit of the Curie–Weiss model.
func flipClaim(ctx context.Context, r *verdict.Result, s verdict.Settings) error {
	const spins, w = 128, 1.5
	steps := 10_000
	if s.Quick {
		steps = 1000
	}
	m, err := rbm.CurieWeiss(spins, w)
	if err != nil {
		return err
	}
	gibbs, err := sampler.NewGibbs(m, 1)
	if err != nil {
		return err
	}
	hidden, err := latent.New(m, 1, latent.Options{})
	if err != nil {
		return err
	}
	ags, err := countReversals(ctx, gibbs, steps, s)
	if err != nil {
		return err
	}
	moves, err := countReversals(ctx, hidden, steps, s)
	if err != nil {
		return err
	}
	r.Claim(verdict.Claim{
		Name: "half", Where: "section on the principle of the algorithm",
		Statement: "In the Curie–Weiss model a step with a move of the hidden unit has probability 1/2 to flip it, " +
			"and then a macroscopic number of visible units changes.",
		Criterion: "the magnetization changes its sign in half of the steps within four standard errors, and 0.005 " +
			"for moves that are refused, and more than half of the spins turn where it does (N = 128, w = 1.5)",
		Measured: []verdict.Measured{{Name: "share of steps with a flip", Value: moves.share, Error: moves.err},
			{Name: "spins that turn at a flip", Value: moves.turned},
			{Name: "share of steps with a flip, AGS alone", Value: ags.share, Error: ags.err}},
		Verdict: verdict.Judge(math.Abs(moves.share-0.5) < 0.005+4*moves.err && moves.turned > spins/2),
	})
	return nil
}

// reversals are steps that change the sign of the magnetization.
type reversals struct {
	share, err float64 // of all steps, with the error from the spread over chains, at least that of one reversal
	turned     float64 // spins that turn in one, on average
}

// countReversals follows chains of spins that are all up at first.
func countReversals(ctx context.Context, k sampler.Kernel, steps int, s verdict.Settings) (n reversals, err error) {
	const chains = 20
	up := unit.NewStates(k.Model().Visible.Spec(), 1)
	for i := range up.N {
		up.Set(0, i, 1)
	}
	c := sampler.NewChains(k.Model(), chains, s.SeedFor("reversals "+sampler.Name(k)))
	if err := c.Begin(up); err != nil {
		return n, err
	}
	record := sampler.NewRecord(k, c, sampler.Plan{Every: 1, Draws: steps}, false)
	if err := sampler.NewPool(k, s.Workers).Record(ctx, c, record, nil); err != nil {
		return n, err
	}
	shares, all, now := make([]float64, chains), 0, make([]float64, 1)
	for chain := range shares {
		sign, before := 1.0, up.BitRow(0)
		for row := chain * steps; row < (chain+1)*steps; row++ {
			after := record.V.BitRow(row)
			experiment.Overlaps(now, up, record.V, row)
			if now[0]*sign < 0 {
				sign = -sign
				shares[chain] += 1 / float64(steps)
				all++
				for word, x := range after {
					n.turned += float64(bits.OnesCount64(x ^ before[word]))
				}
			}
			before = after
		}
	}
	n.share, n.err = experiment.MeanError(shares)
	n.err = max(n.err, 1/float64(chains*steps))
	n.turned /= float64(max(1, all))
	return n, nil
}
