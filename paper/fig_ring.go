package paper

import (
	"context"
	"fmt"
	"slices"

	"instanton/plot"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/theory"
)

func ringFigure() Figure {
	return Figure{
		Name: "fig-hidden-units-circle", Title: "Hidden units on a ring: in which order they flip",
		Shows: "M = 4 hidden units on a ring, w = 2.2, α = 0.02: the optimal path of 250 steps between the two uniform states, a transition of a simulation with N = 400, " +
			"and the order in which the units flip in many such transitions.",
		Version: 1, Run: runRing,
	}
}

const (
	ringUnits  = 4
	ringWeight = 2.2
	ringSpins  = 400
)

func runRing(ctx context.Context, s Settings) (*Result, error) {
	overlap, err := rbm.Ring(ringUnits, 0.02)
	if err != nil {
		return nil, err
	}
	model := theory.Structured{W: ringWeight, Overlap: overlap}
	l, err := model.Landscape()
	if err != nil {
		return nil, err
	}
	graph, err := l.Graph()
	if err != nil {
		return nil, err
	}
	star := graph.Critical.Points[0]
	m, minus := make([]float64, ringUnits), make([]float64, ringUnits)
	for k := range m {
		m[k], minus[k] = max(star.M[0], -star.M[0]), -max(star.M[0], -star.M[0])
	}
	optima, err := l.Optima(theory.PathProblem{From: m, To: minus, Steps: 250})
	if err != nil {
		return nil, err
	}
	routes, err := graph.CountRoutes(m, minus)
	if err != nil {
		return nil, err
	}
	limit, err := graph.Limit(m, minus)
	if err != nil {
		return nil, err
	}
	s.say("optimal paths found, drawing transitions of %d spins", ringSpins)
	sim, err := simulateRing(ctx, s, model, m[0])
	if err != nil {
		return nil, err
	}
	var r Result
	best, inOrder := optima[0], optima[0]
	for _, p := range optima {
		if orderKind(p.Order) == "around" {
			inOrder = p
			break
		}
	}
	ringClaims(&r, graph, best, inOrder, routes, limit, sim)
	ringTables(&r, best, inOrder, sim)
	r.Draw("", fmt.Sprintf("Four hidden units on a ring. (a) The optimal path of 250 steps; the units flip in the order %s. (b) A transition of AGS with N = 400: the means of the hidden units given the spins; "+
		"the order is %s. (c) The best path in the order of the ring, whose cost exceeds that of (a) by %.1e. (d) Kinds of orders in %d transitions, with the shares of T → ∞ paths.",
		arrows(best.Order), arrows(sim.orders[sim.shown]), inOrder.Action-best.Action, len(sim.paths)), ringPlot(best, inOrder, sim))
	r.Note("A transition at N = 400 has to climb N·0.0573 = 22.9, so that it takes more than 10⁹ steps. Transitions are drawn from their own law instead: from configurations in equilibrium " +
		"in the states with two units flipped AGS is run forwards and, being reversible, backwards.")
	return &r, nil
}

// ringSimulation holds transition paths of N spins on a ring of hidden units.
type ringSimulation struct {
	paths  []reactivePath
	orders [][]int
	shown  int
	hidden [][]float64 // of the path that is shown: the means of the hidden units
}

func simulateRing(ctx context.Context, s Settings, model theory.Structured, m float64) (*ringSimulation, error) {
	shots := 8000
	if s.Quick {
		shots = 1500
	}
	machine, err := rbm.Structured(ringSpins, model.W, model.Overlap)
	if err != nil {
		return nil, err
	}
	kernel, err := sampler.NewGibbs(machine, 1)
	if err != nil {
		return nil, err
	}
	all := model.Overlap.Blocks(ringSpins)
	own := ownBlocks(all)
	deep := 0.6 * m // small blocks vary much
	every := func(b []float64, sign float64) bool {
		for _, k := range own {
			if sign*b[k] < deep {
				return false
			}
		}
		return true
	}
	starts := [][]float64{{1, 1, -1, -1}, {-1, 1, 1, -1}, {-1, -1, 1, 1}, {1, -1, -1, 1}}
	x := &reactive{
		kernel: kernel, blocks: newBlocks(all), seed: s.Seed,
		inA: func(b []float64) bool { return every(b, 1) },
		inB: func(b []float64) bool { return every(b, -1) },
		// The way leads over states with two units flipped, in which AGS does not stay long.
		coordinate: func(b []float64) (sum float64) {
			for _, k := range own {
				sum += b[k] / ringUnits
			}
			return sum
		},
		width:  0.1,
		starts: blockStarts(all, starts), burn: 500, longest: 20_000,
	}
	sim := &ringSimulation{}
	if sim.paths, err = x.draw(ctx, shots); err != nil {
		return nil, err
	}
	if err := enough(sim.paths); err != nil {
		return nil, err
	}
	for k, p := range sim.paths {
		order, _ := flipOrder(p, own)
		sim.orders = append(sim.orders, order)
		if d := abs(len(p.M) - 120); orderKind(order) == "around" && d < abs(len(sim.paths[sim.shown].M)-120) {
			sim.shown = k
		}
	}
	for _, b := range sim.paths[sim.shown].M {
		h := make([]float64, ringUnits)
		for k, block := range all {
			h[block.Mu] += model.W * b[k] * float64(block.Size) / ringSpins
			if block.Nu != block.Mu {
				h[block.Nu] += model.W * b[k] * float64(block.Size) / ringSpins
			}
		}
		sim.hidden = append(sim.hidden, h)
	}
	return sim, nil
}

// flipOrder lists the units by the last time at which their own blocks point up, counted from 1, with
// those times.
func flipOrder(p reactivePath, own []int) (order, times []int) {
	last := make([]int, len(own))
	for mu, k := range own {
		for t, m := range p.M {
			if m[k] > 0 {
				last[mu] = t
			}
		}
		order = append(order, mu+1)
	}
	slices.SortStableFunc(order, func(a, b int) int { return last[a-1] - last[b-1] })
	for _, mu := range order {
		times = append(times, last[mu-1])
	}
	return order, times
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

func ringTables(r *Result, best, inOrder theory.Optimum, sim *ringSimulation) {
	header := []string{"t"}
	for mu := range ringUnits {
		header = append(header, fmt.Sprintf("h%d", mu+1))
	}
	for k, p := range []theory.Optimum{best, inOrder} {
		t := r.Table([]string{"path", "path-in-order"}[k], "Hidden values of an optimal path of 250 steps, order "+arrows(p.Order)+".", header...)
		for k, h := range p.H {
			t.Add(k+1, h[0], h[1], h[2], h[3])
		}
	}
	t := r.Table("simulated", "Means of the hidden units given the spins on a transition of 400 spins.", header...)
	for k, h := range sim.hidden {
		t.Add(k, h[0], h[1], h[2], h[3])
	}
	o := r.Table("orders", "Order of the flips in each transition, with its weight.", "order", "kind", "weight", "steps")
	for k, p := range sim.paths {
		o.Add(arrows(sim.orders[k]), orderKind(sim.orders[k]), p.Weight, len(p.M))
	}
}

func ringPlot(best, inOrder theory.Optimum, sim *ringSimulation) plot.Figure {
	step := plot.Axis{Label: "AGS step $t$"}
	hidden := plot.Axis{Label: "hidden unit $h_μ$"}
	times := func(n, from int) []float64 {
		t := make([]float64, n)
		for k := range t {
			t[k] = float64(k + from)
		}
		return t
	}
	kinds := []string{"around", "both ends", "apart"}
	var y, e []float64
	for _, kind := range kinds {
		p, err := sim.share(kind)
		y, e = append(y, p), append(e, err)
	}
	return plot.Figure{Columns: 2, Width: plot.TwoColumns, Panels: []plot.Panel{
		{X: step, Y: hidden, Series: columns(best.H, times(len(best.H), 1), "h"), Aspect: 0.6},
		{X: step, Y: hidden, Series: columns(sim.hidden, times(len(sim.hidden), 0), "h"), Aspect: 0.6},
		{X: step, Y: hidden, Series: columns(inOrder.H, times(len(inOrder.H), 1), "h"), Aspect: 0.6},
		{X: plot.Axis{Ticks: plot.Categories("1→2→3→4", "1→2→4→3", "1→3→…")}, Y: plot.Axis{Label: "share of transitions", Limits: plot.UpTo(0.8)}, Aspect: 0.6, Series: []plot.Series{
			plot.Bars{Name: "simulation, $N = 400$", X: []float64{0, 1, 2}, Y: y, YErr: e, Color: plot.Blue},
			plot.Points{Name: "theory, $T → ∞$", X: []float64{0, 1, 2}, Y: []float64{0.5, 0.5, 0}, Color: plot.Vermilion, Marker: plot.Diamond, Size: 5},
		}},
	}}
}

// share of the transitions whose units flip in a kind of order, with its standard error.
func (s *ringSimulation) share(kind string) (p, err float64) {
	return share(s.paths, func(k int) bool { return orderKind(s.orders[k]) == kind })
}
