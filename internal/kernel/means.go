package kernel

import "math"

// Logistic replaces inputs by the means σ(x) of 0/1 units:
//
//	for i := range x {
//		x[i] = logistic(x[i])
//	}
func Logistic(x []float32) {
	n := 0
	if vector {
		if n = len(x) &^ 15; n > 0 {
			logisticAVX2(&x[0], n/16)
		}
	}
	for i, v := range x[n:] {
		x[n+i] = logistic(v)
	}
}

// Tanh replaces inputs by the means tanh x of ±1 units:
//
//	for i := range x {
//		x[i] = tanh(x[i])
//	}
func Tanh(x []float32) {
	n := 0
	if vector {
		if n = len(x) &^ 15; n > 0 {
			tanhAVX2(&x[0], n/16)
		}
	}
	for i, v := range x[n:] {
		x[n+i] = tanh(v)
	}
}

// logistic is 1/(1+e^−x); the error is below 2e-7, and for x < 0 below (4+|x|)·1e-7 of the
// value, down to 5e-20.
func logistic(x float32) float32 {
	small := 1 / (exp2Up(min(float32(absolute(x)*float32(math.Log2E)), 64)) + 1)
	if math.Signbit(float64(x)) {
		return small
	}
	return 1 - small
}

// tanh is 1 − 2/(1+e^2|x|) with the sign of x; the error is below 3e-7.
func tanh(x float32) float32 {
	small := 1 / (exp2Up(min(float32(absolute(x)*float32(2*math.Log2E)), 64)) + 1)
	return math.Float32frombits(math.Float32bits(1-small-small) | math.Float32bits(x)&(1<<31))
}

func absolute(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// AddColumns adds numbers to sums:
//
//	for i := range x {
//		sums[i] += float64(x[i])
//	}
func AddColumns(sums []float64, x []float32) {
	n := 0
	if vector {
		if n = len(x) &^ 7; n > 0 {
			_ = sums[n-1]
			addColumnsAVX2(&sums[0], &x[0], n/8)
		}
	}
	for i, v := range x[n:] {
		sums[n+i] += float64(v)
	}
}
