package theory

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// reversals adds to the optima between a state and its opposite those that run backwards. AGS is reversible: the path
// −m^T … −m⁰ with hidden values −h^T … −h¹ leads between the same states and has the same action. Where a symmetry of
// the model maps it to one that is known, it is a copy of that.
func (l *Landscape) reversals(optima []Optimum, from, to []float64, p PathProblem) []Optimum {
	if !l.reversible(from, to) {
		return optima
	}
	keep := newSymmetryGroup(l.units, l.symmetries()).keeping(from, to)
	for _, o := range slices.Clone(optima) {
		if len(o.Order) < 2 {
			continue
		}
		start := make([]float64, 0, len(o.H)*l.units)
		for t := range o.H {
			for _, h := range o.H[len(o.H)-1-t] {
				start = append(start, -h)
			}
		}
		back, err := l.solvePath(newAction(l, from, to, p.Steps), p, start)
		if err != nil || math.Abs(back.Action-o.Action) > sameAction {
			continue // the solver left it
		}
		known := func(x Optimum) bool {
			return math.Abs(x.Action-back.Action) < sameAction && sameOrder(x.Order, back.Order, keep)
		}
		if !slices.ContainsFunc(optima, known) {
			optima = append(optima, Optimum{Path: back, Copies: o.Copies})
		}
	}
	sort.SliceStable(optima, func(i, j int) bool { return optima[i].Action < optima[j].Action-sameAction })
	return optima
}

// reversible tells that the model is the same with all spins and hidden units reversed, and one end the opposite of the
// other.
func (l *Landscape) reversible(from, to []float64) bool {
	for mu := range from {
		if math.Abs(from[mu]+to[mu]) > 1e-9 || !l.hidden[mu].Even() {
			return false
		}
	}
	return !slices.ContainsFunc(l.bias, func(b float64) bool { return b != 0 })
}

// sameOrder tells that a symmetry carries one order of flips to another.
func sameOrder(a, b []int, generators []signedPermutation) bool {
	const most = 1000
	seen := map[string]bool{fmt.Sprint(a): true}
	for list := [][]int{a}; len(list) > 0 && len(seen) < most; list = list[1:] {
		if slices.Equal(list[0], b) {
			return true
		}
		for _, g := range generators {
			image := make([]int, len(a))
			for k, unit := range list[0] { // (g h)_μ is ± what h has at from_μ
				image[k] = slices.Index(g.from, unit-1) + 1
			}
			if key := fmt.Sprint(image); !seen[key] {
				seen[key] = true
				list = append(list, image)
			}
		}
	}
	return len(seen) >= most
}
