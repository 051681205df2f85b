package jump

import (
	"math"

	"instanton/batch"
	"instanton/unit"
)

// Modes says which mode a visible configuration belongs to; those of package mixing do.
type Modes interface {
	Names() []string
	Of(v *unit.States, k int) (mode int, deep bool)
}

// acceptanceRows is the number of configurations, and of draws, that ModeAcceptance compares with each other.
const acceptanceRows = 1500

// ModeAcceptance is the probability that a jump from one mode leads to another, proposed and accepted, estimated from
// configurations at equilibrium and draws from q. A row of a mode that the configurations do not visit is NaN.
func (k *Kernel) ModeAcceptance(v *unit.States, modes Modes, seed uint64) [][]float64 {
	v = thin(v, acceptanceRows)
	n := len(modes.Names())
	rows, d, w := k.gibbs.Engine().Worker(), k.proposal.Drawer(), k.target.Worker()
	s := batch.Stream{Seed: seed, Chain: 1 << 30, Recorded: true}
	x, draws, proposed := v, unit.NewStates(k.spec(), acceptanceRows), v
	d.Draw(draws, 0, make([]float64, draws.Len), s)
	if k.side == batch.Hidden {
		x, proposed = unit.NewStates(k.spec(), v.Len), unit.NewStates(v.Spec, draws.Len)
		rows.Draw(batch.Hidden, x, 0, v, 0, v.Len, s)
		s.Sweep++
		rows.Draw(batch.Visible, proposed, 0, draws, 0, draws.Len, s)
	} else {
		proposed = draws
	}
	from, to := k.logWeights(d, w, x), k.logWeights(d, w, draws)
	a := make([][]float64, n)
	visits := make([]float64, n)
	for i := range a {
		a[i] = make([]float64, n)
	}
	target := make([]int, draws.Len)
	for j := range target {
		target[j], _ = modes.Of(proposed, j)
	}
	for i, old := range from {
		at, _ := modes.Of(v, i)
		visits[at]++
		for j, next := range to {
			a[at][target[j]] += min(1, math.Exp(next-old))
		}
	}
	for i := range a {
		for j := range a[i] {
			a[i][j] /= visits[i] * float64(draws.Len)
		}
	}
	return a
}
