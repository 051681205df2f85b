package rates

import (
	"math"
	"testing"

	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Chains that start from the exact law P(v) e^{f(q)} keep it, cycle after cycle.
func TestCycleKeepsUmbrella(t *testing.T) {
	for _, v := range []string{"spin:8", "potts:8x2"} {
		visible, _ := unit.ParseSpec(v)
		m, err := rbm.Random(visible, unit.Spec{Type: unit.Gaussian, N: 2}, 0.6, 4)
		if err != nil {
			t.Fatal(err)
		}
		a := make([]float64, visible.Width())
		for i := range a {
			a[i] = float64(1 + i%2)
		}
		c, err := newCoordinate(visible, a)
		if err != nil {
			t.Fatal(err)
		}
		k, err := sampler.NewGibbs(m, 1)
		if err != nil {
			t.Fatal(err)
		}
		w := &umbrella{lo: 1, hi: c.bins - 2}
		for b := w.lo; b <= w.hi; b++ {
			w.f = append(w.f, math.Sin(2*float64(b)))
		}
		space, err := rbm.NewSpace(visible)
		if err != nil {
			t.Fatal(err)
		}
		const n = 20000
		x := make([]float64, visible.N)
		u := newGroup(k, c, 0, n, 5, x1(x), x1(x))
		if len(u.levels) < 2 {
			t.Fatal("no partial moves to test")
		}
		one, law, sum := unit.NewStates(visible, 1), make([]float64, space.Size()), 0.0
		for s := range law {
			space.State(x, s)
			one.SetValues(0, x)
			if b := c.bin(c.of(one, 0)); b >= w.lo && b <= w.hi {
				law[s] = math.Exp(w.f[b-w.lo] - m.EffectiveEnergy(x))
			}
			sum += law[s]
		}
		place, reached := 0, law[0]
		for k := range n { // stratified
			for (float64(k)+0.5)/n*sum > reached {
				place++
				reached += law[place]
			}
			space.State(x, place)
			u.chains.V.SetValues(k, x)
			u.q[k] = c.of(u.chains.V, k)
		}
		for range 5 {
			u.cycle(w)
		}
		count := map[string]float64{}
		for k := range n {
			u.chains.V.Values(x, k)
			count[key(x)]++
		}
		var chi, freedom float64
		for s, p := range law {
			if p > 0 {
				space.State(x, s)
				d := count[key(x)] - n*p/sum
				chi += d * d / (n * p / sum)
				freedom++
			}
		}
		if z := (chi - freedom + 1) / math.Sqrt(2*(freedom-1)); z > 4 || z < -4 {
			t.Errorf("%s: χ² = %.1f of %g configurations, %.1f standard deviations from expected", v, chi, freedom, z)
		}
	}
}

// x1 is a configuration that is valid for spins and for Potts units.
func x1(x []float64) []float64 {
	for i := range x {
		x[i] = 1
	}
	return x
}

func key(x []float64) string {
	b := make([]byte, len(x))
	for i, y := range x {
		b[i] = byte(int8(y))
	}
	return string(b)
}
