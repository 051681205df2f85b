package figure

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"instanton/dynamics"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/theory"
)

func formulasFigure() verdict.Figure {
	return verdict.Figure{
		Name: "text-formulas", Title: "Formulas of the text, put to the test",
		Shows: "Formulas that no figure rests on, each computed as it is printed, from sums and logarithms alone, " +
			"and compared with something that does not use it: a count, an exact chain, a quadrature, a path that " +
			"was found by minimising the action.",
		Version: 1, Run: runFormulas,
	}
}

func runFormulas(ctx context.Context, s verdict.Settings) (*verdict.Result, error) {
	var r verdict.Result
	if err := finiteTimeClaim(ctx, &r); err != nil {
		return nil, err
	}
	gradientClaim(&r, rand.New(rand.NewPCG(s.SeedFor("gradient"), 0)))
	p := newPrintedHopfield(rand.New(rand.NewPCG(s.SeedFor("hopfield formulas"), 0)))
	p.legendreClaim(&r)
	p.mapsClaim(&r)
	if err := p.motionClaim(&r); err != nil {
		return nil, err
	}
	if err := mattisClaim(ctx, &r); err != nil {
		return nil, err
	}
	if err := structuredFormulas(&r, rand.New(rand.NewPCG(s.SeedFor("structured formulas"), 0))); err != nil {
		return nil, err
	}
	hiddenUnitClaims(&r)
	return &r, nil
}

// finiteTimeClaim compares the probability of being at −m after T steps from m, by powers of the exact transition
// matrix, with e^{−NΦ}. The number of up spins is one of about √N values, whence a factor N^{−1/2}.
func finiteTimeClaim(ctx context.Context, r *verdict.Result) error {
	const w, m = 1.1, 0.6875 // next to m*, and N(1 + m)/2 is whole
	model := theory.CurieWeiss{W: w}
	l, err := model.Landscape()
	if err != nil {
		return err
	}
	sizes := []int{128, 256, 512, 1024}
	lengths := []int{1, 3, 9, 15, 25}
	var logs [][]float64
	for _, n := range sizes {
		x, err := logReturns(ctx, model, n, m, lengths)
		if err != nil {
			return err
		}
		logs = append(logs, x)
	}
	slope := func(k, j int) float64 { // of −log P − ½ log N from a size to the next
		n, next := float64(sizes[k]), float64(sizes[k+1])
		return (logs[k][j] - logs[k+1][j] - math.Log(next/n)/2) / (next - n)
	}
	table := r.Table("finite-time", fmt.Sprintf("Curie–Weiss, w = %g: slope in N of −log P − ½ log N, P the exact "+
		"probability of −m = %g after T steps from m, and Φ.", w, -m), "T", "N = 128 to 256",
		"256 to 512", "512 to 1024", "Φ")
	table.Shown = true
	claim := verdict.Claim{
		Name: "finite-time", Where: "eq. (integral_dynamics)",
		Statement: "P(m^T|m⁰) = exp(−N min Φ) for large N, at finite T.",
		Criterion: "the slope in N of −log P − ½ log N, from the exact transition matrix, N = 512 to 1024, is " +
			"within 1 % of Φ for T = 1, 3, 9, 15 and 25",
		Verdict: verdict.Holds,
	}
	var few, many, times []float64
	for j, steps := range lengths {
		p, err := l.OptimalPath(theory.PathProblem{From: []float64{m}, To: []float64{-m}, Steps: steps, AnyState: true})
		if err != nil {
			return err
		}
		times, few, many = append(times, float64(steps)), append(few, slope(0, j)), append(many, slope(2, j))
		table.Add(steps, slope(0, j), slope(1, j), slope(2, j), p.Action)
		claim.Measured = append(claim.Measured,
			verdict.Measured{Name: fmt.Sprintf("slope, T = %d", steps), Value: many[j]},
			verdict.Measured{Name: "Φ", Value: p.Action})
		if !(math.Abs(many[j]/p.Action-1) < 0.01) {
			claim.Verdict = verdict.Fails
		}
	}
	r.Claim(claim)
	var t, action []float64
	for steps := 1; steps <= 30; steps++ {
		p, err := l.OptimalPath(theory.PathProblem{From: []float64{m}, To: []float64{-m}, Steps: steps, AnyState: true})
		if err != nil {
			return err
		}
		t, action = append(t, float64(steps)), append(action, p.Action)
	}
	r.Draw("", fmt.Sprintf("Curie–Weiss model, w = %g, from m = %g to −m in T steps: the exponent of the exact "+
		"probability, by its slope in N (points, the factor 1/√N taken out), and the action Φ of the optimal path "+
		"(line).", w, m),
		plot.Figure{Width: plot.OneColumn, Panels: []plot.Panel{{X: plot.Axis{Label: "$T$"},
			Y: plot.Axis{Label: "exponent", Log: true}, Aspect: 0.75, Series: []plot.Series{
				plot.Line{Name: "$Φ$", X: t, Y: action, Color: plot.Blue},
				plot.Points{Name: "$N = 128$ to $256$", X: times, Y: few, Color: plot.Vermilion, Marker: plot.Circle},
				plot.Points{Name: "$N = 512$ to $1024$", X: times, Y: many, Color: plot.Black, Marker: plot.Disc}}}}})
	return nil
}

// logReturns are log P(−m at T | m at 0) for rising T.
func logReturns(ctx context.Context, model theory.CurieWeiss, n int, m float64, lengths []int) (logs []float64,
	err error) {
	c, err := dynamics.CurieWeiss(model, n, dynamics.Gibbs)
	if err != nil {
		return nil, err
	}
	from, to := -1, -1
	for i, state := range c.State {
		switch int(state[0]) {
		case int(math.Round(float64(n) * (1 + m) / 2)):
			from = i
		case int(math.Round(float64(n) * (1 - m) / 2)):
			to = i
		}
	}
	p, next := make([]float64, c.States()), make([]float64, c.States())
	p[from] = 1
	for t := 1; t <= lengths[len(lengths)-1]; t++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		clear(next)
		for i, x := range p {
			if x == 0 {
				continue
			}
			for j := range next {
				next[j] += x * c.Probability(i, j)
			}
		}
		p, next = next, p
		for _, length := range lengths {
			if t == length {
				logs = append(logs, math.Log(p[to]))
			}
		}
	}
	return logs, nil
}

// gradientClaim compares the formula for the gradient of the log-likelihood with differences of it, all configurations
// written out: five spins, three hidden spins.
func gradientClaim(r *verdict.Result, random *rand.Rand) {
	const n, m, h = 5, 3, 1e-5
	var w [n][m]float64
	for i := range w {
		for mu := range w[i] {
			w[i][mu] = random.NormFloat64()
		}
	}
	data := []int{3, 17, 30, 30, 9}
	spin := func(code, i int) float64 { return float64(2*(code>>i&1) - 1) }
	input := func(code, mu int) (x float64) {
		for i := range n {
			x += w[i][mu] * spin(code, i)
		}
		return x
	}
	energy := func(code int) (e float64) {
		for mu := range m {
			e -= math.Log(2 * math.Cosh(input(code, mu)))
		}
		return e
	}
	logZ := func() float64 {
		z := 0.0
		for code := range 1 << n {
			z += math.Exp(-energy(code))
		}
		return math.Log(z)
	}
	likelihood := func() (sum float64) {
		z := logZ()
		for _, code := range data {
			sum += (-energy(code) - z) / float64(len(data))
		}
		return sum
	}
	worst, largest := 0.0, 0.0
	for i := range n {
		for mu := range m {
			slope := func(code int) float64 { return -spin(code, i) * math.Tanh(input(code, mu)) } // ∂E^eff/∂W_iμ
			formula, z := 0.0, logZ()
			for _, code := range data {
				formula -= slope(code) / float64(len(data))
			}
			for code := range 1 << n {
				formula += slope(code) * math.Exp(-energy(code)-z)
			}
			w[i][mu] += h
			up := likelihood()
			w[i][mu] -= 2 * h
			down := likelihood()
			w[i][mu] += h
			worst = math.Max(worst, math.Abs(formula-(up-down)/(2*h)))
			largest = math.Max(largest, math.Abs(formula))
		}
	}
	r.Claim(verdict.Claim{
		Name: "gradient", Where: "eq. (gradients_LL)",
		Statement: "The gradient of the log-likelihood is ⟨∂E_eff/∂Θ⟩ over the model less that over the data.",
		Criterion: "as differences of the exact log-likelihood to 1e-8, for all weights of a machine of 5 and 3 spins",
		Measured: []verdict.Measured{{Name: "largest difference", Value: worst},
			{Name: "largest component", Value: largest}},
		Verdict: verdict.Judge(worst < 1e-8),
	})
}
