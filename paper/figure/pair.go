package figure

import (
	"context"
	"fmt"
	"math"

	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/rbm"
	"instanton/theory"
)

func pairFigure() verdict.Figure {
	return verdict.Figure{
		Name: "fig-curie-weiss-2d", Title: "Two coupled hidden units: one flips after the other",
		Shows: "M = 2, w = 1.15√2, α₁₂ = 0.02. The landscape of the two magnetizations with the optimal path of 100 " +
			"steps (green), the best path on which both units " +
			"move together (red) and a transition of a simulation with N = 400 (blue); free energy and " +
			"cost along them.",
		Version: 2, Run: runPair,
	}
}

// pairTheory is the model of the figure in the limit N → ∞, with its optimal paths of 100 steps.
type pairTheory struct {
	model theory.Structured
	*theory.Landscape
	m                           float64              // the global minima are at (m, m) and (−m, −m)
	aligned, mixed, saddle, top theory.CriticalPoint // global and local minima, saddles and the maximum
	green, red                  *theory.Path         // the best path, and the best with both units equal
}

// pairModel is the model of the figure.
func pairModel() (theory.Structured, error) {
	o, err := rbm.AllToAll(2, 0.02)
	return theory.Structured{W: 1.15 * math.Sqrt2, Overlap: o}, err
}

func solvePair() (*pairTheory, error) {
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
	p := &pairTheory{model: model, Landscape: l}
	for _, c := range critical.Points {
		switch {
		case c.Index == 0 && c.M[0]*c.M[1] > 0:
			p.aligned = c
		case c.Index == 0:
			p.mixed = c
		case c.Index == 1:
			p.saddle = c
		case c.Index == 2:
			p.top = c
		}
	}
	p.m = math.Abs(p.aligned.M[0])
	problem := theory.PathProblem{From: []float64{p.m, p.m}, To: []float64{-p.m, -p.m}, Steps: 100}
	if p.green, err = l.OptimalPath(problem); err != nil {
		return nil, err
	}
	tied, err := l.Tied([]int{1, 2})
	if err != nil {
		return nil, err
	}
	problem.From, problem.To = problem.From[:1], problem.To[:1]
	p.red, err = tied.OptimalPath(problem)
	return p, err
}

func runPair(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	p, err := solvePair()
	if err != nil {
		return nil, err
	}
	s.Progress("optimal paths found, drawing transitions of %d spins", pairSpins)
	sim, err := simulatePair(ctx, s, p)
	if err != nil {
		return nil, err
	}
	panels, err := p.panels(sim)
	if err != nil {
		return nil, err
	}
	var r verdict.Result
	p.tables(&r, sim)
	wait := ""
	if blue := sim.blue; blue.cut > 0 {
		wait = fmt.Sprintf("; %d of the steps that it waits in the local minimum are left out at t = %d (dotted)",
			blue.cut, cutAt)
	}
	r.Draw("",
		fmt.Sprintf("Two hidden units, w = 1.15√2, α₁₂ = 0.02. (a) Free energy over the magnetizations of the two "+
			"areas. Green: the optimal path between the global minima in 100 steps. "+
			"Red: the best path with equal magnetizations. Blue: a transition of AGS with N = 400 spins. (b) Free "+
			"energy of (a) along them; of blue the steps around its two passages are shown%s. "+
			"(c) Their cost so far. That of blue counts its climbs, as the action of a long optimal path does: the "+
			"highest f since it was last in a state less f of the state, "+
			"here %.4f in all, %.4f ± %.4f on the average over %d transitions (green %.4f). The action of its "+
			"single steps says little: their noise costs about 3/(2N) each, "+
			"and %d steps sum up to %.4g. (d) The simulation over 10⁵ steps: long waits, short transitions.",
			wait, sim.blue.Cost, sim.meanCost, sim.meanCostError, len(sim.paths), p.green.Action,
			sim.paths[sim.shown].Len()-1, sim.blue.Literal),
		plot.Figure{Columns: 2, Width: plot.TwoColumns, Panels: append(panels, sim.panel())})
	r.Values = sim.values()
	return &r, pairClaims(&r, p, sim)
}

func (p *pairTheory) tables(r *verdict.Result, sim *pairSimulation) {
	t := r.Table("paths", "Green and red path of 100 steps.", "t", "green m11", "green m22", "green f", "green Φ",
		"red m11 = m22", "red f", "red Φ")
	_, g := along(p.green)
	_, d := along(p.red)
	for k := range p.green.M {
		t.Add(k, p.green.M[k][0], p.green.M[k][1], p.green.F[k], g[k], p.red.M[k][0], p.red.F[k], d[k])
	}
	b := r.Table("blue",
		"The transition of 400 spins: magnetizations of the areas 11, 12 and 22, free energy over the first and the "+
			"last, cost of the climbs so far.", "step", "m11", "m12", "m22", "f", "Φ")
	end := sim.begin + sim.paths[sim.shown].Len()
	for k := sim.begin; k < end; k++ {
		m := sim.long[k]
		b.Add(k-sim.begin, m[0], m[1], m[2], p.height(m), sim.blue.climbed[k-sim.begin])
	}
	w := r.Table("blue-drawn", "What (b) and (c) show of it.", "t", "step", "f", "Φ")
	for k, step := range sim.blue.steps {
		w.Add(sim.blue.t[k], step-sim.begin, sim.blue.f[k], sim.blue.cost[k])
	}
}

// panels are (a), (b) and (c), without a simulation if it is nil.
func (p *pairTheory) panels(sim *pairSimulation) ([]plot.Panel, error) {
	const n = 161
	z := make([][]float64, n)
	for j := range z {
		z[j] = make([]float64, n)
		for i := range z[j] {
			f, err := p.FreeEnergy([]float64{-0.999 + 1.998*float64(i)/(n-1), -0.999 + 1.998*float64(j)/(n-1)})
			if err != nil {
				return nil, err
			}
			z[j][i] = f
		}
	}
	t, side := stepsFrom(len(p.green.M), 0), [2]float64{-1, 1}
	rx := column(p.red.M, 0)
	_, greenCost := along(p.green)
	_, redCost := along(p.red)
	const green, red, blue = "optimal", "units equal", "simulation"
	landscape := []plot.Series{plot.Heatmap{Z: z, X: side, Y: side,
		Bar: plot.Axis{Label: "$f(m)$", Limits: plot.UpTo(-0.65)}, Map: plot.Greys}}
	var energies, costs []plot.Series
	if sim != nil {
		x, y := sim.around()
		landscape = append(landscape, plot.Line{X: x, Y: y, Color: plot.SkyBlue, Width: 0.5})
		energies = append(energies, plot.Line{Name: blue, X: sim.blue.t, Y: sim.blue.f, Color: plot.SkyBlue,
			Width: 0.8})
		if sim.blue.cut > 0 {
			energies = append(energies, plot.VLine{At: cutAt, Dash: plot.Dotted})
			costs = append(costs, plot.VLine{At: cutAt, Dash: plot.Dotted})
		}
		costs = append(costs, plot.Line{Name: blue, X: sim.blue.t, Y: sim.blue.cost, Color: plot.SkyBlue, Width: 0.8})
	}
	landscape = append(landscape, plot.Line{X: rx, Y: rx, Color: plot.Vermilion, Width: 1.6},
		plot.Line{X: column(p.green.M, 0), Y: column(p.green.M, 1), Color: plot.Green,
			Width: 1.6},
		plot.Points{X: []float64{p.m, -p.m}, Y: []float64{p.m, -p.m}, Color: plot.Black, Marker: plot.Disc})
	energies = append(energies, plot.Line{Name: red, X: t, Y: p.red.F, Color: plot.Vermilion},
		plot.Line{Name: green, X: t, Y: p.green.F, Color: plot.Green})
	costs = append(costs, plot.Line{Name: red, X: t, Y: redCost, Color: plot.Vermilion},
		plot.Line{Name: green, X: t, Y: greenCost, Color: plot.Green})
	step := plot.Axis{Label: "AGS step $t$"}
	return []plot.Panel{
		{X: plot.Axis{Label: "$m_{11}$"}, Y: plot.Axis{Label: "$m_{22}$"}, Legend: plot.LegendNone, Aspect: 0.8,
			Series: landscape},
		{X: step, Y: plot.Axis{Label: "$f(m^t)$"}, Aspect: 0.8, Legend: plot.LegendAbove, Series: energies},
		{X: step, Y: plot.Axis{Label: "$Φ$"}, Aspect: 0.8, Legend: plot.LegendAbove, Series: costs},
	}, nil
}
