package special

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestErfcxReference(t *testing.T) {
	for _, r := range refErfcx {
		near(t, "Erfcx", r[0], Erfcx(r[0]), r[1], tight)
	}
	same(t, "Erfcx(-27)", Erfcx(-27), inf)
	same(t, "Erfcx(+Inf)", Erfcx(inf), 0)
	same(t, "Erfcx(-Inf)", Erfcx(-inf), inf)
	same(t, "Erfcx(NaN)", Erfcx(nan), nan)
}

func TestLogMillsReference(t *testing.T) {
	for _, r := range refHalf {
		near(t, "LogMills", r[0], LogMills(r[0]), r[1], tight)
	}
	same(t, "LogMills(+Inf)", LogMills(inf), -inf)
	same(t, "LogMills(-Inf)", LogMills(-inf), inf)
	same(t, "LogMills(NaN)", LogMills(nan), nan)
}

// Laplace's continued fraction, from the bottom. From a = 3 on 200 terms are more
// than float64 can tell.
func TestLaplaceIsTheContinuedFraction(t *testing.T) {
	for a := 3.0; a < 1e12; a *= 1.01 {
		want := 0.0
		for k := 200; k >= 2; k-- {
			want = float64(k) / (a + want)
		}
		d, e := laplace(a)
		near(t, "e", a, e, want, tight)
		near(t, "d", a, d, 1/(a+want), tight)
	}
}

// The two forms on either side of a join must agree on both sides of it.
func TestMillsJoins(t *testing.T) {
	for i := -1000; i <= 1000; i++ {
		s := float64(i) / 1000

		a := rationalFrom + 0.01*s
		d, _ := laplace(a)
		near(t, "hazard", a, hazard(a), a+d, tight)
		near(t, "LogMills", a, a*a/2+logSqrt2Pi+math.Log1p(-normTail(-a)), -math.Log(a+d), tight)

		for _, end := range []float64{-0.25, 0.25} {
			a = logMillsRoot + end + 0.01*s
			d, _ = laplace(a)
			near(t, "LogMills", a, LogMills(a), -math.Log(a+d), tight)
		}

		a = asymptotic * (1 + 0.01*s)
		d, e := laplace(a)
		near(t, "e", a, e, 2/a, 1e-15)
		near(t, "d", a, d, 1/a, 1e-15)
	}
}

// The derivative of log R is −E[y], so a step across the root of log R must
// match the mean at its middle, to the next order of the midpoint rule.
func TestLogMillsAtItsRoot(t *testing.T) {
	for _, h := range []float64{1e-4, 1e-7, 1e-10, 1e-13} {
		got := LogMills(logMillsRoot+h) - LogMills(logMillsRoot-h)
		width := (logMillsRoot + h) - (logMillsRoot - h)
		near(t, "step of LogMills", h, got, -width*HalfMean(logMillsRoot), tight+h*h)
	}
}

func TestChordJoinsTwoPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(rationalFrom, 50).Draw(t, "a")
		b := rapid.Float64Range(min(a, 0.75*a), 50).Draw(t, "b")
		da, db, eb, slope := chord(a, b-a)
		wantA, _ := laplace(a)
		wantB, wantE := laplace(b)
		if relErr(da, wantA) > tight || relErr(db, wantB) > tight || relErr(eb, wantE) > tight {
			t.Fatalf("chord(%v, %v) has d = %v, %v and e = %v, want %v, %v and %v", a, b-a, da, db, eb, wantA, wantB,
				wantE)
		}
		if e := math.Abs(slope*(b-a) - (wantB - wantA)); e > 2e-15 {
			t.Fatalf("the slope %v of chord(%v, %v) misses d(b) − d(a) by %v", slope, a, b-a, e)
		}
	})
}

// As y → 0 the slope of d is its derivative, −Var.
func TestChordOfNoLengthIsATangent(t *testing.T) {
	for a := rationalFrom; a < 1e6; a += 0.01 + 0.05*math.Abs(a) {
		_, _, _, slope := chord(a, 1e-18)
		near(t, "slope", a, slope, -HalfVar(a), tight)
	}
}
