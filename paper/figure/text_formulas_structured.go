package figure

import (
	"fmt"
	"math"
	"math/rand/v2"

	"instanton/paper/verdict"
	"instanton/rbm"
	"instanton/theory"
)

// printedStructured are the paper's formulas of the structured model, written out. Hidden units are quadratic, or ReLU
// units with γ = 1 and θ = 0, whose Γ̂ and f are zero below an input of 0.
type printedStructured struct {
	w       float64
	overlap rbm.Overlap
	relu    bool
}

// transfer is f(I).
func (p printedStructured) transfer(input float64) float64 {
	if p.relu {
		return math.Max(0, input)
	}
	return input
}

// cumulant is Γ̂(I).
func (p printedStructured) cumulant(input float64) float64 {
	return p.transfer(input) * p.transfer(input) / 2
}

// pairs calls g for μ ≤ ν.
func (p printedStructured) pairs(g func(mu, nu int, alpha float64)) {
	for mu := range p.overlap {
		for nu := mu; nu < len(p.overlap); nu++ {
			g(mu, nu, p.overlap[mu][nu])
		}
	}
}

// areas are all m_μν, μ ≤ ν, of given m_μμ: (m_μμ + m_νν)/(1 + m_μμ m_νν) where two units are seen.
func (p printedStructured) areas(own []float64) [][]float64 {
	m := make([][]float64, len(own))
	for mu := range m {
		m[mu] = make([]float64, len(own))
		for nu := range m[mu] {
			m[mu][nu] = (own[mu] + own[nu]) / (1 + own[mu]*own[nu])
		}
		m[mu][mu] = own[mu]
	}
	return m
}

// inputs are I_μ = w Σ_ν α_μν m_μν.
func (p printedStructured) inputs(m [][]float64) []float64 {
	in := make([]float64, len(m))
	for mu := range in {
		for nu := range m {
			in[mu] += p.w * p.overlap[mu][nu] * m[mu][nu]
		}
	}
	return in
}

// entropy is Σ_{μ≤ν} α_μν S(m_μν).
func (p printedStructured) entropy(m [][]float64) (s float64) {
	p.pairs(func(mu, nu int, alpha float64) { s += alpha * theory.Entropy(m[mu][nu]) })
	return s
}

// freeEnergy is eq. (landscape_F(m)2).
func (p printedStructured) freeEnergy(m [][]float64) float64 {
	f := -p.entropy(m)
	for _, x := range p.inputs(m) {
		f -= p.cumulant(x)
	}
	return f
}

// delta is δΦ of eq. (deltaphi_M), with the cosh of two units over μ < ν, or over μ ≤ ν as printed.
func (p printedStructured) delta(m [][]float64, h []float64, next [][]float64, printed bool) float64 {
	before, after := p.inputs(m), p.inputs(next)
	d := -p.entropy(next)
	for mu, x := range h {
		d += x*x/2 + p.cumulant(before[mu]) - (after[mu]+before[mu])*x
	}
	p.pairs(func(mu, nu int, alpha float64) {
		if mu == nu {
			d += alpha * log2Cosh(p.w*h[mu])
		}
		if mu < nu || printed {
			d += alpha * log2Cosh(p.w*(h[mu]+h[nu]))
		}
	})
	return d
}

// own are m_μμ = tanh(w h_μ).
func (p printedStructured) own(h []float64) []float64 {
	m := make([]float64, len(h))
	for mu := range h {
		m[mu] = math.Tanh(p.w * h[mu])
	}
	return m
}

// hidden are f(I_μ).
func (p printedStructured) hidden(m [][]float64) []float64 {
	h := p.inputs(m)
	for mu := range h {
		h[mu] = p.transfer(h[mu])
	}
	return h
}

// structuredFormulas judge the formulas on the pair and the ring of the paper's figures.
func structuredFormulas(r *verdict.Result, random *rand.Rand) error {
	pair, err := rbm.AllToAll(2, 0.02)
	if err != nil {
		return err
	}
	ring, err := rbm.Ring(ringUnits, ringOverlap)
	if err != nil {
		return err
	}
	models := []printedStructured{{w: 1.15 * math.Sqrt2, overlap: pair}, {w: 2.2, overlap: ring}}
	if err := consistencyClaim(r, models); err != nil {
		return err
	}
	diagonalClaim(r)
	structuredMaps(r, append(models, printedStructured{w: 1.8, overlap: pair, relu: true}), random)
	return structuredMotion(r, models)
}

// consistencyClaim puts critical points into the self-consistent equations.
func consistencyClaim(r *verdict.Result, models []printedStructured) error {
	own, shared, points := 0.0, 0.0, 0
	for _, p := range models {
		l, err := theory.Structured{W: p.w, Overlap: p.overlap}.Landscape()
		if err != nil {
			return err
		}
		set, err := l.CriticalPoints()
		if err != nil {
			return err
		}
		for _, x := range set.Points {
			points++
			m := p.areas(x.M)
			in := p.inputs(m)
			for mu, y := range x.M {
				own = math.Max(own, math.Abs(y-math.Tanh(p.w*p.transfer(in[mu]))))
			}
			p.pairs(func(mu, nu int, alpha float64) { // spins that see two units are in the field of both
				if mu < nu && alpha > 0 {
					shared = math.Max(shared, math.Abs(m[mu][nu]-math.Tanh(p.w*(x.H[mu]+x.H[nu]))))
				}
			})
		}
	}
	r.Claim(verdict.Claim{
		Name: "self-consistency", Where: "eq. (self_consistent_M)",
		Statement: "Minima of f obey m_μμ = tanh(w f_μ(I_μ)) and m_μν = (m_μμ + m_νν)/(1 + m_μμ m_νν).",
		Criterion: "all critical points of the pair and of the ring obey the first to 1e-9, and the spins of two " +
			"hidden units the second, as tanh(w(h_μ + h_ν)), to 1e-9",
		Measured: []verdict.Measured{{Name: "critical points", Value: float64(points)},
			{Name: "largest error, m_μμ", Value: own}, {Name: "m_μν", Value: shared}},
		Verdict: verdict.Judge(own < 1e-9 && shared < 1e-9),
	})
	return nil
}

// diagonalClaim reduces the action to the Curie–Weiss model.
func diagonalClaim(r *verdict.Result) {
	const w, m, h, next = 1.1, 0.3, 0.4, 0.2
	p := printedStructured{w: w, overlap: rbm.Overlap{{1}}}
	one := func(x float64) [][]float64 { return [][]float64{{x}} }
	cw := theory.CurieWeiss{W: w}.Delta(m, h, next)
	printed, right := p.delta(one(m), []float64{h}, one(next), true), p.delta(one(m), []float64{h}, one(next), false)
	r.Claim(verdict.Claim{
		Name: "diagonal", Where: "eq. (deltaphi_M)",
		Statement: "With M = 1 and α_11 = 1 the action of the structured model, with Σ_{μ≤ν} α_μν log 2cosh(w(h_μ + " +
			"h_ν)), is that of Curie–Weiss.",
		Criterion: "δΦ agrees to 1e-14 at w = 1.1, m = 0.3, h = 0.4, m′ = 0.2; corrected: with the sum over μ < ν",
		Measured: []verdict.Measured{{Name: "δΦ of Curie–Weiss", Value: cw}, {Name: "printed", Value: printed},
			{Name: "sum over μ < ν", Value: right}},
		Verdict:    verdict.JudgeOr(math.Abs(printed-cw) < 1e-14, math.Abs(right-cw) < 1e-14),
		Correction: "the sum runs over μ < ν, since the diagonal has a term of its own.",
	})
}

// structuredMaps follow both maps from random magnetizations.
func structuredMaps(r *verdict.Result, models []printedStructured, random *rand.Rand) {
	climb, fall := 0.0, 0.0
	for _, p := range models {
		for range 20 {
			x := make([]float64, len(p.overlap))
			for mu := range x {
				x[mu] = math.Tanh(random.NormFloat64())
				if p.relu {
					x[mu] = math.Abs(x[mu]) // units that are on: below its threshold f has no inverse
				}
			}
			m := p.areas(x)
			h := p.hidden(m)
			other := p.areas(p.own(h))
			// other relaxes from m, and climbs to it
			fall = math.Max(fall, math.Abs(p.delta(m, h, other, false)))
			rise := p.freeEnergy(m) - p.freeEnergy(other)
			climb = math.Max(climb, math.Abs(p.delta(other, h, m, false)-rise))
		}
	}
	r.Claim(verdict.Claim{
		Name: "structured-maps", Where: "eqs. (instantonic_MF_1), (relaxation_MF_1)",
		Statement: "An instanton step of the structured model costs f(m^{t+1}) − f(m^t), and a thermalization step " +
			"nothing.",
		Criterion: "both to 1e-13 at 20 random points each of the pair, the ring, and a pair of ReLU units",
		Measured: []verdict.Measured{{Name: "largest |δΦ − (f(m′) − f(m))|", Value: climb},
			{Name: "largest |δΦ| of thermalization", Value: fall}},
		Verdict: verdict.Judge(climb < 1e-13 && fall < 1e-13),
	})
}

// structuredMotion puts optimal paths into the equations of motion.
func structuredMotion(r *verdict.Result, models []printedStructured) error {
	const steps = 30
	ofM, ofH := 0.0, 0.0
	var actions []verdict.Measured
	for k, p := range models {
		l, err := theory.Structured{W: p.w, Overlap: p.overlap}.Landscape()
		if err != nil {
			return err
		}
		g, err := l.Graph()
		if err != nil {
			return err
		}
		path, err := l.OptimalPath(theory.PathProblem{From: g.Minima[0].M, To: scaled(-1, g.Minima[0].M), Steps: steps})
		if err != nil {
			return err
		}
		actions = append(actions, verdict.Measured{Name: "Φ of the " + []string{"pair", "ring"}[k], Value: path.Action})
		for t := range steps {
			h := path.H[t] // h^{t+1}
			before, after := p.inputs(p.areas(path.M[t])), p.inputs(p.areas(path.M[t+1]))
			for mu := range h {
				d := before[mu] + after[mu] - h[mu] - p.w*p.overlap[mu][mu]*math.Tanh(p.w*h[mu])
				for nu := range h {
					if nu != mu {
						d -= p.w * p.overlap[mu][nu] * math.Tanh(p.w*(h[mu]+h[nu]))
					}
				}
				ofH = math.Max(ofH, math.Abs(d))
				if t > 0 {
					x := math.Tanh(p.w*(h[mu]+path.H[t-1][mu]) - p.w*p.transfer(before[mu]))
					ofM = math.Max(ofM, math.Abs(x-path.M[t][mu]))
				}
			}
		}
	}
	r.Claim(verdict.Claim{
		Name: "structured-motion", Where: "eq. (eqmotion2)",
		Statement: "Optimal paths of the structured model obey the equations of motion.",
		Criterion: fmt.Sprintf("paths of %d steps between the global minima of the pair and of the ring obey those "+
			"of m and of h to 1e-8", steps),
		Measured: append([]verdict.Measured{{Name: "largest error, equation of m", Value: ofM},
			{Name: "equation of h", Value: ofH}}, actions...),
		Verdict: verdict.Judge(ofM < 1e-8 && ofH < 1e-8),
	})
	return nil
}
