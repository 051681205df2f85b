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

func latentFigure() verdict.Figure {
	return verdict.Figure{
		Name: "fig-mh", Title: "The barrier in hidden space",
		Shows: "Five hidden units, w = 1.2√5, the same overlap α between every two. The potential that one hidden " +
			"unit sees when the others are frozen in a state, and what " +
			"it costs to flip it: by a move in hidden space to the flipped minimum, or just across h = 0 (Δe_MH as " +
			"the paper defines it), and Δf by AGS.",
		Version: 3, Run: runLatent,
	}
}

// fiveUnits is the model of the figure with a given overlap.
func fiveUnits(alpha float64) (*theory.Landscape, error) {
	overlap, err := rbm.AllToAll(5, alpha)
	if err != nil {
		return nil, err
	}
	return theory.Structured{W: 1.2 * math.Sqrt(5), Overlap: overlap}.Landscape()
}

// latentPoint is what one overlap gives.
type latentPoint struct {
	alpha   float64
	barrier *theory.LatentBarrier
	star    float64 // hidden value of the state with all units up
	ags     float64 // Δf to the state with one unit flipped, NaN where that is not a state
	minima  int     // of f
}

func latentAt(alpha float64) (latentPoint, error) {
	p := latentPoint{alpha: alpha, ags: math.NaN()}
	l, err := fiveUnits(alpha)
	if err != nil {
		return p, err
	}
	graph, err := l.Graph()
	if err != nil {
		return p, err
	}
	p.minima = len(graph.Minima)
	state := func(down int) (theory.CriticalPoint, bool) {
		for _, x := range graph.Minima {
			n := 0
			for mu, m := range x.M {
				if m < 0 && mu == 0 {
					n++
				} else if m < 0 {
					n += 10
				}
			}
			if n == down {
				return x, true
			}
		}
		return theory.CriticalPoint{}, false
	}
	up, ok := state(0)
	if !ok {
		return p, fmt.Errorf("α = %g: there is no state with all units up", alpha)
	}
	p.star = up.H[0]
	if p.barrier, err = l.Latent(up.H, 1); err != nil {
		return p, err
	}
	if flipped, ok := state(1); ok {
		route, err := graph.Cheapest(up.M, flipped.M)
		if err != nil {
			return p, err
		}
		p.ags = route.Barrier
	}
	return p, nil
}

func runLatent(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	var r verdict.Result
	printed, err := latentAt(0.03)
	if err != nil {
		return nil, err
	}
	small, err := latentAt(0.003)
	if err != nil {
		return nil, err
	}
	table := r.Table("barriers", "What it costs to flip one hidden unit of five, N → ∞ and at N = 1000.", "α",
		"minima of e", "to the flipped minimum", "Δe_MH", "Δe_MH, N = 1000", "Δf")
	table.Shown = true
	var alphas, flipped, mh, ags []float64
	for _, alpha := range []float64{0, 0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.0066, 0.01, 0.03} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, err := latentAt(alpha)
		if err != nil {
			return nil, err
		}
		finite, err := p.barrier.Finite(1000, 1)
		if err != nil {
			return nil, err
		}
		if math.IsNaN(p.ags) {
			table.Add(alpha, len(p.barrier.Minima), "", p.barrier.Limit, finite, "")
			continue
		}
		table.Add(alpha, len(p.barrier.Minima), p.barrier.Flipped, p.barrier.Limit, finite, p.ags)
		alphas, flipped = append(alphas, alpha), append(flipped, p.barrier.Flipped)
		mh, ags = append(mh, p.barrier.Limit), append(ags, p.ags)
	}
	r.Draw("",
		"Five hidden units, w = 1.2√5. (a) Potential of one unit with the others in the state with all units up, at "+
			"α = 0.003, with its two minima. (b) The same with α = 0.03, as printed: one minimum. "+
			"(c) Cost of flipping the unit in hidden space, to the flipped minimum, and by AGS; the state with one "+
			"unit flipped exists up to α = 0.0067. Dashed: Δe_MH with the sides divided at h = 0, as printed. From "+
			"about α = 0.005 on it is the cost of values just below h = 0, which is less than that of the flipped "+
			"minimum.",
		latentPlot(small, printed, alphas, flipped, mh, ags))
	threshold, err := latentThreshold()
	if err != nil {
		return nil, err
	}
	below, edge := 0, alphas[len(alphas)-1] // how many overlaps from the smallest on
	for k, alpha := range alphas {
		if flipped[k] < ags[k] && below == k {
			below++
		}
		if mh[k] < flipped[k]-1e-9 {
			edge = min(edge, alpha)
		}
	}
	r.Claim(verdict.Claim{
		Name: "two-minima", Where: "figure MH",
		Statement: "With w = 1.2√5 and α = 0.03 the potential of a hidden unit, the others frozen, has two minima.",
		Criterion: "two minima at α = 0.03 with the others frozen in a minimum of f; with a correction, at α = 0.003",
		Measured: []verdict.Measured{{Name: "minima, α = 0.03", Value: float64(len(printed.barrier.Minima))},
			{Name: "minima of f, α = 0.03", Value: float64(printed.minima)},
			{Name: "minima, α = 0.003", Value: float64(len(small.barrier.Minima))},
			{Name: "two minima up to α", Value: threshold}},
		Verdict: verdict.JudgeOr(len(printed.barrier.Minima) == 2, len(small.barrier.Minima) == 2),
		Correction: fmt.Sprintf("two minima need α < %.6f; at the printed overlap there is one. (With two of the "+
			"others up and two down, which is no minimum of f, there would be two.)", threshold),
	})
	r.Claim(verdict.Claim{
		Name: "lower-barrier", Where: "figure MH and text",
		Statement: "The barrier for a move in hidden space, Δe_MH, is lower than the barrier Δf of AGS.",
		Criterion: "the flipped minimum of e_μ costs less than Δf at all overlaps up to α = 0.0066, where there is " +
			"one; with a correction, up to 0.005",
		Measured: []verdict.Measured{{Name: "flipped minimum, α = 0.003", Value: flipped[3]},
			{Name: "Δf", Value: ags[3]}, {Name: "flipped minimum, α = 0.005", Value: flipped[5]},
			{Name: "Δf at 0.005", Value: ags[5]}, {Name: "flipped minimum, α = 0.0066", Value: flipped[7]},
			{Name: "Δf at 0.0066", Value: ags[7]},
			{Name: "Δe_MH divided at h = 0 is that of 0⁻ from α", Value: edge}},
		Verdict: verdict.JudgeOr(below == len(alphas), below > 5),
		Correction: fmt.Sprintf("up to α = %g, and not next to the overlap where the flipped state vanishes.",
			alphas[max(below, 1)-1]),
	})
	forth, err := small.barrier.Finite(1000, -1)
	if err != nil {
		return nil, err
	}
	back, err := small.barrier.Finite(1000, 1)
	if err != nil {
		return nil, err
	}
	r.Claim(verdict.Claim{
		Name: "direction", Where: "definition of Δe_MH",
		Statement: "Δe_MH = −(1/N) log of the weight of h > 0 over that of h < 0 is the barrier of a flip.",
		Criterion: "the cost of a flip of a unit that is up is positive (N = 1000, α = 0.003), with the ratio as " +
			"printed; with a correction, with the inverted ratio",
		Measured: []verdict.Measured{{Name: "printed (− to +)", Value: forth},
			{Name: "inverted (+ to −)", Value: back}},
		Verdict:    verdict.JudgeOr(forth > 0, back > 0),
		Correction: "as printed it is the cost of a flip from − to +; for the flip from + to − invert the ratio.",
	})
	if err := flipClaim(ctx, &r, s); err != nil {
		return nil, err
	}
	return &r, structuredFlipClaim(ctx, &r, s)
}

// latentThreshold is the largest overlap with two minima, by bisection.
func latentThreshold() (float64, error) {
	lo, hi := 0.006, 0.007
	for hi-lo > 1e-7 {
		mid := (lo + hi) / 2
		p, err := latentAt(mid)
		if err != nil {
			return 0, err
		}
		if len(p.barrier.Minima) == 2 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo, nil
}

func latentPlot(small, printed latentPoint, alphas, flipped, mh, ags []float64) plot.Figure {
	potential := func(p latentPoint) plot.Panel {
		lowest := p.barrier.Potential.HiddenEnergy(p.barrier.Minima[0].H)
		e := func(h float64) float64 { return p.barrier.Potential.HiddenEnergy([]float64{h}) - lowest }
		var x, y, mx, my []float64
		for h := -1.6 * p.star; h <= 1.6*p.star; h += 0.01 * p.star {
			x, y = append(x, h), append(y, e(h))
		}
		for _, m := range p.barrier.Minima {
			mx, my = append(mx, m.H[0]), append(my, e(m.H[0]))
		}
		series := []plot.Series{plot.Line{X: x, Y: y, Color: plot.Blue},
			plot.Points{X: mx, Y: my, Color: plot.Black, Marker: plot.Disc}}
		if len(mx) == 2 {
			series = append(series, plot.HLine{At: my[1], Label: "$Δe_{MH}$", Color: plot.Green},
				plot.HLine{At: p.ags, Label: "$Δf$", Color: plot.Vermilion})
		}
		return plot.Panel{Title: fmt.Sprintf("$α = %g$", p.alpha), X: plot.Axis{Label: "$h_μ$"},
			Y: plot.Axis{Label: "$e_μ(h_μ|h_{¬μ})$"}, Series: series, Aspect: 0.85}
	}
	return plot.Figure{Columns: 3, Width: plot.TwoColumns, Panels: []plot.Panel{
		potential(small), potential(printed),
		{X: plot.Axis{Label: "overlap $α$"}, Y: plot.Axis{Label: "cost of a flip"}, Aspect: 0.85, Series: []plot.Series{
			plot.Points{Name: "hidden space", X: alphas, Y: flipped, Color: plot.Green, Joined: true},
			plot.Line{Name: "$Δe_{MH}$, as printed", X: alphas, Y: mh, Color: plot.Green, Dash: plot.Dashed},
			plot.Points{Name: "AGS, $Δf$", X: alphas, Y: ags, Color: plot.Vermilion, Joined: true}}},
	}}
}
