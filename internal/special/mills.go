package special

import "math"

const (
	sqrt2Pi    = 2.50662827463100050241576528481104525
	logSqrt2Pi = 0.918938533204672741780329736405617640
)

// Mills' ratio is R(a) = ∫₀^∞ exp(−y²/2 − a y) dy = Q(a)/φ(a), and λ = 1/R is
// the hazard rate of the standard normal. Laplace's continued fraction
//
//	λ(a) = a + 1/(a + 2/(a + 3/(a + …)))
//
// names the two quantities from which everything here follows without
// cancellation for a ≥ −1/4:
//
//	e = 2/(a + 3/(a + …)),   d = 1/(a + e),   λ = a + d,
//
// where d is the mean of the half-line variable, e d its second moment and
// (e − d) d its variance. The fraction converges too slowly near zero; e is
// instead one rational function on the whole of [−1/4, ∞).

// rationalFrom is the left end of the interval where laplace holds.
const rationalFrom = -0.25

// laplaceCoef holds the coefficients of e(a) = P(x)/Q(x), x = a + 1/4, lowest power
// first, {P, Q}; Q has one more term, x¹². It interpolates e at the Chebyshev
// nodes of (x − 4)/(x + 4) (testdata/mills.py) with a relative error below
// 2e-17 before rounding. All coefficients are positive, so Horner's rule never
// cancels.
var laplaceCoef = [...][2]float64{
	{148937743.93956584, 109010353.27372152},
	{193756510.09509283, 179702381.674224},
	{130655785.0351463, 150612457.24678382},
	{58774359.34886981, 83488674.10140365},
	{19338535.800424837, 33761894.371092096},
	{4849015.163314059, 10431248.910427885},
	{941532.213781628, 2516829.214057746},
	{141372.5757545905, 477316.51844699966},
	{16106.501339620989, 70685.7171948961},
	{1331.5799111496128, 7996.2916492115655},
	{72.49231220240034, 659.7284165495383},
	{2, 35.99615610120013},
}

// asymptotic is the a beyond which e = 2/a (1 − 3/a² + …) has rounded to 2/a.
const asymptotic = 2e8

// laplace returns d and e at a ≥ −1/4.
func laplace(a float64) (d, e float64) {
	if a > asymptotic {
		return 1 / a, 2 / a
	}
	x := a - rationalFrom
	p, q := 0.0, 1.0
	for k := len(laplaceCoef) - 1; k >= 0; k-- {
		c := &laplaceCoef[k]
		p = p*x + c[0]
		q = q*x + c[1]
	}
	e = p / q
	return 1 / (a + e), e
}

// chord returns d and e at b = a + y, d at a, and the slope (d(b) − d(a))/y,
// which keeps its relative accuracy as y → 0: Horner's rule gives the divided
// differences of P and Q along with their values. Both a and b are in
// [−1/4, asymptotic], and y ≥ −a/4 lest the differences outgrow Q(b).
func chord(a, y float64) (da, db, eb, slope float64) {
	xa := a - rationalFrom
	xb := xa + y
	var pa, pb, dp float64 // P(xa), P(xb) and (P(xb) − P(xa))/(xb − xa)
	qa, qb, dq := 1.0, 1.0, 0.0
	for k := len(laplaceCoef) - 1; k >= 0; k-- {
		c := &laplaceCoef[k]
		dp = dp*xb + pa
		dq = dq*xb + qa
		pa = pa*xa + c[0]
		qa = qa*xa + c[1]
		pb = pb*xb + c[0]
		qb = qb*xb + c[1]
	}
	ea := pa / qa
	eb = pb / qb
	de := (dp - ea*dq) / qb
	da = 1 / (a + ea)
	db = 1 / (a + y + eb)
	return da, db, eb, -(1 + de) * da * db
}

// expProduct returns exp(x y) without the error that rounding the product would
// leave in the exponent.
func expProduct(x, y float64) float64 {
	p := x * y
	t := math.Exp(p)
	if t == 0 || math.IsInf(t, 1) {
		return t
	}
	return t + t*math.FMA(x, y, -p)
}

// hazard returns λ(a) = 1/R(a) for a < −1/4, by R(a) = √(2π) exp(a²/2) − R(−a).
func hazard(a float64) float64 {
	d, _ := laplace(-a)
	return 1 / (sqrt2Pi*expProduct(a, a/2) - 1/(d-a))
}

// normTail returns Q(b), the probability that a standard normal exceeds b, for
// b ≥ −1/4.
func normTail(b float64) float64 {
	d, _ := laplace(b)
	return expProduct(-b, b/2) / (sqrt2Pi * (b + d))
}

// Erfcx returns the scaled complementary error function exp(x²) erfc(x). It
// overflows to +Inf below about −26.6.
func Erfcx(x float64) float64 {
	if x < 0 {
		return 2*expProduct(x, x) - Erfcx(-x)
	}
	a := math.Sqrt2 * x
	d, _ := laplace(a)
	return 2 / (sqrt2Pi * (a + d))
}

// logMillsRoot + logMillsRootLow is the a where R(a) = 1.
const (
	logMillsRoot    = 0.30263084071157276
	logMillsRootLow = -1.6376118628968982e-17
)

// LogMills returns log R(a), the logarithm of Mills' ratio
// R(a) = ∫₀^∞ exp(−y²/2 − a y) dy.
func LogMills(a float64) float64 {
	if a < rationalFrom {
		return a*a/2 + logSqrt2Pi + math.Log1p(-normTail(-a))
	}
	// Near its root the logarithm is the small chord of λ from λ = 1.
	if t := a - logMillsRoot; math.Abs(t) < 0.25 {
		t -= logMillsRootLow
		_, _, _, slope := chord(logMillsRoot, t)
		return -math.Log1p(t * (1 + slope))
	}
	d, _ := laplace(a)
	return -math.Log(a + d)
}
