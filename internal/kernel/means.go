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

// logistic is 1/(1+e^−x); the absolute error is below 2e-7, and for x < 0 the relative error is below (4+|x|)·1e-7,
// down to values of 5e-20.
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

// meanWeights turns up to sixteen columns of a tile of fixed-point fields into means of bits with weights, adds them
// up, and stores them in fixed point; columns beyond width may get any value:
//
//	for i := range weights {
//		for j := range width {
//			mean := logistic(float32(src[16*i+j])*scale) * weights[i] // tanh for spins
//			sums[j] += float64(mean)
//			dst[16*i+j] = int32(RoundToEven(mean * fixed))
//		}
//	}
func meanWeights(
	dst, src []int32, width int, scale float32, spin bool, weights []float32, fixed float32, sums *[tile]float64,
) {
	if !vector || len(weights) == 0 {
		meanWeightsGo(dst, src, width, scale, spin, weights, fixed, sums)
		return
	}
	n := len(weights)
	_, _ = dst[n*tile-1], src[n*tile-1]
	switch {
	case vector512 && spin:
		tanhWeightsAVX512(&dst[0], &src[0], n, scale, &weights[0], fixed, sums)
	case vector512:
		logisticWeightsAVX512(&dst[0], &src[0], n, scale, &weights[0], fixed, sums)
	case spin:
		tanhWeightsAVX2(&dst[0], &src[0], n, scale, &weights[0], fixed, sums)
	default:
		logisticWeightsAVX2(&dst[0], &src[0], n, scale, &weights[0], fixed, sums)
	}
}

// meanWeightsGo turns up to sixteen columns of a tile of fixed-point fields into means of bits with weights, adds them
// up, and stores them in fixed point:
//
//	for i := range weights {
//		for j := range width {
//			mean := logistic(float32(src[16*i+j])*scale) * weights[i] // tanh for spins
//			sums[j] += float64(mean)
//			dst[16*i+j] = int32(RoundToEven(mean * fixed))
//		}
//	}
func meanWeightsGo(
	dst, src []int32, width int, scale float32, spin bool, weights []float32, fixed float32, sums *[tile]float64,
) {
	mean := logistic
	if spin {
		mean = tanh
	}
	for i, weight := range weights {
		for j, x := range src[i*tile:][:width] {
			m := float32(mean(float32(float32(x)*scale)) * weight)
			sums[j] += float64(m)
			dst[i*tile+j] = int32(math.RoundToEven(float64(m * fixed)))
		}
	}
}
