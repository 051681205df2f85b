package interpret

import (
	"fmt"
	"math"
	"slices"
)

// Ranks returns the rank of each number, from 1 for the smallest; equal numbers share the mean of their ranks.
func Ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return 0
	})
	ranks := make([]float64, len(x))
	for lo := 0; lo < len(order); {
		hi := lo + 1
		for hi < len(order) && x[order[hi]] == x[order[lo]] {
			hi++
		}
		for _, k := range order[lo:hi] {
			ranks[k] = float64(lo+hi+1) / 2
		}
		lo = hi
	}
	return ranks
}

// Spearman is the rank correlation ρ of two lists: the correlation of their ranks.
func Spearman(x, y []float64) (float64, error) {
	if len(x) != len(y) || len(x) < 3 {
		return 0, fmt.Errorf("a rank correlation of %d and %d numbers: expected equally many, at least three",
			len(x), len(y))
	}
	for k := range x {
		if math.IsNaN(x[k]) || math.IsNaN(y[k]) {
			return 0, fmt.Errorf("pair %d of a rank correlation is (%g, %g): expected numbers", k+1, x[k], y[k])
		}
	}
	rho := correlation(Ranks(x), Ranks(y))
	if math.IsNaN(rho) {
		return 0, fmt.Errorf("a rank correlation of %d numbers that are all equal", len(x))
	}
	return rho, nil
}

// correlation is Pearson's r, NaN if one of the lists is constant.
func correlation(x, y []float64) float64 {
	n := float64(len(x))
	var mx, my float64
	for k := range x {
		mx += x[k] / n
		my += y[k] / n
	}
	var xx, yy, xy float64
	for k := range x {
		xx += (x[k] - mx) * (x[k] - mx)
		yy += (y[k] - my) * (y[k] - my)
		xy += (x[k] - mx) * (y[k] - my)
	}
	return xy / math.Sqrt(xx*yy)
}

// AUC is the probability that a number of the first kind exceeds one of the second, with ties counted as one half: the
// area under the curve of true against false positives. 0.5 means that the numbers do not tell the kinds apart. It is
// NaN if there is only one kind.
func AUC(x []float64, first []bool) float64 { return aucOfRanks(Ranks(x), first) }

// aucOfRanks is AUC of numbers with the given ranks.
func aucOfRanks(ranks []float64, first []bool) float64 {
	var sum, n float64
	for k, r := range ranks {
		if first[k] {
			sum += r
			n++
		}
	}
	return (sum - n*(n+1)/2) / (n * (float64(len(ranks)) - n))
}
