package special

import "math"

// The half-line variable of parameter a is y > 0 with density proportional to
// exp(−y²/2 − a y): a normal variable of mean −a and variance 1, given that it is
// positive. Its moments follow from λ = 1/R(a): E[y] = λ − a,
// E[y²] = 1 − a E[y], Var[y] = 1 − λ E[y].

// HalfMean returns E[y] of the half-line variable.
func HalfMean(a float64) float64 {
	if a < rationalFrom {
		return hazard(a) - a
	}
	d, _ := laplace(a)
	return d
}

// LogMillsAndHalfMean returns LogMills(a) and HalfMean(a), bit for bit, for less than the price of both.
func LogMillsAndHalfMean(a float64) (logMills, mean float64) {
	if a < rationalFrom {
		d, _ := laplace(-a)
		tail := expProduct(a, -a/2) / (sqrt2Pi * (-a + d))
		logMills = a*a/2 + logSqrt2Pi + math.Log1p(-tail)
		return logMills, 1/(sqrt2Pi*expProduct(a, a/2)-1/(d-a)) - a
	}
	d, _ := laplace(a)
	if math.Abs(a-logMillsRoot) < 0.25 {
		return LogMills(a), d
	}
	return -math.Log(a + d), d
}

// HalfSecond returns E[y²] of the half-line variable.
func HalfSecond(a float64) float64 {
	if a < rationalFrom {
		return 1 - a*(hazard(a)-a)
	}
	d, e := laplace(a) // 1 − a d = (a + e) d − a d
	return e * d
}

// HalfVar returns the variance of the half-line variable.
func HalfVar(a float64) float64 {
	if a < rationalFrom {
		h := hazard(a)
		if h == 0 { // also a = −Inf
			return 1
		}
		return 1 - h*(h-a)
	}
	d, e := laplace(a) // E[y²] − E[y]² = e d − d²
	return (e - d) * d
}
