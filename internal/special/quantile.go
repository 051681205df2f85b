package special

import "math"

// HalfQuantile returns the y of the half-line variable of parameter a with
// P(Y > y) = u, that is Q(a + y) = u Q(a). It falls from +Inf at u = 0 to 0 at
// u = 1 and keeps its relative accuracy at both ends; u outside [0, 1] gives NaN.
func HalfQuantile(a, u float64) float64 {
	switch {
	case math.IsNaN(a) || !(0 <= u && u <= 1):
		return math.NaN()
	case u == 1:
		return 0
	case u == 0:
		return math.Inf(1)
	case a < rationalFrom:
		return halfQuantileBelow(-a, u)
	}
	return hazardInverse(a, -math.Log(u)) // Log is exact to rounding near 1 too
}

// halfQuantileBelow is HalfQuantile at a = −b, b > 0, where the density has its
// mode inside, at y = b. Above the mode it counts from there: Q(y − b) = u Q(−b).
// Below, it uses the mirror image: Q(b − y) = Q(b) + (1 − u) Q(−b).
func halfQuantileBelow(b, u float64) float64 {
	tail := normTail(b)
	if above := 2 * u * (1 - tail); above <= 1 {
		return b + normUpper(above)
	}
	below := (1 - u) * (1 - tail) // u > 1/2 here, so 1 − u is exact
	if z := normUpper(2 * (tail + below)); z < 0.75*b {
		return b - z
	}
	// Here y is small beside b, and b below 11.1, for 1 − u ≥ 2⁻⁵³ keeps z below 8.3.
	return -hazardInverse(b, -math.Log1p(below/tail))
}

// NormQuantile returns the z with P(Z ≤ z) = u for a standard normal Z.
func NormQuantile(u float64) float64 {
	switch {
	case !(0 <= u && u <= 1):
		return math.NaN()
	case u == 0:
		return math.Inf(-1)
	case u == 1:
		return math.Inf(1)
	case u < 0.5:
		return -normUpper(2 * u)
	}
	return normUpper(2 * (1 - u))
}

// normUpper returns the z ≥ 0 with P(|Z| > z) = q for a standard normal Z.
func normUpper(q float64) float64 {
	if q > 0.1 { // where rounding 1 − q does no harm
		return math.Sqrt2 * math.Erfinv(1-q)
	}
	return hazardInverse(0, -math.Log(q))
}

// maxSteps bounds the iterations of hazardInverse, which needs one or two.
const maxSteps = 4

// hazardInverse returns the y where the cumulative hazard from a ≥ −1/4,
//
//	H(y) = ∫_a^{a+y} λ(t) dt = log Q(a)/Q(a+y) = log λ(a+y)/λ(a) + y (a + y/2),
//
// is h. A negative h gives a negative y and must leave y > −a/4.
// The ratio is λ(a+y)/λ(a) = 1 + y (1 + slope)/λ(a), so that both terms of H are
// proportional to y: it is found to full relative accuracy however small.
func hazardInverse(a, h float64) float64 {
	if a > asymptotic { // H = y (a + y/2), with y/a below 1e-13
		return h / a
	}
	y := hazardStart(a, h)
	for range maxSteps {
		da, db, eb, slope := chord(a, y)
		miss := math.Log1p(y*(1+slope)/(a+da)) + y*(a+y/2) - h
		// The series of the inverse function to third order, by
		// H' = λ, λ' = λ d, d' = −Var and Var = (e − d) d.
		t := miss / (a + y + db)
		y -= t * (1 + t*db*(0.5+t*(db+eb)/6))
		// The next term is about 0.4 d³ t⁴ near a = 0.
		if r := t * db; r*r*r*r <= 1e-16*math.Abs(y)*db {
			break
		}
	}
	return y
}

// hazardStart approximates hazardInverse. It takes λ as a straight line from a,
// then corrects for its curvature, which fades as the slope goes from
// λ' = 1 − Var to 1.
func hazardStart(a, h float64) float64 {
	d, e := laplace(a)
	l, variance := a+d, (e-d)*d
	slope := l * d
	y := 2 * h / (l + math.Sqrt(l*l+2*slope*h))
	bend := l * (d*d - variance) * y
	fade := bend / variance
	return y - bend*y*y/(6+2*fade)/(l+y*(slope+bend/(2+fade)))
}
