package mixing

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/stat"
)

// RHat is the rank-normalised split R-hat: the larger of the R-hats of the normal scores and of the normal scores of
// the folded values. It is NaN if it is undefined: for fewer than four draws, or if all values are equal.
func RHat(x [][]float64) float64 {
	if constant(x) || shortest(x) < 4 {
		return math.NaN()
	}
	s := split(x)
	r := rhat(normalScores(s))
	if f := rhat(normalScores(folded(s))); f > r { // f is NaN if all are equally far
		r = f
	}
	return r
}

// rhat is √[(B/W + n − 1)/n], where B is n times the variance of the means of the chains and W the mean of their
// variances.
func rhat(x [][]float64) float64 {
	n := float64(len(x[0]))
	means, within := make([]float64, len(x)), 0.0
	for c := range x {
		mean, variance := stat.MeanVariance(x[c], nil)
		means[c] = mean
		within += variance / float64(len(x))
	}
	return math.Sqrt((n*stat.Variance(means, nil)/within + n - 1) / n)
}

// BulkESS is the effective sample size of the rank-normalised split chains, which says how well the centre of the law
// is known.
func BulkESS(x [][]float64) float64 { return ess(normalScores(split(x)), x) }

// TailESS is the smaller of the effective sample sizes of the indicators of the outer 5 % on either side.
func TailESS(x [][]float64) float64 {
	least := math.Inf(1)
	for _, p := range []float64{0.05, 0.95} {
		i := below(x, quantile(x, p))
		if e := ess(split(i), i); !(e >= least) {
			least = e
		}
	}
	return least
}

// MeanESS is the effective sample size of the split chains for the mean.
func MeanESS(x [][]float64) float64 { return ess(split(x), x) }

// MCSE is the Monte-Carlo standard error of the mean.
func MCSE(x [][]float64) float64 {
	var all []float64
	for _, c := range x {
		all = append(all, c...)
	}
	return stat.StdDev(all, nil) / math.Sqrt(MeanESS(x))
}

// ess sums autocorrelations over all chains by Geyer's initial positive and then monotone sequence. It is NaN for
// chains that are too short or constant, where ArviZ returns the number of draws.
func ess(x, whole [][]float64) float64 {
	n := shortest(x)
	if n < 4 || constant(whole) {
		return math.NaN()
	}
	chains, draws := float64(len(x)), float64(n)
	mean := make([]float64, n) // autocovariance, averaged over chains
	means := make([]float64, len(x))
	for c := range x {
		means[c] = stat.Mean(x[c], nil)
		for t, a := range autocovariance(x[c], means[c]) {
			mean[t] += a / chains
		}
	}
	variance := mean[0] * draws / (draws - 1)
	plus := mean[0]
	if len(x) > 1 {
		plus += stat.Variance(means, nil)
	}
	rho := make([]float64, n)
	at := func(t int) float64 { return 1 - (variance-mean[t])/plus }
	rho[0], rho[1] = 1, at(1)
	even, odd := rho[0], rho[1]
	t := 1
	for t < n-3 && even+odd > 0 {
		even, odd = at(t+1), at(t+2)
		if even+odd >= 0 {
			rho[t+1], rho[t+2] = even, odd
		}
		t += 2
	}
	last := t - 2
	if even > 0 {
		rho[last+1] = even
	}
	for t := 1; t <= last-2; t += 2 {
		if before := rho[t-1] + rho[t]; rho[t+1]+rho[t+2] > before {
			rho[t+1], rho[t+2] = before/2, before/2
		}
	}
	tau := -1.0
	for _, r := range rho[:last+1] {
		tau += 2 * r
	}
	tau += rho[last+1]
	return chains * draws / max(tau, 1/math.Log10(chains*draws))
}

// autocovariance is (1/n) Σ (x_s − m)(x_{s+t} − m) for all lags t, by Fourier transforms.
func autocovariance(x []float64, mean float64) []float64 {
	size := 2
	for size < 2*len(x) {
		size *= 2
	}
	padded := make([]float64, size)
	for k, v := range x {
		padded[k] = v - mean
	}
	fft := fourier.NewFFT(size)
	c := fft.Coefficients(nil, padded)
	for k, z := range c {
		c[k] = complex(real(z)*real(z)+imag(z)*imag(z), 0)
	}
	fft.Sequence(padded, c)
	out := padded[:len(x)]
	for t := range out {
		out[t] /= float64(size) * float64(len(x))
	}
	return out
}

// Autocorrelation is ρ(t) about the mean of all chains, averaged over chains.
func Autocorrelation(x [][]float64) []float64 {
	n := shortest(x)
	var mean float64
	for _, c := range x {
		mean += stat.Mean(c[:n], nil) / float64(len(x))
	}
	rho := make([]float64, n)
	for _, c := range x {
		for t, a := range autocovariance(c[:n], mean) {
			rho[t] += a
		}
	}
	zero := rho[0]
	for t := range rho {
		rho[t] /= zero
	}
	return rho
}

// Tau is the integrated autocorrelation time 1 + 2 Σ_{t≤W} ρ(t) in draws, with Sokal's window: the smallest W ≥ 5τ(W).
// It is 0 if values alternate so that the sum is negative. Chains shorter than 50τ are not enough to estimate τ.
func Tau(x [][]float64) (tau float64, enough bool) {
	if constant(x) || shortest(x) < 4 {
		return math.NaN(), false
	}
	rho := Autocorrelation(x)
	tau = 1
	for w := 1; w < len(rho); w++ {
		tau += 2 * rho[w]
		if float64(w) >= 5*tau {
			return max(tau, 0), float64(len(rho)) >= minTaus*tau
		}
	}
	return tau, false
}

// constant reports whether all values are equal.
func constant(x [][]float64) bool {
	for _, c := range x {
		for _, v := range c {
			if v != x[0][0] {
				return false
			}
		}
	}
	return true
}

func shortest(x [][]float64) int {
	n := math.MaxInt
	for _, c := range x {
		n = min(n, len(c))
	}
	if len(x) == 0 {
		return 0
	}
	return n
}
