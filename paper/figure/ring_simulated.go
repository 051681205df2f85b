package figure

import (
	"context"
	"slices"

	"instanton/dynamics"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/rbm"
	"instanton/sampler"
)

// ringSimulation holds transition paths of N spins on a ring of hidden units.
type ringSimulation struct {
	paths  []dynamics.TransitionPath
	orders [][]int
	shown  int
	hidden [][]float64 // of the path that is shown and some steps before and after: the means of the hidden units
	before int         // how many before
}

func simulateRing(ctx context.Context, s verdict.Settings, ring *ringTheory) (*ringSimulation, error) {
	shots := 8000
	if s.Quick {
		shots = 1500
	}
	model := ring.model
	machine, err := rbm.Structured(ringSpins, model.W, model.Overlap)
	if err != nil {
		return nil, err
	}
	kernel, err := sampler.NewGibbs(machine, 1)
	if err != nil {
		return nil, err
	}
	all := model.Overlap.Blocks(ringSpins)
	own := dynamics.OwnBlocks(all)
	deep := 0.6 * ring.m // small blocks vary much
	every := func(b []float64, sign float64) bool {
		for _, k := range own {
			if sign*b[k] < deep {
				return false
			}
		}
		return true
	}
	starts := [][]float64{{1, 1, -1, -1}, {-1, 1, 1, -1}, {-1, -1, 1, 1}, {1, -1, -1, 1}}
	x := &dynamics.Transition{
		Kernel: kernel, Blocks: dynamics.NewBlocks(all), Seed: s.Seed,
		InA: func(b []float64) bool { return every(b, 1) },
		InB: func(b []float64) bool { return every(b, -1) },
		// The way leads over states with two units flipped, in which AGS does not stay long.
		Coordinate: func(b []float64) (sum float64) {
			for _, k := range own {
				sum += b[k] / ringUnits
			}
			return sum
		},
		Width:  0.1,
		Starts: dynamics.BlockStates(all, starts), Burn: 500, Longest: 20_000,
	}
	sim := &ringSimulation{before: 20}
	if sim.paths, err = x.Draw(ctx, shots); err != nil {
		return nil, err
	}
	if err := enough(sim.paths); err != nil {
		return nil, err
	}
	for _, p := range sim.paths {
		order, _ := flipOrder(&p.Trace, own)
		sim.orders = append(sim.orders, order)
	}
	sim.shown = nearest(sim.paths, 120, func(k int) bool { return orderKind(sim.orders[k]) == "around" })
	path := sim.paths[sim.shown]
	before, err := x.Extend(ctx, path.First, sim.before, s.Seed+3)
	if err != nil {
		return nil, err
	}
	after, err := x.Extend(ctx, path.Last, sim.before, s.Seed+4)
	if err != nil {
		return nil, err
	}
	slices.Reverse(before)
	for _, b := range slices.Concat(before, path.Rows(), after) {
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
func flipOrder(path *dynamics.Trace, own []int) (order, times []int) {
	last := make([]int, len(own))
	m := make([]float64, path.Blocks())
	for t := range path.Len() {
		path.Read(m, t)
		for mu, k := range own {
			if m[k] > 0 {
				last[mu] = t
			}
		}
	}
	for mu := range own {
		order = append(order, mu+1)
	}
	slices.SortStableFunc(order, func(a, b int) int { return last[a-1] - last[b-1] })
	for _, mu := range order {
		times = append(times, last[mu-1])
	}
	return order, times
}

// share of the transitions whose units flip in a kind of order, with its standard error.
func (s *ringSimulation) share(kind string) (p, err float64) {
	return dynamics.Share(s.paths, func(k int) bool { return orderKind(s.orders[k]) == kind })
}

// panel is (b).
func (s *ringSimulation) panel() plot.Panel { return hiddenPanel(s.hidden, -s.before) }

// ordersPanel is (d).
func (s *ringSimulation) ordersPanel(ring *ringTheory) plot.Panel {
	var x, y, e, routes []float64
	for k, kind := range []string{"around", "both ends", "apart"} {
		p, err := s.share(kind)
		x, y, e = append(x, float64(k)), append(y, p), append(e, err)
		routes = append(routes, float64(ring.routesOf(kind))/float64(len(ring.routes)))
	}
	return plot.Panel{X: plot.Axis{Label: "order of the flips", Ticks: plot.Categories("1→2→3→4", "1→2→4→3", "1→3→…")},
		Y:      plot.Axis{Label: "share of transitions", Limits: plot.Between(0, 0.8)},
		Aspect: 0.6, Series: []plot.Series{
			plot.Bars{Name: "simulation, $N = 400$", X: x, Y: y, YErr: e, Color: plot.Blue},
			plot.Points{Name: "theory, $T → ∞$", X: x, Y: routes, Color: plot.Vermilion, Marker: plot.Diamond, Size: 5},
		}}
}
