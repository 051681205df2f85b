package figure

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/rbm"
	"instanton/theory"
)

func ringFigure() verdict.Figure {
	return verdict.Figure{
		Name: "fig-hidden-units-circle", Title: "Hidden units on a ring: in which order they flip",
		Shows: "M = 4 hidden units on a ring, w = 2.2, α = 0.02: the optimal path of 250 steps between the two " +
			"uniform states, a transition of a simulation with N = 400, " +
			"and the order in which the units flip in many such transitions.",
		Version: 3, Run: runRing,
	}
}

const (
	ringUnits   = 4
	ringWeight  = 2.2
	ringOverlap = 0.02
	ringSpins   = 400
)

// ringTheory is the ring in the limit N → ∞.
type ringTheory struct {
	model   theory.Structured
	graph   *theory.Graph
	m       float64 // magnetization of the uniform states
	optima  []theory.Optimum
	best    theory.Optimum // of 250 steps
	inOrder theory.Optimum // the best of those in the order of the ring; the best of all if there is none
	routes  []theory.Route // of least action for T → ∞
	barrier float64        // the highest saddle on the way over the lowest passes
}

func solveRing() (*ringTheory, error) {
	overlap, err := rbm.Ring(ringUnits, ringOverlap)
	if err != nil {
		return nil, err
	}
	ring := &ringTheory{model: theory.Structured{W: ringWeight, Overlap: overlap}}
	l, err := ring.model.Landscape()
	if err != nil {
		return nil, err
	}
	if ring.graph, err = l.Graph(); err != nil {
		return nil, err
	}
	star := ring.graph.Critical.Points[0].M[0]
	ring.m = max(star, -star)
	up, down := slices.Repeat([]float64{ring.m}, ringUnits), slices.Repeat([]float64{-ring.m}, ringUnits)
	if ring.optima, err = l.Optima(theory.PathProblem{From: up, To: down, Steps: 250}); err != nil {
		return nil, err
	}
	if ring.routes, err = ring.graph.Routes(up, down, 1000); err != nil {
		return nil, err
	}
	lowest, err := ring.graph.Lowest(up, down)
	if err != nil {
		return nil, err
	}
	ring.barrier = lowest.Barrier
	ring.best, ring.inOrder = ring.optima[0], ring.optima[0]
	if k := slices.IndexFunc(ring.optima,
		func(p theory.Optimum) bool { return orderKind(p.Order) == "around" }); k >= 0 {
		ring.inOrder = ring.optima[k]
	}
	return ring, nil
}

func runRing(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	ring, err := solveRing()
	if err != nil {
		return nil, err
	}
	s.Progress("optimal paths found, drawing transitions of %d spins", ringSpins)
	sim, err := simulateRing(ctx, s, ring)
	if err != nil {
		return nil, err
	}
	var r verdict.Result
	ringClaims(&r, ring, sim)
	ring.tables(&r, sim)
	best, inOrder := ring.panels()
	r.Draw("",
		fmt.Sprintf("Four hidden units on a ring. (a) The optimal path of 250 steps; the units flip in the order "+
			"%s. (b) A transition of AGS with N = 400: the means of the hidden units given the spins; "+
			"the order is %s. (c) The best path in the order of the ring, whose cost exceeds that of (a) by %.1e. "+
			"(d) Orders in %d transitions, up to rotations and reflections of the ring, with the shares of the "+
			"paths of least action for T → ∞.",
			arrows(ring.best.Order), arrows(sim.orders[sim.shown]), ring.inOrder.Action-ring.best.Action,
			len(sim.paths)),
		plot.Figure{Columns: 2, Width: plot.TwoColumns,
			Panels: []plot.Panel{best, sim.panel(), inOrder, sim.ordersPanel(ring)}})
	r.Note("A transition at N = 400 has to climb N·%.4f = %.1f, which takes a number of steps of the order of "+
		"exp(%.1f). Transitions are drawn from their own law instead: from configurations in equilibrium "+
		"in the states with two units flipped AGS is run forwards and, being reversible, backwards.", ring.barrier,
		ringSpins*ring.barrier, ringSpins*ring.barrier)
	return &r, nil
}

// orderKind says how the flipped units grow on a ring of four: "around" it in its order, as an arc at
// "both ends", or "apart".
func orderKind(order []int) string {
	step := func(a, b int) int { return ((order[b]-order[a])%ringUnits + ringUnits) % ringUnits }
	switch {
	case step(0, 1) == 2:
		return "apart"
	case step(1, 2) == step(0, 1):
		return "around"
	}
	return "both ends"
}

// routeOrder is the order in which the units flip along a route: those that go first are down at most of its stops.
func routeOrder(route theory.Route) []int {
	sum := make([]float64, ringUnits)
	var order []int
	for mu := range sum {
		for _, stop := range route.Stops {
			sum[mu] += stop.H[mu]
		}
		order = append(order, mu+1)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(sum[a-1], sum[b-1]) })
	return order
}

// routesOf counts the routes of least action with a kind of order.
func (r *ringTheory) routesOf(kind string) (n int) {
	for _, route := range r.routes {
		if orderKind(routeOrder(route)) == kind {
			n++
		}
	}
	return n
}

// arrows writes an order as in 1 → 2 → 4 → 3.
func arrows(order []int) string {
	text := ""
	for k, mu := range order {
		if k > 0 {
			text += " → "
		}
		text += fmt.Sprint(mu)
	}
	return text
}

func (r *ringTheory) tables(out *verdict.Result, sim *ringSimulation) {
	header := []string{"t"}
	for mu := range ringUnits {
		header = append(header, fmt.Sprintf("h%d", mu+1))
	}
	for k, p := range []theory.Optimum{r.best, r.inOrder} {
		t := out.Table([]string{"path", "path-in-order"}[k],
			"Hidden values of an optimal path of 250 steps, order "+arrows(p.Order)+".", header...)
		for k, h := range p.H {
			t.Add(k+1, h[0], h[1], h[2], h[3])
		}
	}
	t := out.Table("simulated",
		"Means of the hidden units given the spins around a transition of 400 spins, which begins at t = 0.", header...)
	for k, h := range sim.hidden {
		t.Add(k-sim.before, h[0], h[1], h[2], h[3])
	}
	o := out.Table("orders", "Order of the flips in each transition, with its weight.", "order", "kind", "weight",
		"steps")
	for k, p := range sim.paths {
		o.Add(arrows(sim.orders[k]), orderKind(sim.orders[k]), p.Weight, p.Len())
	}
}

// hiddenPanel draws hidden units against time.
func hiddenPanel(h [][]float64, from int) plot.Panel {
	return plot.Panel{X: plot.Axis{Label: "AGS step $t$"}, Y: plot.Axis{Label: "hidden unit $h_μ$"},
		Series: plot.Components(stepsFrom(len(h), from), h, "h"),
		Aspect: 0.6, Legend: plot.LegendAbove}
}

// panels are (a) and (c).
func (r *ringTheory) panels() (best, inOrder plot.Panel) {
	return hiddenPanel(r.best.H, 1), hiddenPanel(r.inOrder.H, 1)
}
