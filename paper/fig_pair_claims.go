package paper

import (
	"math"

	"instanton/plot"
	"instanton/theory"
)

func abs(n int) int { return max(n, -n) }

func pairTables(r *Result, green, red *theory.Path, blue *pairSimulation) {
	t := r.Table("paths", "Green and red path of 100 steps.", "t", "green m11", "green m22", "green f", "green Φ", "red m11 = m22", "red f", "red Φ")
	_, g := along(green)
	_, d := along(red)
	for k := range green.M {
		t.Add(k, green.M[k][0], green.M[k][1], green.F[k], g[k], red.M[k][0], red.F[k], d[k])
	}
	b := r.Table("blue", "The transition of 400 spins: magnetizations of the areas 11, 12 and 22.", "step", "m11", "m12", "m22")
	for k, m := range blue.paths[blue.shown].M {
		b.Add(k, m[0], m[1], m[2])
	}
}

func pairPlot(l *theory.Landscape, m float64, green, red *theory.Path, blue *pairSimulation) (plot.Figure, error) {
	const n = 161
	z := make([][]float64, n)
	for j := range z {
		z[j] = make([]float64, n)
		for i := range z[j] {
			f, err := l.FreeEnergy([]float64{-0.999 + 1.998*float64(i)/(n-1), -0.999 + 1.998*float64(j)/(n-1)})
			if err != nil {
				return plot.Figure{}, err
			}
			z[j][i] = f
		}
	}
	const around = 100 // steps in the states before and after
	end := blue.begin + len(blue.paths[blue.shown].M)
	path := blue.long[max(0, blue.begin-around):min(len(blue.long), end+around)]
	stride := max(1, len(path)/3000)
	var bx, by []float64
	for t := 0; t < len(path); t += stride {
		bx, by = append(bx, path[t][0]), append(by, path[t][2])
	}
	gx, gy, rx := column(green.M, 0), column(green.M, 1), column(red.M, 0)
	side := [2]float64{-1, 1}
	t := make([]float64, len(green.M))
	for k := range t {
		t[k] = float64(k)
	}
	_, gp := along(green)
	_, rp := along(red)
	var time, m1, m2 []float64
	for k := 0; k < len(blue.long); k += 50 {
		time, m1, m2 = append(time, float64(k)/1e4), append(m1, blue.long[k][0]), append(m2, blue.long[k][2])
	}
	step := plot.Axis{Label: "AGS step $t$"}
	return plot.Figure{Columns: 2, Width: plot.TwoColumns, Panels: []plot.Panel{
		{X: plot.Axis{Label: "$m_{11}$"}, Y: plot.Axis{Label: "$m_{22}$"}, Legend: plot.LegendNone, Aspect: 0.8, Series: []plot.Series{
			plot.Heatmap{Z: z, X: side, Y: side, Bar: plot.Axis{Label: "$f(m)$", Limits: plot.UpTo(-0.65)}, Map: plot.Greys},
			plot.Line{X: bx, Y: by, Color: plot.SkyBlue, Width: 0.5},
			plot.Line{X: rx, Y: rx, Color: plot.Vermilion, Width: 1.6},
			plot.Line{X: gx, Y: gy, Color: plot.Green, Width: 1.6},
			plot.Points{X: []float64{m, -m}, Y: []float64{m, -m}, Color: plot.Black, Marker: plot.Disc},
		}},
		{X: step, Y: plot.Axis{Label: "$f(m^t)$"}, Aspect: 0.8, Series: []plot.Series{
			plot.Line{Name: "optimal", X: t, Y: green.F, Color: plot.Green}, plot.Line{Name: "both units together", X: t, Y: red.F, Color: plot.Vermilion}}},
		{X: step, Y: plot.Axis{Label: "$Φ$"}, Aspect: 0.8, Series: []plot.Series{
			plot.Line{Name: "optimal", X: t, Y: gp, Color: plot.Green}, plot.Line{Name: "both units together", X: t, Y: rp, Color: plot.Vermilion}}},
		{X: plot.Axis{Label: "AGS step / $10^4$"}, Y: plot.Axis{Label: "$m_{11}$, $m_{22}$", Limits: plot.Between(-1.1, 1.1)}, Aspect: 0.8, Legend: plot.LegendAbove, Series: []plot.Series{
			plot.Line{Name: "$m_{11}$", X: time, Y: m1, Color: plot.Blue, Width: 0.6}, plot.Line{Name: "$m_{22}$", X: time, Y: m2, Color: plot.Orange, Width: 0.6}}},
	}}, nil
}

// column is a component of a sequence of vectors.
func column(rows [][]float64, c int) []float64 {
	x := make([]float64, len(rows))
	for k := range rows {
		x[k] = rows[k][c]
	}
	return x
}

func pairClaims(r *Result, model theory.Structured, at pairStates, green, red *theory.Path, blue *pairSimulation) error {
	r.Claim(Claim{
		Name: "landscape", Where: "figure Curie-Weiss_2D (a)",
		Statement: "The landscape has two global and two local minima.",
		Criterion: "critical points: 2 + 2 minima, 4 saddles, 1 maximum",
		Measured: []Measured{{Name: "f of the global minima", Value: at.Aligned.F}, {Name: "f of the local minima", Value: at.Mixed.F},
			{Name: "f of the saddles", Value: at.Saddle.F}, {Name: "f of the maximum", Value: at.Top.F}},
		Verdict: Judge(at.Aligned.Copies == 2 && at.Mixed.Copies == 2 && at.Saddle.Copies == 4 && at.Top.Copies == 1 && at.Aligned.F < at.Mixed.F),
	})
	r.Claim(Claim{
		Name: "asymmetric", Where: "figure Curie-Weiss_2D (a)",
		Statement: "On the optimal path the two units behave differently; paths on which they are equal have exponentially smaller probability.",
		Criterion: "Φ of the red path exceeds that of the green one",
		Measured:  []Measured{{Name: "Φ green", Value: green.Action}, {Name: "Φ red", Value: red.Action}, {Name: "log of the ratio of probabilities, N = 400", Value: 400 * (red.Action - green.Action)}},
		Verdict:   Judge(red.Action > green.Action+1e-6),
	})
	first, second := at.Saddle.F-at.Aligned.F, at.Saddle.F-at.Mixed.F
	top := at.Top.F - at.Aligned.F
	r.Claim(Claim{
		Name: "sum-of-barriers", Where: "figure Curie-Weiss_2D (b), (c)",
		Statement: "The cost of green and red is the sum of the barriers that they climb.",
		Criterion: "within 1e-3 relative for green, whose length matters little at T = 100, and within 1e-3 for red",
		Measured: []Measured{{Name: "barriers on green", Value: first + second}, {Name: "Φ green", Value: green.Action},
			{Name: "barrier on red", Value: top}, {Name: "Φ red", Value: red.Action}},
		Verdict: Judge(math.Abs(green.Action/(first+second)-1) < 1e-3 && math.Abs(red.Action/top-1) < 1e-3),
	})
	one, err := share(blue.paths, func(k int) bool { return restsBetween(blue.paths[k], at.Mixed.M) })
	r.Claim(Claim{
		Name: "one-by-one", Where: "figure Curie-Weiss_2D (a), blue path",
		Statement: "In simulations with N = 400, too, hidden units are preferentially flipped one after the other.",
		Criterion: "more than half of the transitions rest in a local minimum on the way, by two standard errors",
		Measured:  []Measured{{Name: "share that rests in a local minimum", Value: one, Error: err}, {Name: "transition paths", Value: float64(len(blue.paths))}},
		Verdict:   Judge(one-2*err > 0.5),
	})
	return waitingClaim(r, model, blue)
}

// restsBetween tells whether a path comes to a local minimum, where one unit has flipped.
func restsBetween(p reactivePath, mixed []float64) bool {
	deep := 0.8 * math.Abs(mixed[0])
	for _, m := range p.M {
		if m[0]*m[2] < 0 && math.Abs(m[0]) > deep && math.Abs(m[2]) > deep {
			return true
		}
	}
	return false
}

// waitingClaim compares the length of the paper's simulation with the exact time of a transition.
func waitingClaim(r *Result, model theory.Structured, blue *pairSimulation) error {
	chain, err := model.HiddenChain(blue.spins, 1e-6)
	if err != nil {
		return err
	}
	wait, err := chain.Passage()
	if err != nil {
		return err
	}
	var length, all float64
	for _, p := range blue.paths {
		length, all = length+p.Weight*float64(len(p.M)), all+p.Weight
	}
	r.Claim(Claim{
		Name: "in-1e5-steps", Where: "figure Curie-Weiss_2D, caption",
		Statement: "The blue path, a transition between the global minima, is representative of 10⁵ steps of AGS with N = 400.",
		Criterion: "at least one transition is to be expected in 10⁵ steps, by the exact mean first-passage time",
		Measured:  []Measured{{Name: "mean first-passage time", Value: wait}, {Name: "transitions to be expected in 10⁵ steps", Value: 1e5 / wait}},
		Verdict:   Judge(wait < 1e5),
		Correction: "with these parameters a run of 10⁵ steps sees a transition once in thousands of runs; the path drawn here is taken from the law of transition " +
			"paths, not waited for.",
	})
	r.Claim(Claim{
		Name: "fast-but-rare", Where: "conclusion",
		Statement: "The system spends nearly all of the time trying to escape; transitions are fast when they come.",
		Criterion: "a transition path is less than a hundredth as long as the wait for it",
		Measured:  []Measured{{Name: "mean length of a transition path", Value: length / all}, {Name: "mean first-passage time", Value: wait}},
		Verdict:   Judge(length/all < wait/100),
	})
	return nil
}
