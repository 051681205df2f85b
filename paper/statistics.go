package paper

import (
	"math"

	"instanton/unit"
)

// meanAndError is the mean of independent numbers and its standard error.
func meanAndError(x []float64) (mean, err float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		err += (v - mean) * (v - mean)
	}
	if n < 2 {
		return mean, 0
	}
	return mean, math.Sqrt(err / (n * (n - 1)))
}

// spread is the standard deviation.
func spread(x []float64) float64 {
	_, err := meanAndError(x)
	return err * math.Sqrt(float64(len(x)))
}

// some lists up to n configurations, evenly spaced.
func some(v *unit.States, n int) (rows []int) {
	for k := range min(n, v.Len) {
		rows = append(rows, k*v.Len/min(n, v.Len))
	}
	return rows
}
