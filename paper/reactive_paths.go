package paper

import (
	"fmt"
	"math"
)

// share is the weighted share of paths with a property, and its standard error: at least one over the
// number of paths that the weights are worth, since a property that all have, or none, has an error too.
func share(paths []reactivePath, has func(k int) bool) (p, err float64) {
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

// average is the weighted mean of a number of each path, and its standard error.
func average(paths []reactivePath, of func(k int) float64) (mean, err float64) {
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

// nearest is the path of those that are wanted whose length is nearest to so many steps, 0 if there is none.
func nearest(paths []reactivePath, steps int, wanted func(k int) bool) (best int) {
	distance := math.MaxInt
	for k, x := range paths {
		if d := abs(x.Len() - steps); d < distance && wanted(k) {
			best, distance = k, d
		}
	}
	return best
}

// enough refuses to judge by too few paths.
func enough(paths []reactivePath) error {
	if len(paths) < 10 {
		return fmt.Errorf("only %d transition paths were found, expected at least 10", len(paths))
	}
	return nil
}
