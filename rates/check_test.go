package rates

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"instanton/unit"
)

// Under equal laws the probability of a difference is uniform, whatever the lengths of the chains; unequal ones show.
func TestDistinct(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	chains := func(n int, mean float64) *moments {
		m := &moments{}
		for range n {
			length := float64(1 + r.IntN(9))
			m.add(length*mean+math.Sqrt(length)*r.NormFloat64(), length, length)
		}
		return m
	}
	const trials = 2000
	below := 0
	for range trials {
		if p, ok := distinct(chains(40, 1), chains(25, 1)); !ok {
			t.Fatal("too few chains")
		} else if p < 0.1 {
			below++
		}
	}
	if got, want := float64(below)/trials, 0.1; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/trials)+0.01 {
		t.Errorf("%g of the probabilities are below %g", got, want)
	}
	if p, _ := distinct(chains(40, 1), chains(25, 2)); p > 1e-6 {
		t.Errorf("probability %g of unequal means", p)
	}
	if _, ok := distinct(chains(40, 1), chains(2, 1)); ok {
		t.Error("two chains were enough to tell")
	}
	frozen := func(x float64) *moments {
		m := &moments{}
		for range 20 {
			m.add(3*x, 3, 3)
		}
		return m
	}
	if p, ok := distinct(frozen(1), frozen(-1)); !ok || p != 0 {
		t.Errorf("probability %g of frozen chains that differ", p)
	}
	if p, _ := distinct(frozen(1), frozen(1)); p != 1 {
		t.Errorf("probability %g of frozen chains that do not differ", p)
	}
}

func TestUnlikely(t *testing.T) {
	poisson := distuv.Poisson{Lambda: 4}
	if got, want := unlikely(11, 4, 0), poisson.Survival(10); math.Abs(got-want) > 1e-12 {
		t.Errorf("11 passages of 4 have probability %g, want %g", got, want)
	}
	if got, want := unlikely(1, 4, 0), poisson.CDF(1); math.Abs(got-want) > 1e-12 {
		t.Errorf("1 passage of 4 has probability %g, want %g", got, want)
	}
	for _, c := range []struct {
		count, expected, relative float64
		possible                  bool
	}{
		{0, 4, 0, true}, {30, 4, 0, false}, {0, 18, 0.1, false}, {120, 100, 0, true}, {160, 100, 0, false},
		{130, 100, 0.1, true}, {0, 100, 0.1, false},
	} {
		if p := unlikely(c.count, c.expected, c.relative); (p > 1e-4) != c.possible {
			t.Errorf("%g passages of %g have probability %g", c.count, c.expected, p)
		}
	}
}

// Sums of many units with random signs see each of them.
func TestSumsSeeEveryChannel(t *testing.T) {
	s := newSums(1000)
	used := make([]float64, s.n)
	for channel := range 1000 {
		dst := make([]float64, s.n)
		s.add(dst, channel, 2)
		seen := 0
		for k, x := range dst {
			if x != 0 {
				seen++
				used[k] += x
			}
			if x != 0 && math.Abs(x) != 2 {
				t.Fatalf("channel %d adds %g", channel, x)
			}
		}
		if seen != 1 {
			t.Fatalf("channel %d is in %d sums", channel, seen)
		}
	}
	total := 0.0
	for _, x := range used {
		total += x / 2
	}
	if math.Abs(total) > 4*math.Sqrt(1000) {
		t.Errorf("signs add up to %g", total)
	}
	if got := s.name(3, "visible", unit.Spec{Type: unit.Spin, N: 1000}); got != "the visible units" {
		t.Errorf("named %q", got)
	}
}
