package theory

import (
	"fmt"
	"math"

	"instanton/rbm"
)

// Pair is two quadratic hidden units that share a fraction Alpha of the visible spins, the model of the paper's
// appendix on perturbation: α₁₂ = Alpha, α₁₁ = α₂₂ = (1 − Alpha)/2.
type Pair struct{ W, Alpha float64 }

var _ Model = Pair{}

// Landscape is that of the structured model.
func (p Pair) Landscape() (*Landscape, error) {
	o, err := rbm.AllToAll(2, p.Alpha)
	if err != nil {
		return nil, err
	}
	return Structured{W: p.W, Overlap: o}.Landscape()
}

// Perturbation is the first order of the pair in the overlap α and the weight w around α = 0 (appendix B of the paper,
// whose formulas hold as printed).
type Perturbation struct {
	W             float64 `json:"w"`             // w at α = 0
	Magnetization float64 `json:"magnetization"` // m* = tanh(w²m*/2)
	// DWeight is dw/dα that keeps m* fixed, −w(3 − m*²)/(2(1 + m*²)).
	DWeight float64 `json:"dw_dalpha"`
	// DAction is dΦ/dα along it, Φ the sum of the barriers from (m*, m*) over (0, m*), (−m*, m*), (−m*, 0) to (−m*,
	// −m*).
	DAction float64 `json:"dphi_dalpha"`
	// DBarrier is d/dα of the first barrier f(0, m*) − f(m*, m*), the one that sets the transition time.
	DBarrier float64 `json:"first_barrier_slope"`
}

// Perturb expands around two independent units of weight w, which needs w > √2.
func Perturb(w float64) (Perturbation, error) {
	if err := checkWeight(w); err != nil {
		return Perturbation{}, err
	}
	m, err := CurieWeiss{w / math.Sqrt2}.Magnetization()
	if err != nil {
		return Perturbation{},
			fmt.Errorf("at w = %g two independent units have the single state m = 0: the expansion needs w > √2", w)
	}
	p := Perturbation{W: w, Magnetization: m}
	p.DWeight = -w * (3 - m*m) / (2 * (1 + m*m))
	change := func(m11, m22 float64) float64 { return p.DWeight*p.FreeEnergyW(m11, m22) + p.FreeEnergyAlpha(m11, m22) }
	p.DAction = -change(m, m) + 2*change(0, m) - change(-m, m)
	p.DBarrier = change(0, m) - change(m, m)
	return p, nil
}

// GAlpha is g_α(x, y), the displacement of m₁₁ = x by α at a critical point (x, y).
func (p Perturbation) GAlpha(x, y float64) float64 {
	k := p.W * p.W * (1 - x*x)
	return (-x/2 + (x+y)/(1+x*y)) * 2 * k / (2 - k)
}

// GW is g_w(x), the displacement of m₁₁ = x by w.
func (p Perturbation) GW(x float64) float64 {
	return p.W * x * 2 * (1 - x*x) / (2 - p.W*p.W*(1-x*x))
}

// FreeEnergyAlpha is f^α at a critical point of the independent units. The displacements g_α of the paper's formula
// cancel there: f^α = −(w²/2) Σ m_μμ (m₁₂ − m_μμ/2) + ½(S(m₁₁) + S(m₂₂)) − S(m₁₂).
func (p Perturbation) FreeEnergyAlpha(m11, m22 float64) float64 {
	m12 := (m11 + m22) / (1 + m11*m22)
	return -p.W*p.W/2*(m11*(m12-m11/2)+m22*(m12-m22/2)) + (Entropy(m11)+Entropy(m22))/2 - Entropy(m12)
}

// FreeEnergyW is f^w = −(w/4)(m₁₁² + m₂₂²).
func (p Perturbation) FreeEnergyW(m11, m22 float64) float64 { return -p.W / 4 * (m11*m11 + m22*m22) }

// At is the pair with overlap alpha whose weight keeps m* where it is at α = 0, exactly: the self-consistency
// artanh m* = w² (α₁₁ m* + α₁₂ m₁₂) is solved for w.
func (p Perturbation) At(alpha float64) (Pair, error) {
	if !(alpha >= 0 && alpha < 1) {
		return Pair{}, fmt.Errorf("the overlap α is %g: it must be at least 0 and below 1", alpha)
	}
	m := p.Magnetization
	input := (1-alpha)/2*m + alpha*2*m/(1+m*m)
	return Pair{math.Sqrt(math.Atanh(m) / input), alpha}, nil
}

// PairBarriers are what a pair has to pay from (m*, m*) to (−m*, −m*).
type PairBarriers struct {
	Action  float64 // Φ for T → ∞, the sum of the ascents
	Highest float64 // the highest saddle above (m*, m*), which sets the time: τ ~ exp(N·Highest)
	Mixed   bool    // whether (−m*, m*) is a minimum on the way
}

// Barriers finds them from the critical points.
func (p Pair) Barriers() (PairBarriers, error) {
	l, err := p.Landscape()
	if err != nil {
		return PairBarriers{}, err
	}
	g, err := l.Graph()
	if err != nil {
		return PairBarriers{}, err
	}
	if len(g.Minima) < 2 {
		return PairBarriers{},
			fmt.Errorf("at w = %g and α = %g the pair has the single state m = 0, so there is no barrier", p.W, p.Alpha)
	}
	up := g.Minima[0].H
	down := []float64{-up[0], -up[1]}
	cheapest, err := g.Cheapest(l.Order(up), l.Order(down))
	if err != nil {
		return PairBarriers{}, err
	}
	lowest, err := g.Lowest(l.Order(up), l.Order(down))
	if err != nil {
		return PairBarriers{}, err
	}
	return PairBarriers{Action: cheapest.Action, Highest: lowest.Barrier, Mixed: len(g.Minima) == 4}, nil
}
