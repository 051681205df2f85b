package plot

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// labels are the texts of the labelled ticks.
func labels(ms []mark) (ls []string) {
	for _, m := range ms {
		if m.major {
			ls = append(ls, m.label)
		}
	}
	return ls
}

func TestTickLabels(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		log    bool
		n      int
		want   string
	}{
		{0, 1, false, 5, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{-1, 1, false, 4, "−1.0 −0.5 0.0 0.5 1.0"},
		{-0.03, 10.4, false, 5, "0 5 10"},
		{0, 20, false, 5, "0 5 10 15 20"},
		{1000.01, 1000.05, false, 4, "1000.01 1000.02 1000.03 1000.04 1000.05"},
		{0, 2e5, false, 4, "0 50\u2009000 100\u2009000 150\u2009000 200\u2009000"},
		{0, 3e7, false, 3, "0 $10^{7}$ $2×10^{7}$ $3×10^{7}$"},
		{-1e-5, 1e-5, false, 4, "$−1.0×10^{-5}$ $−0.5×10^{-5}$ 0 $0.5×10^{-5}$ $1.0×10^{-5}$"},
		{1, 1000, true, 5, "1 10 100 1000"},
		{0.01, 1, true, 5, "0.01 0.1 1"},
		{1e-8, 1, true, 4, "$10^{-8}$ $10^{-6}$ $10^{-4}$ $10^{-2}$ $10^{0}$"},
		{1, 8, true, 5, "1 2 5"},
		{2e-7, 8e-7, true, 5, "$2×10^{-7}$ $5×10^{-7}$"},
		{100, 120, true, 4, "100 105 110 115 120"},
	} {
		if got := strings.Join(labels(marks(c.lo, c.hi, c.log, c.n)), " "); got != c.want {
			t.Errorf("an axis from %g to %g (log %v) reads\n  %s, expected\n  %s", c.lo, c.hi, c.log, got, c.want)
		}
	}
}

// TestTicksOfAnyAxis holds for all axes: ticks inside, in order, labels distinct and without the
// hyphens, exponents and signed zeros of printf.
func TestTicksOfAnyAxis(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-1e9, 1e9).Draw(t, "lo")
		length := math.Pow(10, rapid.Float64Range(-6, 9).Draw(t, "decades"))
		log := rapid.Bool().Draw(t, "log")
		if log {
			lo = math.Pow(10, lo/1e8)
		}
		hi := lo + length
		if log {
			hi = lo * (1 + length)
		}
		if hi-lo < 1e-9*math.Abs(lo) {
			t.Skip("an axis too short for float64 labels")
		}
		ms := marks(lo, hi, log, rapid.IntRange(2, 7).Draw(t, "n"))
		room := 1e-6 * (hi - lo)
		for i, m := range ms {
			if m.value < lo-room || m.value > hi+room {
				t.Fatalf("tick %g lies outside %g … %g", m.value, lo, hi)
			}
			if i > 0 && m.value <= ms[i-1].value {
				t.Fatalf("tick %g follows %g", m.value, ms[i-1].value)
			}
		}
		ls := labels(ms)
		if len(ls) == 0 || len(ls) > 30 {
			t.Fatalf("%d labels between %g and %g", len(ls), lo, hi)
		}
		sorted := slices.Sorted(slices.Values(ls))
		if len(slices.Compact(sorted)) != len(ls) {
			t.Fatalf("labels repeat: %v", ls)
		}
		for _, l := range ls {
			plain := strings.ReplaceAll(l, "^{-", "")
			if strings.ContainsAny(plain, "-eE") || l == "−0" || l == "" {
				t.Fatalf("label %q between %g and %g", l, lo, hi)
			}
		}
	})
}
