package kernel

import "math"

// Sum is the sum of the cumulant generating functions of two-state units:
//
//	Σ_i log 2cosh(x[i])      (spins)
//	Σ_i log(1 + exp(x[i]))   (Bernoulli units)
//
// With e = e^{−2|x|} for spins or e^{−|x|} for Bernoulli units, a term is |x| or max(x, 0), plus log(1+e): one
// logarithm serves all factors 1+e.
func (f *LogSums) Sum(x []float64, spin bool) float64 {
	rate := math.Log2E
	if spin {
		rate *= 2
	}
	var sums [12]float64
	product, exponent := coshTotal(f.e, x, &sums, rate)
	linear := lanes(&sums, 0)
	if !spin {
		linear = (linear + lanes(&sums, 8)) / 2
	}
	return logProduct(product, exponent, len(x)) + linear
}

// coshTotal multiplies the factors at the node zero and takes the exponent out as coshProduct does, with sums in four
// lanes; e is scratch:
//
//	for i := range x {
//		product *= exp2Double(-rate*abs(x[i])) + 1
//		sums[i%4] += abs(x[i])
//		sums[8+i%4] += x[i]
//	}
func coshTotal(e, x []float64, sums *[12]float64, rate float64) (product float64, exponent int64) {
	product = 1
	n := vectorLength(len(x))
	if n > 0 {
		_ = e[n-1]
		if vector512 {
			coshTotalAVX512(&product, &exponent, &e[0], &x[0], sums, rate, n/16)
		} else {
			coshTotalAVX2(&product, &exponent, &e[0], &x[0], sums, rate, n/8)
		}
	}
	for i := n; i < len(x); i++ {
		size := math.Abs(x[i])
		product *= exp2Double(-rate*size) + 1
		sums[i%4] += size
		sums[8+i%4] += x[i]
		if i%8 == 7 {
			product, exponent = normalised(product, exponent)
		}
	}
	if len(x)%8 != 0 || len(x) == 0 {
		product, exponent = normalised(product, exponent)
	}
	return product, exponent
}
