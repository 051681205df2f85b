package dynamics

import (
	"math"
)

// Share is the weighted share of paths with a property, and its standard error: at least one over the
// number of paths that the weights are worth, since a property that all have, or none, has an error too.
func Share(paths []TransitionPath, has func(k int) bool) (p, err float64) {
	var with, all, square, weights float64
	for k, x := range paths {
		all += x.Weight
		weights += x.Weight * x.Weight
		if has(k) {
			with += x.Weight
		}
	}
	p = with / all
	for k, x := range paths {
		d := -p
		if has(k) {
			d = 1 - p
		}
		square += x.Weight * x.Weight * d * d
	}
	return p, max(math.Sqrt(square)/all, weights/(all*all))
}

// Mean is the weighted mean of a number of each path, and its standard error.
func Mean(paths []TransitionPath, of func(k int) float64) (mean, err float64) {
	var sum, all, square float64
	for k, x := range paths {
		sum, all = sum+x.Weight*of(k), all+x.Weight
	}
	mean = sum / all
	for k, x := range paths {
		d := x.Weight * (of(k) - mean)
		square += d * d
	}
	return mean, math.Sqrt(square) / all
}
