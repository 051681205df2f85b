package figure

import (
	"testing"

	"instanton/dynamics"
	"instanton/plot"
	"instanton/plot/plottest"
	"instanton/rbm"
)

func TestOrderKind(t *testing.T) {
	for kind, orders := range map[string][][]int{
		"around":    {{1, 2, 3, 4}, {2, 1, 4, 3}, {4, 3, 2, 1}, {3, 4, 1, 2}},
		"both ends": {{1, 2, 4, 3}, {2, 3, 1, 4}, {4, 3, 1, 2}},
		"apart":     {{1, 3, 2, 4}, {4, 2, 1, 3}},
	} {
		for _, o := range orders {
			if got := orderKind(o); got != kind {
				t.Errorf("%v is %q, want %q", o, got, kind)
			}
		}
	}
	p := dynamics.NewTrace(dynamics.NewBlocks([]rbm.Block{{Size: 2}, {Size: 2}, {Size: 2}}))
	for _, m := range [][]float64{{1, 1, 1}, {-1, 1, 1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, -1}} {
		p.Add(m)
	}
	if order, times := flipOrder(p, []int{0, 1, 2}); arrows(order) != "3 → 1 → 2" || times[0] != 1 || times[2] != 3 {
		t.Errorf("order %v at %v", order, times)
	}
}

// The order of a route is that of the optimal path along it: of the best path and of that in the order of the ring,
// each of which stands for half of the routes.
func TestRingRoutesAndTheirPanels(t *testing.T) {
	ring, err := solveRing()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range ring.routes {
		seen[arrows(routeOrder(r))] = true
	}
	for _, p := range ring.optima[:2] {
		if !seen[arrows(p.Order)] {
			t.Errorf("no route of least action flips %v, which the path with Φ = %.13f does", p.Order, p.Action)
		}
	}
	if len(seen) != 16 || len(ring.routes) != 16 {
		t.Errorf("%d routes with %d orders, want 16 of each", len(ring.routes), len(seen))
	}
	best, inOrder := ring.panels()
	inOrder.Label = "(c)"
	plottest.Golden(t, "fig-hidden-units-circle", plot.Figure{Width: plot.TwoColumns, Columns: 2,
		Panels: []plot.Panel{best, inOrder}}, *update)
}
