package rbm

import (
	"math"

	"instanton/internal/rng"
	"instanton/unit"
)

// ReLU is a layer of units x ≥ 0 with U(x) = γx²/2 + θx, infinite below zero. Given its input a unit is a Gaussian cut
// at zero, and Γ(I) = log[√(π/2γ) erfcx((θ−I)/√(2γ))].
type ReLU struct {
	Gamma, Theta []float64
}

var _ Quadratic = (*ReLU)(nil)

func (l *ReLU) Spec() unit.Spec { return unit.Spec{Type: unit.ReLU, N: len(l.Gamma)} }

func (l *ReLU) zero(spec unit.Spec) Layer {
	return &ReLU{Gamma: make([]float64, spec.N), Theta: make([]float64, spec.N)}
}

func (l *ReLU) Params() []Param {
	return []Param{curvature("gamma", l.Gamma), vector("theta", l.Theta)}
}

func (l *ReLU) unit(i int, I float64) half { return half{l.Gamma[i], l.Theta[i] - I} }

// Potential is +Inf where a unit is negative.
func (l *ReLU) Potential(x []float64) float64 {
	var sum float64
	for i, xi := range x {
		if xi < 0 {
			return math.Inf(1)
		}
		sum += (l.Gamma[i]*xi/2 + l.Theta[i]) * xi
	}
	return sum
}

func (l *ReLU) Slope(dst, x []float64) {
	for i, xi := range x {
		dst[i] = l.Gamma[i]*xi + l.Theta[i]
	}
}

func (l *ReLU) CGF(I []float64) float64 {
	var sum float64
	for i := range l.Gamma {
		sum += l.unit(i, I[i]).logNorm()
	}
	return sum
}

func (l *ReLU) Mean(dst, I []float64) {
	for i := range l.Gamma {
		dst[i] = l.unit(i, I[i]).mean()
	}
}

func (l *ReLU) Variance(dst, I []float64) {
	for i := range l.Gamma {
		dst[i] = l.unit(i, I[i]).variance()
	}
}

func (l *ReLU) Mode(x, I []float64) {
	for i := range l.Gamma {
		x[i] = l.unit(i, I[i]).mode()
	}
}

func (l *ReLU) AddStatistics(g Layer, x []float64, scale float64) {
	to := g.(*ReLU)
	for i, xi := range x {
		to.Gamma[i] += scale * xi * xi / 2
		to.Theta[i] += scale * xi
	}
}

func (l *ReLU) AddMeanStatistics(g Layer, I []float64, scale float64) {
	to := g.(*ReLU)
	for i := range l.Gamma {
		h := l.unit(i, I[i])
		to.Gamma[i] += scale * h.second() / 2
		to.Theta[i] += scale * h.mean()
	}
}

func (l *ReLU) AddMeanResponse(g Layer, I, scale []float64) {
	to := g.(*ReLU)
	for i, s := range scale {
		h := l.unit(i, I[i])
		to.Gamma[i] -= s * (h.third() - h.mean()*h.second()) / 2
		to.Theta[i] -= s * h.variance()
	}
}

func (l *ReLU) AddField(c []float64) {
	for i := range l.Theta {
		l.Theta[i] -= c[i]
	}
}

// Fit takes θ = 0 and reproduces the mean squares.
func (l *ReLU) Fit(a *Averages) {
	for i, square := range a.Square {
		l.Gamma[i] = 1 / max(square, floor)
	}
}

// Parabolas gives the parabola of the right side twice; the left side is forbidden.
func (l *ReLU) Parabolas(i int) Parabolas {
	gamma, theta := l.Gamma[i], l.Theta[i]
	return Parabolas{Gamma: [2]float64{gamma, gamma}, Theta: [2]float64{theta, theta}, HalfLine: true}
}

func (l *ReLU) Words() int { return len(l.Gamma) }

// Draw inverts the distribution function.
func (l *ReLU) Draw(dst *unit.States, k int, I []float32, words []uint32) {
	row := dst.RealRow(k)
	for i := range row {
		row[i] = float32(l.unit(i, float64(I[i])).quantile(rng.Uniform(words[i])))
	}
}
