package special

import (
	"flag"
	"math"
	"os"
	"testing"

	"pgregory.net/rapid"
)

// tight is the relative error allowed against a reference value: some 45 units
// in the last place, above the few roundings of any function here.
const tight = 1e-14

var (
	inf = math.Inf(1)
	nan = math.NaN()
)

// TestMain fixes the random draws of rapid; its flags take precedence.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"rapid.seed": "1", "rapid.nofailfile": "true", "rapid.checks": "2000"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// relErr is the error of got relative to want, and 0 for equal values.
func relErr(got, want float64) float64 {
	if got == want {
		return 0
	}
	return math.Abs(got-want) / math.Abs(want)
}

// near reports an error unless got is want up to the relative error tol.
func near(t *testing.T, what string, at, got, want, tol float64) {
	t.Helper()
	if !(relErr(got, want) <= tol) {
		t.Errorf("%s at %v is %v, want %v: relative error %.2g above %.2g", what, at, got, want, relErr(got, want), tol)
	}
}

// same reports an error unless got is exactly want, or both are NaN.
func same(t *testing.T, what string, got, want float64) {
	t.Helper()
	if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestLogExpReference(t *testing.T) {
	for _, r := range refLogExp {
		near(t, "Log2Cosh", r[0], Log2Cosh(r[0]), r[1], tight)
		near(t, "Softplus", r[0], Softplus(r[0]), r[2], tight)
		near(t, "Sigmoid", r[0], Sigmoid(r[0]), r[3], tight)
	}
}

func TestLogExpExtremes(t *testing.T) {
	same(t, "Log2Cosh(-1e300)", Log2Cosh(-1e300), 1e300)
	same(t, "Log2Cosh(-Inf)", Log2Cosh(-inf), inf)
	same(t, "Softplus(1e300)", Softplus(1e300), 1e300)
	same(t, "Softplus(-1e300)", Softplus(-1e300), 0)
	same(t, "Softplus(+Inf)", Softplus(inf), inf)
	same(t, "Softplus(-Inf)", Softplus(-inf), 0)
	same(t, "Sigmoid(1e300)", Sigmoid(1e300), 1)
	same(t, "Sigmoid(-Inf)", Sigmoid(-inf), 0)
	for name, f := range map[string]func(float64) float64{"Log2Cosh": Log2Cosh, "Softplus": Softplus,
		"Sigmoid": Sigmoid} {
		same(t, name+"(NaN)", f(nan), nan)
	}
}

func TestLogAddExpExtremes(t *testing.T) {
	for _, c := range []struct{ a, b, want float64 }{
		{0, 0, math.Ln2},
		{1e300, 1e300, 1e300},
		{1e300, -1e300, 1e300},
		{0, -40, math.Exp(-40)}, // log1p(x) = x to rounding
		{3, -inf, 3},
		{-inf, -inf, -inf},
		{inf, inf, inf},
		{inf, -inf, inf},
		{nan, 1, nan},
		{-inf, nan, nan},
	} {
		same(t, "LogAddExp", LogAddExp(c.a, c.b), c.want)
		same(t, "LogAddExp swapped", LogAddExp(c.b, c.a), c.want)
	}
}

func TestLogSumExpExtremes(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want float64
	}{
		{nil, -inf},
		{[]float64{7}, 7},
		{[]float64{-inf, -inf}, -inf},
		{[]float64{-inf, 2, -inf}, 2},
		{[]float64{1, inf, -inf}, inf},
		{[]float64{inf, inf}, inf},
		{[]float64{1e308, -1e308}, 1e308},
		{[]float64{-inf, nan}, nan},
		{[]float64{inf, nan}, nan},
		{[]float64{-1e4, -1e4}, -1e4 + math.Ln2},
		{[]float64{-41, 0}, math.Exp(-41)},
	} {
		same(t, "LogSumExp", LogSumExp(c.xs), c.want)
	}
}

// A fold of LogAddExp is another order of the same sum. Each fold rounds once
// to the size of the partial sums.
func TestLogSumExpIsAFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(-800, 800), 0, 20).Draw(t, "xs")
		fold, size := math.Inf(-1), 1.0
		for _, x := range xs {
			fold = LogAddExp(fold, x)
			size = max(size, math.Abs(x))
		}
		got := LogSumExp(xs)
		if got != fold && !(math.Abs(got-fold) <= 1e-14*size) {
			t.Fatalf("LogSumExp(%v) is %v, a fold of LogAddExp is %v", xs, got, fold)
		}
	})
}

func TestLogExpIdentities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-1000, 1000).Draw(t, "x")
		tol := 1e-15 * (1 + math.Abs(x))
		if e := math.Abs(Log2Cosh(x) - LogAddExp(x, -x)); e > tol {
			t.Errorf("Log2Cosh(%v) misses log(eˣ + e⁻ˣ) by %v", x, e)
		}
		if e := math.Abs(Softplus(x) - Softplus(-x) - x); e > tol {
			t.Errorf("Softplus(%v) − Softplus(−x) misses x by %v", x, e)
		}
		if e := math.Abs(Sigmoid(x) + Sigmoid(-x) - 1); e > 4e-16 {
			t.Errorf("Sigmoid(%v) + Sigmoid(−x) misses 1 by %v", x, e)
		}
		if e := relErr(math.Log(Sigmoid(x)), -Softplus(-x)); x < 0 && x > -700 && e > tight {
			t.Errorf("log Sigmoid(%v) misses −Softplus(−x) by the factor 1 + %v", x, e)
		}
	})
}
