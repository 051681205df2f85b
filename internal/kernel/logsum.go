package kernel

import "math"

// Sum is the sum of the cumulant generating functions of two-state units:
//
//	Σ_i log 2cosh(x[i])      (spins)
//	Σ_i log(1 + exp(x[i]))   (Bernoulli units)
//
// With e = e^{−2|x|} of spins or e^{−|x|} of Bernoulli units, a term is |x| or max(x, 0), plus log(1+e): one logarithm
// serves up to a thousand factors 1+e ≤ 2.
func (f *LogSums) Sum(x []float64, spin bool) float64 {
	n := len(x)
	clear(f.scaled[:n])
	rate := math.Log2E
	if spin {
		rate = 2 * math.Log2E
	}
	var sums [12]float64
	foldFields(f.e[:n], f.rows, x, f.scaled[:n], &sums, rate)
	linear := (sums[0] + sums[1]) + (sums[2] + sums[3])
	if !spin {
		linear = (linear + ((sums[8] + sums[9]) + (sums[10] + sums[11]))) / 2
	}
	const most = 1000
	for e := f.e[:n]; len(e) > 0; {
		k := min(most, len(e))
		linear += math.Log(onePlusProduct(e[:k]))
		e = e[k:]
	}
	return linear
}

// onePlusProduct multiplies in four lanes:
//
//	for i := range e {
//		product *= 1 + e[i]
//	}
func onePlusProduct(e []float64) float64 {
	a, b, c, d := 1.0, 1.0, 1.0, 1.0
	for ; len(e) >= 4; e = e[4:] {
		a *= 1 + e[0]
		b *= 1 + e[1]
		c *= 1 + e[2]
		d *= 1 + e[3]
	}
	for _, x := range e {
		a *= 1 + x
	}
	return (a * b) * (c * d)
}
