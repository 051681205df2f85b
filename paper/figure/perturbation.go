package figure

import (
	"context"
	"fmt"
	"math"

	"instanton/dynamics"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/rbm"
	"instanton/theory"
)

func perturbationFigure() verdict.Figure {
	return verdict.Figure{
		Name: "fig-perturbation", Title: "What a small overlap does to the barrier",
		Shows: "Two hidden units that share a fraction α of the spins, the weight lowered so that the states stay " +
			"where they are: how the cost Φ of the optimal path changes (left), " +
			"and the highest barrier on it, which sets the time (right).",
		Version: 4, Run: runPerturbation,
	}
}

// largestOverlap is the end of the figure.
const largestOverlap = 0.02

// overlapped is what became of a pair of weight w√2 at the largest overlap.
type overlapped struct {
	w       float64
	dAction float64 // change of Φ
	mixed   bool    // whether the state with opposite signs is a minimum
}

func runPerturbation(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	var r verdict.Result
	table := r.Table("barriers", "Changes from α = 0 at fixed m*, and their first order.", "w/√2", "α", "dΦ",
		"first order", "d highest barrier", "first order of that")
	var left, right []plot.Series
	var worstSlope float64
	higher := 0
	weights := []float64{1.05, 1.1, 1.2, 1.3, 1.5}
	var most []overlapped
	for _, w := range weights {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, err := theory.Perturb(w * math.Sqrt2)
		if err != nil {
			return nil, err
		}
		base, err := theory.Pair{W: p.W}.Barriers()
		if err != nil {
			return nil, err
		}
		at := func(alpha float64) (theory.PairBarriers, error) {
			pair, err := p.At(alpha)
			if err != nil {
				return theory.PairBarriers{}, err
			}
			return pair.Barriers()
		}
		var a, dAction, dBarrier, lineAction, lineBarrier []float64
		for k := 0; k <= 20; k++ {
			alpha := largestOverlap * float64(k) / 20
			b, err := at(alpha)
			if err != nil {
				return nil, err
			}
			a, dAction, dBarrier = append(a, alpha), append(dAction, b.Action-base.Action),
				append(dBarrier, b.Highest-base.Highest)
			lineAction, lineBarrier = append(lineAction, alpha*p.DAction), append(lineBarrier, alpha*p.DBarrier)
			table.Add(w, alpha, dAction[k], lineAction[k], dBarrier[k], lineBarrier[k])
		}
		name := fmt.Sprintf("$w = %g√2$", w)
		left = append(left, plot.Line{Name: name, X: a, Y: dAction},
			plot.Line{Name: name, X: a, Y: lineAction, Dash: plot.Dashed})
		right = append(right, plot.Line{Name: name, X: a, Y: dBarrier},
			plot.Line{Name: name, X: a, Y: lineBarrier, Dash: plot.Dashed})
		const small = 1e-5
		b, err := at(small)
		if err != nil {
			return nil, err
		}
		worstSlope = math.Max(worstSlope, math.Abs((b.Action-base.Action)/(small*p.DAction)-1))
		if dBarrier[20] > 0 {
			higher++
		}
		last, err := at(largestOverlap)
		if err != nil {
			return nil, err
		}
		most = append(most, overlapped{w, last.Action - base.Action, last.Mixed})
	}
	r.Draw("",
		"Two hidden units with overlap α, at fixed m*. (a) Change of the cost Φ of the optimal path: exact (solid) "+
			"and to first order (dashed). (b) Change of its highest barrier, "+
			"which rises where Φ falls.", perturbationPlot(left, right))
	r.Claim(verdict.Claim{
		Name: "first-order", Where: "appendix B",
		Statement: "First-order perturbation theory gives the change of the cost dΦ for small overlaps.",
		Criterion: "dΦ(10⁻⁵) is within 1 % of first order for all five weights",
		Measured:  []verdict.Measured{{Name: "largest relative deviation", Value: worstSlope}},
		Verdict:   verdict.Judge(worstSlope < 0.01),
	})
	lowerCost(&r, most)
	if err := costWithoutOverlap(&r); err != nil {
		return nil, err
	}
	return &r, overlapTimes(ctx, &r, s, higher, len(weights))
}

func perturbationPlot(left, right []plot.Series) plot.Figure {
	alpha := plot.Axis{Label: "overlap $α$"}
	return plot.Figure{Columns: 2, Width: plot.TwoColumns, Panels: []plot.Panel{
		{X: alpha, Y: plot.Axis{Label: "$dΦ$"}, Series: left, Legend: plot.LegendBottomLeft},
		{X: alpha, Y: plot.Axis{Label: "change of the highest barrier"}, Series: right},
	}}
}

// lowerCost judges where Φ falls, the weights in rising order.
func lowerCost(r *verdict.Result, most []overlapped) {
	claim := verdict.Claim{
		Name: "lower-cost", Where: "figure perturbation",
		Statement: "A small overlap lowers the cost for a wide range of w.",
		Criterion: "dΦ(α = 0.02) < 0 for all five weights; corrected: for w = 1.1√2 to 1.5√2, and for w = 1.05√2 it " +
			"is above 0 and the state with opposite signs " +
			"is not a minimum, which it is for the others",
		Correction: "not next to the transition: at w = 1.05√2 and α = 0.02 the state with opposite signs is no " +
			"longer a minimum, and Φ is higher than " +
			"without overlap.",
	}
	everywhere, beyond := true, true
	states := 0
	for k, o := range most {
		claim.Measured = append(claim.Measured, verdict.Measured{Name: fmt.Sprintf("dΦ(0.02), w = %g√2", o.w),
			Value: o.dAction})
		everywhere = everywhere && o.dAction < 0
		if k > 0 {
			beyond = beyond && o.dAction < 0 && o.mixed
		}
		if o.mixed {
			states++
		}
	}
	claim.Measured = append(claim.Measured,
		verdict.Measured{Name: "weights of 5 with minima of opposite signs at α = 0.02", Value: float64(states)})
	claim.Verdict = verdict.JudgeOr(everywhere, beyond && most[0].dAction > 0 && !most[0].mixed)
	r.Claim(claim)
}

// costWithoutOverlap checks the formula for Φ at α = 0.
func costWithoutOverlap(r *verdict.Result) error {
	const w = 1.2 * math.Sqrt2
	c := theory.CurieWeiss{W: w / math.Sqrt2}
	m, err := c.Magnetization()
	if err != nil {
		return err
	}
	barrier, err := c.Barrier()
	if err != nil {
		return err
	}
	exact, err := theory.Pair{W: w}.Barriers()
	if err != nil {
		return err
	}
	formula := func(square float64) float64 { return -math.Ln2 + square*m*m + theory.Entropy(m) }
	printed, corrected := formula(w*w/2), formula(w*w/4)
	same := func(x float64) bool { return math.Abs(exact.Action-x) < 1e-12 }
	r.Claim(verdict.Claim{
		Name: "without-overlap", Where: "Φ at α = 0",
		Statement: "Without overlap Φ = −log 2 + (w²/2)m*² + S(m*).",
		Criterion: "Φ from the critical points equals the formula to 1e-12, w = 1.2√2; corrected: that with w²/4, " +
			"and the barrier of Curie–Weiss",
		Measured: []verdict.Measured{{Name: "Φ", Value: exact.Action}, {Name: "printed", Value: printed},
			{Name: "with w²/4", Value: corrected},
			{Name: "barrier of Curie–Weiss at w²/2", Value: barrier}},
		Verdict:    verdict.JudgeOr(same(printed), same(corrected) && same(barrier)),
		Correction: "Φ = −log 2 + (w²/4)m*² + S(m*), m* = tanh(w²m*/2): the barrier of Curie–Weiss at w²/2.",
	})
	return nil
}

// overlapTimes compares exact times between the global minima with and without overlap.
func overlapTimes(ctx context.Context, r *verdict.Result, s verdict.Settings, higher, weights int) error {
	p, err := theory.Perturb(1.2 * math.Sqrt2)
	if err != nil {
		return err
	}
	sizes := []int{100, 200, 300}
	if s.Quick {
		sizes = sizes[:2]
	}
	table := r.Table("times", "Exact times of AGS for two hidden units, w₀ = 1.2√2, at fixed m*: relaxation, and mean "+
		"first passage from one global minimum to the other.", "α", "N", "τ", "first passage", "highest barrier", "Φ")
	table.Shown = true
	overlaps := [2]float64{0, largestOverlap}
	var times, passages [2][]float64
	var barriers [2]theory.PairBarriers
	for a, alpha := range overlaps {
		pair, err := p.At(alpha)
		if err != nil {
			return err
		}
		if barriers[a], err = pair.Barriers(); err != nil {
			return err
		}
		overlap, err := rbm.AllToAll(2, alpha)
		if err != nil {
			return err
		}
		for _, n := range sizes {
			if err := ctx.Err(); err != nil {
				return err
			}
			c, err := dynamics.HiddenChain(theory.Structured{W: pair.W, Overlap: overlap}, n, 1e-4)
			if err != nil {
				return err
			}
			x, err := c.Relaxation()
			if err != nil {
				return err
			}
			passage, err := c.Passage()
			if err != nil {
				return err
			}
			times[a], passages[a] = append(times[a], x.Time), append(passages[a], passage)
			table.Add(alpha, n, x.Time, passage, barriers[a].Highest, barriers[a].Action)
		}
	}
	claim := verdict.Claim{
		Name: "shorter-time", Where: "section on the dependence of the barrier upon the overlap",
		Statement: "A small overlap helps to reduce the transition time between the global minima.",
		Criterion: "the exact mean first passage of AGS between the global minima is shorter with α = 0.02 than with " +
			"α = 0 for every N, at fixed m*, w₀ = 1.2√2",
		Correction: fmt.Sprintf("Φ, the sum of the ascents, changes by %s, but the time is set by the highest "+
			"saddle, and that rises by %.4f; it rises with α for %d of the %d weights looked at.",
			verdict.Number(barriers[1].Action-barriers[0].Action, 3), barriers[1].Highest-barriers[0].Highest, higher,
			weights),
	}
	shorter := true
	var ratios []float64
	for k, n := range sizes {
		ratio := passages[1][k] / passages[0][k]
		ratios = append(ratios, ratio)
		claim.Measured = append(claim.Measured, verdict.Measured{
			Name: fmt.Sprintf("passage with α = 0.02 over that with 0, N = %d", n), Value: ratio},
			verdict.Measured{Name: "relaxation times", Value: times[1][k] / times[0][k]})
		shorter = shorter && ratio < 1
	}
	last := len(sizes) - 1
	claim.Measured = append(claim.Measured,
		verdict.Measured{Name: "slope of the logarithm of the passages' ratio in N",
			Value: math.Log(ratios[last]/ratios[last-1]) / float64(sizes[last]-sizes[last-1])},
		verdict.Measured{Name: "change of the highest barrier", Value: barriers[1].Highest - barriers[0].Highest},
		verdict.Measured{Name: "change of Φ", Value: barriers[1].Action - barriers[0].Action},
		verdict.Measured{Name: fmt.Sprintf("weights of %d whose highest barrier rises", weights),
			Value: float64(higher)})
	claim.Verdict = verdict.Judge(shorter)
	r.Claim(claim)
	return nil
}
