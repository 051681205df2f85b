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
	folds := make([]Fold, c.Len())
	for k, index := range c.indices {
		folds[k] = Fold{Index: index, Pnat: t.weight(c, k) / z}
	}
	// Weights of equal energies differ by rounding, so the last places are decided by energies.
	slices.SortFunc(folds, func(a, b Fold) int { return cmp.Compare(b.Pnat, a.Pnat) })
	n = min(n, len(folds))
	tail := n
	for tail < len(folds) && folds[tail].Pnat > folds[n-1].Pnat*(1-1e-12) {
		tail++
	}
	folds = folds[:tail]
	for k := range folds {
		folds[k].Energy = Energy(v, c.space.structures[folds[k].Index])
	}
	slices.SortFunc(folds, func(a, b Fold) int {
		return cmp.Or(cmp.Compare(a.Energy, b.Energy), cmp.Compare(a.Index, b.Index))
	})
	return folds[:n]
}
