// Package special holds the few special functions that the conditional
// distributions of an RBM need, in float64 and stable in the far tails:
// logarithms of sums of exponentials for the discrete units, and the moments
// and quantiles of a normal variable truncated to a half line for the ReLU and
// dReLU units.
//
// A NaN argument gives NaN. Infinite arguments give the limit.
package special

import "math"

// Log2Cosh returns log(2 cosh x), the log-partition function of a spin ±1 in
// the field x.
func Log2Cosh(x float64) float64 {
	x = math.Abs(x)
	return x + math.Log1p(math.Exp(-2*x))
}

// Softplus returns log(1 + eˣ), the log-partition function of a unit 0/1 in the
// field x.
func Softplus(x float64) float64 {
	return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x)))
}

// Sigmoid returns 1/(1 + e⁻ˣ), with full relative accuracy in both tails.
func Sigmoid(x float64) float64 {
	if x >= 0 {
		return 1 / (1 + math.Exp(-x))
	}
	t := math.Exp(x)
	return t / (1 + t)
}

// LogAddExp returns log(eᵃ + eᵇ).
func LogAddExp(a, b float64) float64 {
	if a == b { // also two equal infinities, whose difference is NaN
		return a + math.Ln2
	}
	if a < b {
		a, b = b, a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// LogSumExp returns log Σ exp(x), and -Inf for an empty sum.
func LogSumExp(xs []float64) float64 {
	top, at := math.Inf(-1), -1
	for i, x := range xs {
		if math.IsNaN(x) {
			return x
		}
		if x > top {
			top, at = x, i
		}
	}
	if math.IsInf(top, 0) {
		return top
	}
	// The largest term is left out of the sum, so that log1p sees the small rest.
	rest := 0.0
	for i, x := range xs {
		if i != at {
			rest += math.Exp(x - top)
		}
	}
	return top + math.Log1p(rest)
}

// LogMeanExp is the logarithm of the mean of e^x, not the mean of x, and its standard error: the relative standard
// error of the mean of e^x.
func LogMeanExp(xs []float64) (mean, standardError float64) {
	n := float64(len(xs))
	mean = LogSumExp(xs) - math.Log(n)
	var variance float64
	for _, x := range xs {
		d := math.Exp(x-mean) - 1
		variance += d * d / (n - 1)
	}
	return mean, math.Sqrt(variance / n)
}
