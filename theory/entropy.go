package theory

import (
	"math"

	"instanton/internal/special"
)

// Entropy is the entropy of one ±1 spin of mean m,
//
//	S(m) = −Σ_σ (1+σm)/2 · log((1+σm)/2).
//
// It is 0 at m = ±1 and NaN outside [−1, 1].
func Entropy(m float64) float64 {
	if m < -1 || m > 1 {
		return math.NaN()
	}
	return -xlogx((1+m)/2) - xlogx((1-m)/2)
}

// xlogx continues x log x to 0 at x = 0.
func xlogx(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return x * math.Log(x)
}

// sech2 is 1 − tanh²(x) without the cancellation at large |x|.
func sech2(x float64) float64 {
	e := math.Exp(-2 * math.Abs(x))
	return 4 * e / ((1 + e) * (1 + e))
}

// fieldEntropy is S(tanh x), written so that it stays accurate when tanh x rounds to 1.
func fieldEntropy(x float64) float64 {
	x = math.Abs(x)
	e := math.Exp(-2 * x)
	return 2*x*e/(1+e) + math.Log1p(e)
}

// divergence is the Kullback–Leibler divergence of a spin of mean tanh(y) from a spin of mean tanh(x): the cost, per
// spin, of drawing magnetization tanh(y) under the field x.
func divergence(y, x float64) float64 {
	d := special.Log2Cosh(x) - special.Log2Cosh(y) - (x-y)*math.Tanh(y)
	return math.Max(d, 0)
}
