package rates

import (
	"math"
	"testing"

	"instanton/rbm"
	"instanton/unit"
)

// Flows averaged exactly over each bin give the ratios of exact probabilities.
func TestFlowsBalance(t *testing.T) {
	for _, v := range []string{"spin:8", "bernoulli:8", "potts:6x3"} {
		for _, h := range []string{"gaussian:2", "drelu:2", "spin:3"} {
			visible, _ := unit.ParseSpec(v)
			hidden, _ := unit.ParseSpec(h)
			m, err := rbm.Random(visible, hidden, 0.7, 3)
			if err != nil {
				t.Fatal(err)
			}
			a := make([]float64, visible.Width())
			for i := range a {
				a[i] = math.Sin(float64(3 * i)) // bins hold many values of q
			}
			c, err := newCoordinate(visible, a)
			if err != nil {
				t.Fatal(err)
			}
			space, err := rbm.NewSpace(visible)
			if err != nil {
				t.Fatal(err)
			}
			see, total, p := newObserver(m, c), newFlows(c.bins), make([]float64, c.bins)
			one, x := unit.NewStates(visible, 1), make([]float64, visible.N)
			for s := range space.Size() {
				space.State(x, s)
				one.SetValues(0, x)
				f, q, weight := newFlows(c.bins), c.of(one, 0), math.Exp(-m.EffectiveEnergy(x))
				see.see(f, one, 0, q)
				p[c.bin(q)] += weight
				for b := range p {
					total.seen[b] += weight * f.seen[b]
					total.up[b] += weight * f.up[b]
					total.down[b] += weight * f.down[b]
				}
			}
			joined := 0
			for b := range c.bins - 1 {
				if p[b] == 0 || p[b+1] == 0 {
					continue
				}
				joined++
				if got, want := total.slope(b, 0), math.Log(p[b+1]/p[b]); !(math.Abs(got-want) < 1e-12) {
					t.Errorf("%s, %s: slope after bin %d is %g, want %g", v, h, b, got, want)
				}
			}
			if joined < 3 {
				t.Errorf("%s: only %d pairs of bins", v, joined)
			}
		}
	}
}
