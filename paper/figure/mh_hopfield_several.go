package figure

import (
	"fmt"
	"math"

	"instanton/latent"
	"instanton/mixing"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/rbm"
)

// severalUnits judges whether rotated weights need moves of all hidden units at once: fewer are tried, too.
func severalUnits(r *verdict.Result, follow followHopfield, m *rbm.RBM, pairs verdict.Measured, chains,
	sweeps int) error {
	table := r.Table("several", "Rotated weights: changes of Mattis state when so many hidden units move at once.",
		"units", "directions", "changes per 1000 steps", "error")
	table.Shown = true
	table.Add(2, "", pairs.Value, pairs.Error)
	fewer := []verdict.Measured{{Name: "2", Value: pairs.Value, Error: pairs.Error}}
	for units := 3; units < experiment.HopfieldPatterns; units++ {
		directions := directionsOf(m, units)
		run, err := follow(m, latent.Options{Directions: directions}, chains, sweeps,
			fmt.Sprintf("%d units at once", units))
		if err != nil {
			return err
		}
		x, e := run.Rate()
		table.Add(units, len(directions), x, e)
		fewer = append(fewer, verdict.Measured{Name: fmt.Sprint(units), Value: x, Error: e})
	}
	directions := stateDirections(m)
	whole, err := follow(m, latent.Options{Directions: directions}, chains, sweeps, "all units at once")
	if err != nil {
		return err
	}
	c, ce := whole.Rate()
	table.Add(experiment.HopfieldPatterns, len(directions), c, ce)
	largest, worst := unevenShares(whole)
	claim := verdict.Claim{
		Name: "all-at-once", Where: "section on rotated weights",
		Statement: "With rotated weights moves in the hidden space do not speed up sampling unless all M hidden " +
			"units are updated simultaneously.",
		Criterion: fmt.Sprintf("moves of all six units at once, along the patterns' representations, their sums and "+
			"differences, visit all twelve states alike, within four standard errors (%d chains); and moves of two to "+
			"five units, from every state towards where it would be with these units moved to another, change "+
			"states less than a tenth as often, by two standard errors; with a correction, less often than all "+
			"six", chains),
		Measured: []verdict.Measured{{Name: "changes per 1000 steps, all six", Value: c, Error: ce}},
	}
	tenth, less := true, true
	most := fewer[0]
	for _, x := range fewer {
		claim.Measured = append(claim.Measured, x)
		tenth = tenth && 10*(x.Value+2*x.Error) < c-2*ce
		less = less && x.Value+2*x.Error < c-2*ce
		if x.Value > most.Value {
			most = x
		}
	}
	claim.Measured = append(claim.Measured,
		verdict.Measured{Name: "largest deviation from 1/12, all six", Value: largest},
		verdict.Measured{Name: "in standard errors", Value: worst})
	claim.Verdict = verdict.JudgeOr(worst < 4 && tenth, worst < 4 && less)
	claim.Correction = fmt.Sprintf("moves of all six do best; with N = 128 fewer help as well, %s of them with %s "+
		"changes in 1000 steps: where the units that stay differ little between two states, they hardly hold them "+
		"apart. What they hold grows with N.", most.Name, verdict.Number(most.Value, 2))
	r.Claim(claim)
	return nil
}

// directionsOf lead from every Mattis state, so many units free and the others held, to where these relax from the
// values that they have in another state.
func directionsOf(m *rbm.RBM, units int) (all [][]float64) {
	points := mixing.Representations(m, m.PatternsAndOpposites())
	for _, free := range subsets(experiment.HopfieldPatterns, units) {
		for a, from := range points {
			start := relaxed(m, from, free)
			for _, to := range points[:a] {
				h := append([]float64{}, from...)
				for _, mu := range free {
					h[mu] = to[mu]
				}
				end := relaxed(m, h, free)
				d, length := make([]float64, len(h)), 0.0
				for mu := range d {
					d[mu] = end[mu] - start[mu]
					length += d[mu] * d[mu]
				}
				if math.Sqrt(length) > 1 { // not back where it came from
					all = append(all, d)
				}
			}
		}
	}
	return all
}

// relaxed follows h_μ = Σ_i W_iμ tanh(Σ_ν W_iν h_ν), which goes down the effective energy, for some of the units.
func relaxed(m *rbm.RBM, from []float64, free []int) []float64 {
	h, next := append([]float64{}, from...), make([]float64, len(from))
	for range 50 {
		clear(next)
		for i := range m.Visible.Spec().N {
			row := m.Row(i)
			x := 0.0
			for mu, w := range row {
				x += w * h[mu]
			}
			x = math.Tanh(x)
			for _, mu := range free {
				next[mu] += row[mu] * x
			}
		}
		for _, mu := range free {
			h[mu] = next[mu]
		}
	}
	return h
}

// subsets are all choices of k of the numbers 0 … n−1.
func subsets(n, k int) (all [][]int) {
	for code := range 1 << n {
		var s []int
		for i := range n {
			if code>>i&1 == 1 {
				s = append(s, i)
			}
		}
		if len(s) == k {
			all = append(all, s)
		}
	}
	return all
}
