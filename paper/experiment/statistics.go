package experiment

import (
	"math"
)

// MeanError is the mean of independent numbers and its standard error.
func MeanError(x []float64) (mean, err float64) {
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
