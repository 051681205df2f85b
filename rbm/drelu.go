package rbm

import (
	"instanton/internal/rng"
	"instanton/internal/special"
	"instanton/unit"
)

// DReLU is a layer of real units with a quadratic potential on each side of zero: U(x) = γ⁺x²/2 + θ⁺x for x > 0 and
// γ⁻x²/2 + θ⁻x for x < 0. Given its input a unit is one of two Gaussians cut at zero. θ⁺ < θ⁻ gives two modes, θ⁺ > θ⁻
// a peak at zero.
type DReLU struct {
	GammaPlus, GammaMinus, ThetaPlus, ThetaMinus []float64
}

var _ Quadratic = (*DReLU)(nil)

func (l *DReLU) Spec() unit.Spec { return unit.Spec{Type: unit.DReLU, N: len(l.GammaPlus)} }

func (l *DReLU) zero(spec unit.Spec) Layer {
	zeros := func() []float64 { return make([]float64, spec.N) }
	return &DReLU{GammaPlus: zeros(), GammaMinus: zeros(), ThetaPlus: zeros(), ThetaMinus: zeros()}
}

func (l *DReLU) Params() []Param {
	return []Param{
		curvature("gamma_plus", l.GammaPlus), curvature("gamma_minus", l.GammaMinus),
		vector("theta_plus", l.ThetaPlus), vector("theta_minus", l.ThetaMinus),
	}
}

// sides is the law of one unit: the law of x on the right, that of −x on the left and the probability of each side.
type sides struct {
	right, left   half
	pRight, pLeft float64
}

func (l *DReLU) unit(i int, I float64) sides {
	var s sides
	s.right, s.left = l.halves(i, I)
	r, n := s.right.logNorm(), s.left.logNorm()
	s.pRight, s.pLeft = special.Sigmoid(r-n), special.Sigmoid(n-r)
	return s
}

// halves are the laws of x on the right and of −x on the left.
func (l *DReLU) halves(i int, I float64) (right, left half) {
	return half{l.GammaPlus[i], l.ThetaPlus[i] - I}, half{l.GammaMinus[i], I - l.ThetaMinus[i]}
}

func (l *DReLU) Potential(x []float64) float64 {
	var sum float64
	for i, xi := range x {
		gamma, theta := l.side(i, xi)
		sum += (gamma*xi/2 + theta) * xi
	}
	return sum
}

// side returns γ and θ of the side that x lies on.
func (l *DReLU) side(i int, x float64) (gamma, theta float64) {
	if x < 0 {
		return l.GammaMinus[i], l.ThetaMinus[i]
	}
	return l.GammaPlus[i], l.ThetaPlus[i]
}

func (l *DReLU) Slope(dst, x []float64) {
	for i, xi := range x {
		gamma, theta := l.side(i, xi)
		dst[i] = gamma*xi + theta
	}
}

func (l *DReLU) CGF(I []float64) float64 {
	var sum float64
	for i := range l.GammaPlus {
		r, n := l.halves(i, I[i])
		sum += special.LogAddExp(r.logNorm(), n.logNorm())
	}
	return sum
}

func (l *DReLU) Mean(dst, I []float64) {
	for i := range l.GammaPlus {
		right, left := l.halves(i, I[i])
		r, up := right.logNormAndMean()
		n, down := left.logNormAndMean()
		dst[i] = special.Sigmoid(r-n)*up - special.Sigmoid(n-r)*down
	}
}

// Variance is that of a mixture, as a sum of positive terms.
func (l *DReLU) Variance(dst, I []float64) {
	for i := range l.GammaPlus {
		s := l.unit(i, I[i])
		gap := s.right.mean() + s.left.mean()
		dst[i] = s.pRight*s.right.variance() + s.pLeft*s.left.variance() + s.pRight*s.pLeft*gap*gap
	}
}

// Mode compares the highest points of the two sides; a peak b²/2γ is reached where b < 0.
func (l *DReLU) Mode(x, I []float64) {
	peak := func(h half) float64 {
		b := min(0, h.b)
		return b * b / (2 * h.gamma)
	}
	for i := range l.GammaPlus {
		s := l.unit(i, I[i])
		x[i] = s.right.mode()
		if peak(s.left) > peak(s.right) {
			x[i] = -s.left.mode()
		}
	}
}

func (l *DReLU) AddStatistics(g Layer, x []float64, scale float64) {
	to := g.(*DReLU)
	for i, xi := range x {
		if xi < 0 {
			to.GammaMinus[i] += scale * xi * xi / 2
			to.ThetaMinus[i] += scale * xi
		} else {
			to.GammaPlus[i] += scale * xi * xi / 2
			to.ThetaPlus[i] += scale * xi
		}
	}
}

func (l *DReLU) AddMeanStatistics(g Layer, I []float64, scale float64) {
	to := g.(*DReLU)
	for i := range l.GammaPlus {
		s := l.unit(i, I[i])
		to.GammaPlus[i] += scale * s.pRight * s.right.second() / 2
		to.ThetaPlus[i] += scale * s.pRight * s.right.mean()
		to.GammaMinus[i] += scale * s.pLeft * s.left.second() / 2
		to.ThetaMinus[i] -= scale * s.pLeft * s.left.mean()
	}
}

// AddMeanResponse covers two half-line laws: ⟨x ∂V/∂p⟩ comes from one side only, ⟨x⟩ from both.
func (l *DReLU) AddMeanResponse(g Layer, I, scale []float64) {
	to := g.(*DReLU)
	for i, s := range scale {
		u := l.unit(i, I[i])
		right, left := u.right.mean(), u.left.mean()
		right2, left2 := u.right.second(), u.left.second()
		mean := u.pRight*right - u.pLeft*left
		to.GammaPlus[i] -= s * u.pRight * (u.right.third() - mean*right2) / 2
		to.ThetaPlus[i] -= s * u.pRight * (right2 - mean*right)
		to.GammaMinus[i] -= s * u.pLeft * (-u.left.third() - mean*left2) / 2
		to.ThetaMinus[i] -= s * u.pLeft * (left2 + mean*left)
	}
}

func (l *DReLU) AddField(c []float64) {
	for i := range c {
		l.ThetaPlus[i] -= c[i]
		l.ThetaMinus[i] -= c[i]
	}
}

// Fit takes θ = 0 and reproduces the mean square given the side of zero, which is then 1/γ.
func (l *DReLU) Fit(a *Averages) {
	for i, square := range a.Square {
		right := clampProbability(a.Positive[i])
		l.GammaPlus[i] = 1 / max(a.PositiveSquare[i], floor) * right
		l.GammaMinus[i] = 1 / max(square-a.PositiveSquare[i], floor) * (1 - right)
	}
}

func (l *DReLU) Parabolas(i int) Parabolas {
	return Parabolas{
		Gamma: [2]float64{l.GammaPlus[i], l.GammaMinus[i]},
		Theta: [2]float64{l.ThetaPlus[i], l.ThetaMinus[i]},
	}
}

func (l *DReLU) mirror(i int) float64 {
	l.GammaPlus[i], l.GammaMinus[i] = l.GammaMinus[i], l.GammaPlus[i]
	l.ThetaPlus[i], l.ThetaMinus[i] = -l.ThetaMinus[i], -l.ThetaPlus[i]
	return 0
}

// Words is two per unit: one picks the side, the other the distance from zero.
func (l *DReLU) Words() int { return 2 * len(l.GammaPlus) }

func (l *DReLU) Draw(dst *unit.States, k int, I []float32, words []uint32) {
	row := dst.RealRow(k)
	for i := range row {
		s, u := l.unit(i, float64(I[i])), rng.Uniform(words[2*i+1])
		if rng.Uniform(words[2*i]) < s.pRight {
			row[i] = float32(s.right.quantile(u))
		} else {
			row[i] = float32(-s.left.quantile(u))
		}
	}
}
