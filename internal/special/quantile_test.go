package special

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"pgregory.net/rapid"
)

func TestHalfQuantileReference(t *testing.T) {
	for _, r := range refHalf {
		for i, u := range refLevels {
			near(t, "HalfQuantile", r[0], HalfQuantile(r[0], u), r[5+i], tight)
		}
	}
}

func TestNormQuantileReference(t *testing.T) {
	for i, u := range refLevels {
		near(t, "NormQuantile", u, NormQuantile(u), refNorm[i], tight)
	}
}

func TestQuantileEnds(t *testing.T) {
	for _, a := range []float64{-1e150, -3, 0, 3, 1e150} {
		same(t, "HalfQuantile(a, 0)", HalfQuantile(a, 0), inf)
		same(t, "HalfQuantile(a, 1)", HalfQuantile(a, 1), 0)
		same(t, "HalfQuantile(a, -0.1)", HalfQuantile(a, -0.1), nan)
		same(t, "HalfQuantile(a, 1.1)", HalfQuantile(a, 1.1), nan)
		same(t, "HalfQuantile(a, NaN)", HalfQuantile(a, nan), nan)
	}
	same(t, "HalfQuantile(+Inf, 0.3)", HalfQuantile(inf, 0.3), 0)
	same(t, "HalfQuantile(-Inf, 0.3)", HalfQuantile(-inf, 0.3), inf)
	same(t, "HalfQuantile(-Inf, 0.8)", HalfQuantile(-inf, 0.8), inf)
	same(t, "HalfQuantile(NaN, 0.5)", HalfQuantile(nan, 0.5), nan)

	same(t, "NormQuantile(0)", NormQuantile(0), -inf)
	same(t, "NormQuantile(1)", NormQuantile(1), inf)
	same(t, "NormQuantile(-0.1)", NormQuantile(-0.1), nan)
	same(t, "NormQuantile(1.1)", NormQuantile(1.1), nan)
	same(t, "NormQuantile(NaN)", NormQuantile(nan), nan)
}

// anyLevel draws u with 1 − u or u down to 2⁻⁵³.
func anyLevel(t *rapid.T, label string) float64 {
	return rapid.OneOf(
		rapid.Float64Range(0x1p-53, 1-0x1p-53),
		rapid.Map(rapid.Float64Range(-53, -1), math.Exp2),
		rapid.Map(rapid.Float64Range(-53, -1), func(x float64) float64 { return 1 - math.Exp2(x) }),
	).Draw(t, label)
}

// Q(a+y) = u Q(a), with the tail probabilities of the standard library. A relative
// error δ of y changes Q(a+y) by the factor 1 − λ(a+y) y δ; the sum a + y and
// Erfc's own argument are rounded to half a unit in the last place each.
func TestHalfQuantileMeetsErfc(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, u := rapid.Float64Range(-20, 20).Draw(t, "a"), anyLevel(t, "u")
		y := HalfQuantile(a, u)
		got := math.Erfc((a + y) / math.Sqrt2)
		want := u * math.Erfc(a/math.Sqrt2)
		x := max(math.Abs(a), math.Abs(a+y))
		if e := relErr(got, want); e > 1e-14+5e-16*(1+x)*x {
			t.Fatalf("y = HalfQuantile(%v, %v) is %v: Q(a+y) misses u Q(a) by the factor 1 + %.2g", a, u, y, e)
		}
	})
}

// The mass below a small y, ∫₀^y exp(−t²/2 − a t) dt = (1 − u) R(a), by quadrature:
// it tests the relative accuracy of y where Q(a+y) cannot.
func TestHalfQuantileMeetsQuadrature(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(-6, 20).Draw(t, "a")
		p := math.Exp2(-rapid.Float64Range(3, 53).Draw(t, "bits"))
		p = 1 - (1 - p) // as HalfQuantile will see it
		y := HalfQuantile(a, 1-p)
		mass := quad.Fixed(func(t float64) float64 { return math.Exp(-t*t/2 - a*t) }, 0, y, 60, quad.Legendre{}, 0)
		mills := math.Sqrt(math.Pi/2) * math.Exp(a*a/2) * math.Erfc(a/math.Sqrt2)
		// d(log mass)/d(log y) stays below 11 (at a = −6); exp(a²/2) costs a²/2 roundings.
		if e := relErr(mass, p*mills); e > 1e-13 {
			t.Fatalf("y = HalfQuantile(%v, 1 − %v) is %v: the mass below it misses 1 − u by the factor 1 + %.2g", a, p,
				y, e)
		}
	})
}

func TestHalfQuantileDecreases(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, u := anyField(t, "a"), anyLevel(t, "u")
		y := HalfQuantile(a, u)
		if !(y > 0) || math.IsInf(y, 1) {
			t.Fatalf("HalfQuantile(%v, %v) is %v, want a positive number", a, u, y)
		}
		if v := anyLevel(t, "v"); v > u && HalfQuantile(a, v) > y*(1+tight) {
			t.Errorf("HalfQuantile(%v, u) rises from u = %v to %v", a, u, v)
		}
		if b := anyField(t, "b"); b > a && HalfQuantile(b, u) > y*(1+tight) {
			t.Errorf("HalfQuantile(a, %v) rises from a = %v to %v", u, a, b)
		}
	})
}

func TestNormQuantileIsOddAndRises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u, v := anyLevel(t, "u"), anyLevel(t, "v")
		if u < v && NormQuantile(u) > NormQuantile(v)+tight*math.Abs(NormQuantile(v)) {
			t.Errorf("NormQuantile falls from u = %v to %v", u, v)
		}
		if w := 1 - u; 1-w == u && NormQuantile(w) != -NormQuantile(u) {
			t.Errorf("NormQuantile(%v) is %v and NormQuantile(%v) is %v", u, NormQuantile(u), w, NormQuantile(w))
		}
	})
}

// Both forms of normUpper and of the lower half of halfQuantileBelow agree
// around the point where they change over.
func TestQuantileJoins(t *testing.T) {
	for i := -500; i <= 500; i++ {
		s := float64(i) / 500
		q := 0.1 + 0.01*s
		near(t, "normUpper", q, math.Sqrt2*math.Erfinv(1-q), hazardInverse(0, -math.Log(q)), tight)

		for _, b := range []float64{0.3, 1, 3, 7, 10.9} {
			z := b * (0.76 + 0.005*s) // y = b − z is smaller than b/4
			below := normTail(z) - normTail(b)
			far := -hazardInverse(b, -math.Log1p(below/normTail(b)))
			near(t, "y below the mode", b, far, b-normUpper(2*normTail(z)), 5e-14)
		}

		a := rationalFrom + 1e-4*s
		for _, u := range []float64{1e-12, 0.3, 0.6, 0.999, 1 - 0x1p-40} {
			near(t, "HalfQuantile", a, halfQuantileBelow(-a, u), hazardInverse(a, -math.Log(u)), 2*tight)
		}
	}
}

// The bounded iteration must be enough everywhere: the residual of the
// returned y, evaluated afresh, is rounding.
func TestHazardInverseConverges(t *testing.T) {
	for a := rationalFrom; a < asymptotic; a += 0.02 + 0.1*math.Abs(a) {
		for h := 1e-17; h < 800; h *= 1.5 {
			y := hazardInverse(a, h)
			da, _, _, slope := chord(a, y)
			near(t, "H(y)", a, math.Log1p(y*(1+slope)/(a+da))+y*(a+y/2), h, tight)
		}
	}
}
