package theory

import (
	"fmt"
	"testing"

	"instanton/rbm"
)

// Between a state and its opposite a path and its reversal cost the same. Units of different size are told apart, so
// that both are listed; those of equal size are copies of each other, and one stands for both.
func TestReversedPaths(t *testing.T) {
	for _, c := range []struct {
		overlap rbm.Overlap
		orders  []string
	}{
		{rbm.Overlap{{0.5, 0.02}, {0.02, 0.48}}, []string{"[1 2]", "[2 1]"}},
		{rbm.Overlap{{0.49, 0.02}, {0.02, 0.49}}, []string{"[1 2]"}},
	} {
		l := mustLandscape(t, Structured{W: 1.2 * 1.4142135623730951, Overlap: c.overlap})
		optima := must[[]Optimum](t)(l.Optima(PathProblem{From: uniformState(t, l, 1), To: uniformState(t, l, -1),
			Steps: 60}))
		best := map[string]bool{}
		for _, o := range optima {
			t.Logf("Φ = %.14f, order %v, gradient %.1e", o.Action, o.Order, o.GradientNorm)
			if o.Action-optima[0].Action < 1e-11 {
				best[fmt.Sprint(o.Order)] = true
			}
			if o.GradientNorm > 1e-10 {
				t.Errorf("order %v: gradient %g", o.Order, o.GradientNorm)
			}
		}
		if len(best) != len(c.orders) {
			t.Errorf("overlaps %v: the best orders are %v, want %v", c.overlap, best, c.orders)
		}
	}
}
