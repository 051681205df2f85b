package paper

import (
	"context"
	"math"
	"slices"

	"instanton/rbm"
	"instanton/sampler"
	"instanton/theory"
)

func pairFigure() Figure {
	return Figure{
		Name: "fig-curie-weiss-2d", Title: "Two coupled hidden units: one flips after the other",
		Shows: "M = 2, w = 1.15√2, α₁₂ = 0.02. The landscape of the two magnetizations with the optimal path of 100 steps (green), the best path on which both units " +
			"move together (red) and a transition of a simulation with N = 400 (blue).",
		Version: 1, Run: runPair,
	}
}

// pairModel is the model of the figure.
func pairModel() (theory.Structured, error) {
	o, err := rbm.AllToAll(2, 0.02)
	return theory.Structured{W: 1.15 * math.Sqrt2, Overlap: o}, err
}

// pairStates are the critical points that the figure names.
type pairStates struct {
	Aligned, Mixed, Saddle, Top theory.CriticalPoint
}

func runPair(ctx context.Context, s Settings) (*Result, error) {
	model, err := pairModel()
	if err != nil {
		return nil, err
	}
	l, err := model.Landscape()
	if err != nil {
		return nil, err
	}
	critical, err := l.CriticalPoints()
	if err != nil {
		return nil, err
	}
	var at pairStates
	for _, p := range critical.Points {
		switch {
		case p.Index == 0 && p.M[0]*p.M[1] > 0:
			at.Aligned = p
		case p.Index == 0:
			at.Mixed = p
		case p.Index == 1:
			at.Saddle = p
		case p.Index == 2:
			at.Top = p
		}
	}
	m := math.Abs(at.Aligned.M[0])
	problem := theory.PathProblem{From: []float64{m, m}, To: []float64{-m, -m}, Steps: 100}
	green, err := l.OptimalPath(problem)
	if err != nil {
		return nil, err
	}
	tied, err := l.Tied([]int{1, 2})
	if err != nil {
		return nil, err
	}
	problem.From, problem.To = []float64{m}, []float64{-m}
	red, err := tied.OptimalPath(problem)
	if err != nil {
		return nil, err
	}
	s.say("optimal paths found, drawing transitions of 400 spins")
	blue, err := simulatePair(ctx, s, model, m, upper(at.Saddle))
	if err != nil {
		return nil, err
	}
	var r Result
	pairTables(&r, green, red, blue)
	figure, err := pairPlot(l, m, green, red, blue)
	if err != nil {
		return nil, err
	}
	r.Draw("", "Two hidden units, w = 1.15√2, α₁₂ = 0.02. (a) Free energy over the magnetizations of the two areas. Green: the optimal path between the global minima in 100 steps. "+
		"Red: the best path with equal magnetizations. Blue: a transition of AGS with N = 400 spins. (b) Free energy along green and red. (c) Their cost so far. "+
		"(d) The simulation over 10⁵ steps: long waits, short transitions.", figure)
	r.Note("At N = 400 a transition takes 5.8·10⁸ steps on the average, so none is to be expected in 10⁵. The blue path is drawn from the law of transition paths: configurations " +
		"in equilibrium near the first saddle, from which AGS is run forwards and, being reversible, backwards; then on for 10⁵ steps in all.")
	return &r, pairClaims(&r, model, at, green, red, blue)
}

// pairSimulation holds transition paths of N spins.
type pairSimulation struct {
	spins, steps int
	shots        int
	paths        []reactivePath
	shown        int // the path that is drawn
	long         [][]float64
	begin        int     // where the path begins in long
	m            float64 // of the states
}

// simulatePair draws transition paths from (m, m) to (−m, −m).
func simulatePair(ctx context.Context, s Settings, model theory.Structured, m float64, saddle theory.CriticalPoint) (*pairSimulation, error) {
	sim := &pairSimulation{spins: 400, steps: 100_000, shots: 2000, m: m}
	if s.Quick {
		sim.shots = 120
	}
	machine, err := rbm.Structured(sim.spins, model.W, model.Overlap)
	if err != nil {
		return nil, err
	}
	kernel, err := sampler.NewGibbs(machine, 1)
	if err != nil {
		return nil, err
	}
	all := model.Overlap.Blocks(sim.spins)
	own := ownBlocks(all)
	deep := 0.8 * m
	x := &reactive{
		kernel: kernel, blocks: newBlocks(all), seed: s.Seed,
		inA: func(b []float64) bool { return b[own[0]] > deep && b[own[1]] > deep },
		inB: func(b []float64) bool { return b[own[0]] < -deep && b[own[1]] < -deep },
		// The unit that flips first, at the first saddle; narrower there than P(v) itself.
		coordinate: func(b []float64) float64 { return min(b[own[0]], b[own[1]]) },
		middle:     slices.Min(saddle.M), width: 0.1,
		starts: blockStarts(all, [][]float64{{0, 1}, {1, 0}}), burn: 1000, longest: 200_000,
	}
	if sim.paths, err = x.draw(ctx, sim.shots); err != nil {
		return nil, err
	}
	if err := enough(sim.paths); err != nil {
		return nil, err
	}
	for k, p := range sim.paths { // one of middling length
		if d := len(p.M) - 3000; abs(d) < abs(len(sim.paths[sim.shown].M)-3000) {
			sim.shown = k
		}
	}
	p := sim.paths[sim.shown]
	spare := max(0, sim.steps-len(p.M))
	before, err := x.extend(ctx, p.first, spare/2, s.Seed+3)
	if err != nil {
		return nil, err
	}
	after, err := x.extend(ctx, p.last, spare-spare/2, s.Seed+4)
	if err != nil {
		return nil, err
	}
	for t := len(before) - 1; t >= 0; t-- {
		sim.long = append(sim.long, before[t])
	}
	sim.begin = len(sim.long)
	sim.long = append(append(sim.long, p.M...), after...)
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
