package lattice

import (
	"cmp"
	"slices"
)

// Fold is a structure with the energy and the probability that a sequence has in it.
type Fold struct {
	Index  int
	Energy float64 // in units of kT
	Pnat   float64
}

// Best lists the n structures of the set that are most probable for a sequence, lowest energy first.
func (c *Competitors) Best(v Sequence, n int) []Fold {
	var t factorTable
	t.fill(c, v)
	z := t.sum(c)
	n = min(n, c.Len())
	var folds []Fold
	least, room := 0.0, 4*n+64
	for k, index := range c.indices {
		p := t.weight(c, k) / z
		if p < least {
			continue
		}
		if folds = append(folds, Fold{Index: index, Pnat: p}); len(folds) > room {
			folds, least = likeliest(folds, n)
			room = max(room, 2*len(folds))
		}
	}
	folds, _ = likeliest(folds, n)
	for k := range folds {
		folds[k].Energy = Energy(v, c.space.structures[folds[k].Index])
	}
	slices.SortFunc(folds, func(a, b Fold) int {
		return cmp.Or(cmp.Compare(a.Energy, b.Energy), cmp.Compare(a.Index, b.Index))
	})
	return folds[:n]
}

// likeliest keeps the n structures with the largest P_nat, and those that differ from the last of them only by
// rounding. It also returns the smallest P_nat among them; the order of the last places is decided by the energies.
func likeliest(folds []Fold, n int) ([]Fold, float64) {
	slices.SortFunc(folds, func(a, b Fold) int { return cmp.Compare(b.Pnat, a.Pnat) })
	least := folds[n-1].Pnat * (1 - 1e-12)
	tail := n
	for tail < len(folds) && folds[tail].Pnat >= least {
		tail++
	}
	return folds[:tail], least
}
