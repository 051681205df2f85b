package lattice

import (
	"cmp"
	"slices"
)

// Fold is a structure with what a sequence has in it.
type Fold struct {
	Index  int
	Energy float64 // in kT
	Pnat   float64
}

// Best lists the n structures of the set in which a sequence is most at home, the lowest energy
// first.
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

// likeliest keeps the n structures with the largest P_nat and those that only rounding tells from the
// last of them, and gives the least P_nat that counts among them: the last places are decided by energies.
func likeliest(folds []Fold, n int) ([]Fold, float64) {
	slices.SortFunc(folds, func(a, b Fold) int { return cmp.Compare(b.Pnat, a.Pnat) })
	least := folds[n-1].Pnat * (1 - 1e-12)
	tail := n
	for tail < len(folds) && folds[tail].Pnat >= least {
		tail++
	}
	return folds[:tail], least
}
