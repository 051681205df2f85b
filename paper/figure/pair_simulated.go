package figure

import (
	"context"
	"math"
	"slices"

	"instanton/dynamics"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/theory"
)

const (
	pairSpins = 400
	pairSteps = 100_000
)

// pairSimulation holds transition paths of N spins.
type pairSimulation struct {
	paths []dynamics.TransitionPath
	shown int         // the path that is drawn
	long  [][]float64 // block magnetizations over 10⁵ steps, with that path in the middle
	begin int         // where the path begins in long
	blue  bluePath

	meanCost, meanCostError float64 // of the climbs on all paths
}

// simulatePair draws transition paths from (m, m) to (−m, −m).
func simulatePair(ctx context.Context, s verdict.Settings, p *pairTheory) (*pairSimulation, error) {
	shots := 2000
	if s.Quick {
		shots = 120
	}
	machine, err := rbm.Structured(pairSpins, p.model.W, p.model.Overlap)
	if err != nil {
		return nil, err
	}
	kernel, err := sampler.NewGibbs(machine, 1)
	if err != nil {
		return nil, err
	}
	all := p.model.Overlap.Blocks(pairSpins)
	own := dynamics.OwnBlocks(all)
	deep := 0.8 * p.m
	x := &dynamics.Transition{
		Kernel: kernel, Blocks: dynamics.NewBlocks(all), Seed: s.Seed,
		InA: func(b []float64) bool { return b[own[0]] > deep && b[own[1]] > deep },
		InB: func(b []float64) bool { return b[own[0]] < -deep && b[own[1]] < -deep },
		// The unit that flips first, at the first saddle; narrower there than P(v) itself.
		Coordinate: func(b []float64) float64 { return min(b[own[0]], b[own[1]]) },
		Middle:     slices.Min(upper(p.saddle).M), Width: 0.1,
		Starts: dynamics.BlockStates(all, [][]float64{{0, 1}, {1, 0}}), Burn: 1000, Longest: 200_000,
	}
	sim := &pairSimulation{}
	if sim.paths, err = x.Draw(ctx, shots); err != nil {
		return nil, err
	}
	if err := enough(sim.paths); err != nil {
		return nil, err
	}
	sim.shown = nearest(sim.paths, 3000, func(int) bool { return true }) // of middling length
	path := sim.paths[sim.shown]
	spare := max(0, pairSteps-path.Len())
	before, err := x.Extend(ctx, path.First, spare/2, s.Seed+3)
	if err != nil {
		return nil, err
	}
	after, err := x.Extend(ctx, path.Last, spare-spare/2, s.Seed+4)
	if err != nil {
		return nil, err
	}
	slices.Reverse(before)
	sim.begin = len(before)
	sim.long = slices.Concat(before, path.Rows(), after)
	sim.blue = sim.follow(p)
	costs := make([]float64, len(sim.paths))
	for k, path := range sim.paths {
		climbed := p.climbs(path.Rows())
		costs[k] = climbed[len(climbed)-1]
	}
	sim.meanCost, sim.meanCostError = dynamics.Mean(sim.paths, func(k int) float64 { return costs[k] })
	return sim, nil
}

// upper is the copy of a critical point under the reversal of all units that lies nearer to all up.
func upper(p theory.CriticalPoint) theory.CriticalPoint {
	sum := 0.0
	for _, m := range p.M {
		sum += m
	}
	p.M = slices.Clone(p.M)
	if sum < 0 {
		for k := range p.M {
			p.M[k] = -p.M[k]
		}
	}
	return p
}

// around is the path over the two magnetizations with some steps in the states before and after.
func (s *pairSimulation) around() (x, y []float64) {
	const more = 100
	end := s.begin + s.paths[s.shown].Len()
	path := s.long[max(0, s.begin-more):min(len(s.long), end+more)]
	stride := max(1, len(path)/3000)
	for t := 0; t < len(path); t += stride {
		x, y = append(x, path[t][0]), append(y, path[t][2])
	}
	return x, y
}

// panel is the whole run.
func (s *pairSimulation) panel() plot.Panel {
	var time, m1, m2 []float64
	for k := 0; k < len(s.long); k += 50 {
		time, m1, m2 = append(time, float64(k)/1e4), append(m1, s.long[k][0]), append(m2, s.long[k][2])
	}
	return plot.Panel{X: plot.Axis{Label: "AGS step / $10^4$", Limits: plot.Between(0, pairSteps/1e4)},
		Y: plot.Axis{Label: "$m_{11}$, $m_{22}$", Limits: plot.Between(-1.1, 1.1)}, Aspect: 0.8,
		Legend: plot.LegendAbove, Series: []plot.Series{
			plot.Line{Name: "$m_{11}$", X: time, Y: m1, Color: plot.Blue, Width: 0.6},
			plot.Line{Name: "$m_{22}$", X: time, Y: m2, Color: plot.Orange, Width: 0.6}}}
}

// values are the numbers of the simulation for data.json.
func (s *pairSimulation) values() any {
	return struct {
		Spins         int     `json:"spins"`
		Paths         int     `json:"transition_paths"`
		MeanCost      float64 `json:"mean_cost_of_climbs"`
		MeanCostError float64 `json:"mean_cost_of_climbs_error"`
		Steps         int     `json:"blue_steps"`
		Cost          float64 `json:"blue_cost_of_climbs"`
		Literal       float64 `json:"blue_action_of_its_steps"`
		Noise         float64 `json:"action_of_the_noise_of_a_step"`
	}{
		pairSpins, len(s.paths), s.meanCost, s.meanCostError,
		s.paths[s.shown].Len() - 1, s.blue.Cost, s.blue.Literal, 3.0 / (2 * pairSpins),
	}
}

// rest is the first and the last step of a path at a local minimum, where one unit has flipped; ok tells whether
// it comes there at all.
func (p *pairTheory) rest(path [][]float64) (first, last int, ok bool) {
	deep := 0.8 * math.Abs(p.mixed.M[0])
	for t, m := range path {
		if m[0]*m[2] < 0 && math.Abs(m[0]) > deep && math.Abs(m[2]) > deep {
			if !ok {
				first, ok = t, true
			}
			last = t
		}
	}
	return first, last, ok
}
