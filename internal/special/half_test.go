package special

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestHalfReference(t *testing.T) {
	for _, r := range refHalf {
		a := r[0]
		near(t, "HalfMean", a, HalfMean(a), r[2], tight)
		near(t, "HalfVar", a, HalfVar(a), r[3], tight)
		near(t, "HalfSecond", a, HalfSecond(a), r[4], tight)
	}
}

// Where the two sides of rationalFrom meet, each form is carried a little over.
func TestHalfJoin(t *testing.T) {
	for i := -1000; i <= 1000; i++ {
		a := rationalFrom + 1e-5*float64(i)
		d, e := laplace(a)
		h := hazard(a)
		near(t, "mean", a, h-a, d, tight)
		near(t, "variance", a, 1-h*(h-a), (e-d)*d, tight)
		near(t, "second moment", a, 1-a*(h-a), e*d, tight)
	}
}

func TestHalfLimits(t *testing.T) {
	for name, c := range map[string]struct {
		f        func(float64) float64
		up, down float64 // the limits at a = +Inf and −Inf
	}{
		"HalfMean":   {HalfMean, 0, inf},
		"HalfVar":    {HalfVar, 0, 1},
		"HalfSecond": {HalfSecond, 0, inf},
	} {
		same(t, name+"(+Inf)", c.f(inf), c.up)
		same(t, name+"(-Inf)", c.f(-inf), c.down)
		same(t, name+"(NaN)", c.f(nan), nan)
	}
}

// anyField draws a parameter a of either sign, of ordinary size or
// log-uniform over (1e-150, 1e150).
func anyField(t *rapid.T, label string) float64 {
	return rapid.OneOf(
		rapid.Float64Range(-50, 50),
		rapid.Map(rapid.Float64Range(-150, 150), func(x float64) float64 { return math.Pow(10, x) }),
		rapid.Map(rapid.Float64Range(-150, 150), func(x float64) float64 { return -math.Pow(10, x) }),
	).Draw(t, label)
}

func TestHalfIsFinite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := anyField(t, "a")
		for name, x := range map[string]float64{
			"HalfMean": HalfMean(a), "HalfVar": HalfVar(a), "HalfSecond": HalfSecond(a),
		} {
			if !(x > 0) || math.IsInf(x, 0) {
				t.Errorf("%s(%v) is %v, want a positive number", name, a, x)
			}
		}
		if x := LogMills(a); math.IsNaN(x) || math.IsInf(x, 0) {
			t.Errorf("LogMills(%v) is %v, want a number", a, x)
		}
	})
}

// A larger a pushes y towards 0 and packs it: R and all moments decrease with a.
// Each may miss by its rounding.
func TestHalfDecreases(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyField(t, "a"), anyField(t, "b")
		if a > b {
			a, b = b, a
		}
		for name, f := range map[string]func(float64) float64{
			"HalfMean": HalfMean, "HalfVar": HalfVar, "HalfSecond": HalfSecond,
		} {
			if x, y := f(a), f(b); x < y*(1-tight) {
				t.Errorf("%s rises from %v at %v to %v at %v", name, x, a, y, b)
			}
		}
		if x, y := LogMills(a), LogMills(b); x < y-tight*math.Abs(y) {
			t.Errorf("LogMills rises from %v at %v to %v at %v", x, a, y, b)
		}
	})
}

// The three moments are computed apart and must fit together.
func TestHalfMomentsFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := anyField(t, "a")
		m, v, s := HalfMean(a), HalfVar(a), HalfSecond(a)
		if e := relErr(v+m*m, s); e > tight {
			t.Errorf("at %v Var + Mean² is %v, and the second moment %v", a, v+m*m, s)
		}
	})
}

// Both values are those of the separate functions, to the last bit.
func TestLogMillsAndHalfMean(t *testing.T) {
	check := func(a float64) {
		t.Helper()
		logMills, mean := LogMillsAndHalfMean(a)
		if math.Float64bits(logMills) != math.Float64bits(LogMills(a)) ||
			math.Float64bits(mean) != math.Float64bits(HalfMean(a)) {
			t.Errorf("at %g: %g and %g, want %g and %g", a, logMills, mean, LogMills(a), HalfMean(a))
		}
	}
	for k := range 20001 {
		check(float64(k-10000) / 613)
	}
	for _, a := range []float64{math.Inf(-1), -1e300, -1e9, -40, -0.25, 0, 0.3, 1e9, 1e300, math.Inf(1)} {
		check(a)
	}
}
