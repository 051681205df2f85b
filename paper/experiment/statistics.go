package experiment

import (
	"math"

	"instanton/unit"
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

// Deviation is the standard deviation.
func Deviation(x []float64) float64 {
	_, err := MeanError(x)
	return err * math.Sqrt(float64(len(x)))
}

// EvenlySpaced lists up to n configurations, evenly spaced.
func EvenlySpaced(v *unit.States, n int) (rows []int) {
	for k := range min(n, v.Len) {
		rows = append(rows, k*v.Len/min(n, v.Len))
	}
	return rows
}
