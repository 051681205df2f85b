package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/rbm"
	"instanton/theory"
)

// participation is (Σx²)²/Σx⁴, the number of components that share in a vector.
func participation(x []float64) float64 {
	var two, four float64
	for _, v := range x {
		two, four = two+v*v, four+v*v*v*v
	}
	return two * two / four
}

// crossing is the change of the hidden units from one Mattis state to another, in units of w m*: row μ of O for pattern
// μ.
func crossing(o *mat.Dense, from, to int) []float64 {
	d := make([]float64, experiment.HopfieldPatterns)
	for k, state := range []int{from, to} {
		sign := float64(2*k - 1)
		if state >= experiment.HopfieldPatterns {
			sign = -sign
		}
		for mu := range d {
			d[mu] += sign * o.At(state%experiment.HopfieldPatterns, mu)
		}
	}
	return d
}

// crossings is the mean participation ratio over all 60 moves from a Mattis state to one of another pattern.
func crossings(o *mat.Dense) float64 {
	var x []float64
	for a := range 2 * experiment.HopfieldPatterns {
		for b := range a {
			if a%experiment.HopfieldPatterns != b%experiment.HopfieldPatterns {
				x = append(x, participation(crossing(o, a, b)))
			}
		}
	}
	mean, _ := experiment.MeanError(x)
	return mean
}

// hiddenMoved is the participation ratio of the change of the hidden units at the transitions that were seen, and of
// the exact change between the states they lead between, for hidden units turned by o.
func hiddenMoved(r *experiment.HopfieldRun, o *mat.Dense) (seen, seenErr, exact float64) {
	const around = 10
	var ratios, want []float64
	for _, c := range r.Changes {
		if c.Left < around || c.Draw+around > r.Draws {
			continue
		}
		_, _, before := r.Window(c.Chain, c.Left-around, c.Left)
		_, _, after := r.Window(c.Chain, c.Draw, c.Draw+around)
		d := make([]float64, experiment.HopfieldPatterns)
		for mu := range d {
			for k := range before {
				d[mu] += (after[k][mu] - before[k][mu]) / around
			}
		}
		ratios, want = append(ratios, participation(d)), append(want, participation(crossing(o, c.From, c.To)))
	}
	seen, seenErr = experiment.MeanError(ratios)
	exact, _ = experiment.MeanError(want)
	return seen, seenErr, exact
}

func transitionClaims(r *verdict.Result, runs []*experiment.HopfieldRun, o *mat.Dense) {
	a, ae := runs[0].Rate()
	b, be := runs[1].Rate()
	r.Claim(verdict.Claim{
		Name: "transitions", Where: "figure transition_Hopfield (a), (c)",
		Statement: "Transitions between Mattis states happen for every rotation of the weights, which does not " +
			"change their barriers.",
		Criterion: "both runs have transitions, and their rates agree within three standard errors",
		Tautology: "a rotation of the hidden units leaves the law of the spins from step to step as it is.",
		Measured: []verdict.Measured{{Name: "changes per 1000 steps, aligned", Value: a, Error: ae},
			{Name: "rotated", Value: b, Error: be},
			{Name: "changes seen", Value: float64(len(runs[0].Changes) + len(runs[1].Changes))}},
		Verdict: verdict.Judge(a > 0 && b > 0 && math.Abs(a-b) < 3*math.Hypot(ae, be)),
	})
	one := mat.NewDense(experiment.HopfieldPatterns, experiment.HopfieldPatterns, nil)
	for mu := range experiment.HopfieldPatterns {
		one.Set(mu, mu, 1)
	}
	x, xe, xExact := hiddenMoved(runs[0], one)
	y, ye, yExact := hiddenMoved(runs[1], o)
	all := crossings(o)
	r.Claim(verdict.Claim{
		Name: "readable", Where: "figure transition_Hopfield (b), (d)",
		Statement: "With aligned weights the hidden units show the transition plainly, one falls and one rises; " +
			"with rotated weights more of them take part.",
		Criterion: "participation ratio of the change, exact mean over all 60 moves between Mattis states of two " +
			"patterns: 2 for aligned weights, at least 0.2 more for rotated ones; " +
			"and the transitions that were seen have the exact ratio of their moves within 0.3",
		Measured: []verdict.Measured{{Name: "units that change, aligned, all moves", Value: crossings(one)},
			{Name: "rotated, all moves", Value: all},
			{Name: "aligned, seen", Value: x, Error: xe}, {Name: "exact for these", Value: xExact},
			{Name: "rotated, seen", Value: y, Error: ye}, {Name: "exact for these", Value: yExact}},
		Verdict: verdict.Judge(all > crossings(one)+0.2 && math.Abs(x-xExact) < 0.3 && math.Abs(y-yExact) < 0.3),
	})
}

// coding is the linear fit h_μ = Σ_ν C_νμ m_ν to draws of a run, with what is left over.
type coding struct {
	coefficients, errors *mat.Dense
	rest, restErr        float64 // N⟨(h_μ − Σ_ν C_νμ m_ν)²⟩ with the coefficients that are claimed
	own                  float64 // N⟨(h_μ − w m_μ)²⟩
}

// fitCode regresses hidden units on overlaps. Hidden units are independent given the overlaps, whatever the
// correlations of those.
func fitCode(r *experiment.HopfieldRun, claimed *mat.Dense) (*coding, error) {
	var x, y []float64
	for chain := range min(r.Chains, 2*experiment.HopfieldPatterns) {
		_, m, h := r.Window(chain, 0, 2000)
		for d := range m {
			x, y = append(x, m[d]...), append(y, h[d]...)
		}
	}
	rows := len(x) / experiment.HopfieldPatterns
	m, h := mat.NewDense(rows, experiment.HopfieldPatterns, x), mat.NewDense(rows, experiment.HopfieldPatterns, y)
	var gram, inverse, product, rest mat.Dense
	gram.Mul(m.T(), m)
	if err := inverse.Inverse(&gram); err != nil {
		return nil, fmt.Errorf("overlaps of %d draws do not fix the code of the hidden units: %w", rows, err)
	}
	product.Mul(m.T(), h)
	c := &coding{coefficients: new(mat.Dense), errors: mat.NewDense(experiment.HopfieldPatterns,
		experiment.HopfieldPatterns, nil)}
	c.coefficients.Mul(&inverse, &product)
	c.errors.Apply(func(nu, _ int,
		_ float64) float64 {
		return math.Sqrt(inverse.At(nu, nu) / experiment.HopfieldSpins)
	}, c.errors)
	rest.Mul(m, claimed)
	rest.Sub(h, &rest)
	norm := mat.Norm(&rest, 2)
	count := float64(rows * experiment.HopfieldPatterns)
	c.rest, c.restErr = experiment.HopfieldSpins*norm*norm/count, math.Sqrt(2/count)
	rest.Scale(transitionWeight, m)
	rest.Sub(h, &rest)
	norm = mat.Norm(&rest, 2)
	c.own = experiment.HopfieldSpins * norm * norm / count
	return c, nil
}

// worst is the largest deviation from given coefficients, in standard errors.
func (c *coding) worst(claimed *mat.Dense) (most float64) {
	for nu := range experiment.HopfieldPatterns {
		for mu := range experiment.HopfieldPatterns {
			most = math.Max(most, math.Abs(c.coefficients.At(nu, mu)-claimed.At(nu, mu))/c.errors.At(nu, mu))
		}
	}
	return most
}

// codingClaims judge what the recorded hidden units say of the overlaps.
func codingClaims(r *verdict.Result, runs []*experiment.HopfieldRun, o *mat.Dense) error {
	along, turned := mat.NewDense(experiment.HopfieldPatterns, experiment.HopfieldPatterns, nil), new(mat.Dense)
	for mu := range experiment.HopfieldPatterns {
		along.Set(mu, mu, transitionWeight)
	}
	turned.Scale(transitionWeight, o)
	const criterion = "all 36 coefficients of a linear fit to the recorded h and m within 4.5 standard errors, and " +
		"N times the mean square of what is left is 1 within four"
	a, err := fitCode(runs[0], along)
	if err != nil {
		return err
	}
	r.Claim(verdict.Claim{
		Name: "codes", Where: "section on orthogonal transformations",
		Statement: "With aligned weights hidden unit μ codes for the overlap m_μ alone, h_μ = w m_μ, up to a noise " +
			"of variance 1/N.",
		Criterion: criterion,
		Tautology: "this is the law from which AGS draws hidden units.",
		Measured: []verdict.Measured{{Name: "coefficient of m_1 in h_1", Value: a.coefficients.At(0, 0),
			Error: a.errors.At(0, 0)}, {Name: "of m_2", Value: a.coefficients.At(1, 0), Error: a.errors.At(1, 0)},
			{Name: "largest deviation in standard errors", Value: a.worst(along)},
			{Name: "N⟨(h_μ − w m_μ)²⟩", Value: a.rest, Error: a.restErr}},
		Verdict: verdict.Judge(a.worst(along) < 4.5 && math.Abs(a.rest-1) < 4*a.restErr),
	})
	b, err := fitCode(runs[1], turned)
	if err != nil {
		return err
	}
	r.Claim(verdict.Claim{
		Name: "superposition", Where: "section on orthogonal transformations",
		Statement: "With rotated weights hidden unit μ stands for a superposition, h_μ = w Σ_ν O_νμ m_ν.",
		Criterion: criterion + "; more is left of h_μ − w m_μ, by ten",
		Tautology: "this is the law from which AGS draws hidden units.",
		Measured: []verdict.Measured{{Name: "coefficient of m_1 in h_1", Value: b.coefficients.At(0, 0),
			Error: b.errors.At(0, 0)}, {Name: "w O_11", Value: turned.At(0, 0)},
			{Name: "largest deviation in standard errors", Value: b.worst(turned)},
			{Name: "N⟨(h_μ − w Σ_ν O_νμ m_ν)²⟩", Value: b.rest, Error: b.restErr},
			{Name: "N⟨(h_μ − w m_μ)²⟩", Value: b.own}},
		Verdict: verdict.Judge(b.worst(turned) < 4.5 && math.Abs(b.rest-1) < 4*b.restErr && b.own > 1+10*b.restErr),
	})
	return nil
}

// rotatedAction compares the cost of the optimal path for aligned and rotated weights.
func rotatedAction(r *verdict.Result, seed uint64) error {
	model := theory.Hopfield{W: transitionWeight, M: experiment.HopfieldPatterns}
	from, err := model.Mattis(1, 1)
	if err != nil {
		return err
	}
	to, err := model.Mattis(2, 1)
	if err != nil {
		return err
	}
	var action [2]float64
	for k := range action {
		if k == 1 {
			model.Rotation = rbm.RandomRotation(experiment.HopfieldPatterns, seed)
		}
		l, err := model.Landscape()
		if err != nil {
			return err
		}
		p, err := l.OptimalPath(theory.PathProblem{From: from, To: to, Steps: 50})
		if err != nil {
			return err
		}
		action[k] = p.Action
	}
	r.Claim(verdict.Claim{
		Name: "rotation-invariance", Where: "section on orthogonal transformations",
		Statement: "A rotation of the hidden units leaves the cost of optimal paths as it is.",
		Criterion: "Φ from pattern 1 to pattern 2 in 50 steps agrees to 1e-9",
		Tautology: "|h|² and W h are the same in any basis; it checks that the minimiser finds the same path.",
		Measured: []verdict.Measured{{Name: "Φ aligned", Value: action[0]},
			{Name: "Φ rotated − aligned", Value: action[1] - action[0]}},
		Verdict: verdict.Judge(math.Abs(action[1]-action[0]) < 1e-9),
	})
	return nil
}
