package rbm

import (
	"math"

	"instanton/internal/rng"
	"instanton/internal/special"
	"instanton/unit"
)

// ReLU is a layer of units x ≥ 0 with U(x) = γx²/2 + θx, infinite below zero. Given
// its input a unit is a Gaussian cut at zero, and
// Γ(I) = log[√(π/2γ) erfcx((θ−I)/√(2γ))].
type ReLU struct {
	Gamma, Theta []float64
}

var _ Layer = (*ReLU)(nil)

func (l *ReLU) Spec() unit.Spec { return unit.Spec{Type: unit.ReLU, N: len(l.Gamma)} }

func (l *ReLU) Params() []Param {
	return []Param{curvature("gamma", l.Gamma), vector("theta", l.Theta)}
}

// half is the law ∝ e^{−γx²/2−bx} on x > 0. In units of 1/√γ it is the standard
// half-line law with a = b/√γ.
type half struct{ gamma, b float64 }

func (h half) a() float64        { return h.b / math.Sqrt(h.gamma) }
func (h half) logNorm() float64  { return special.LogMills(h.a()) - math.Log(h.gamma)/2 }
func (h half) mean() float64     { return special.HalfMean(h.a()) / math.Sqrt(h.gamma) }
func (h half) variance() float64 { return special.HalfVar(h.a()) / h.gamma }
func (h half) second() float64   { return special.HalfSecond(h.a()) / h.gamma }
func (h half) mode() float64     { return max(0, -h.b/h.gamma) }

// quantile is the value that the unit exceeds with probability u.
func (h half) quantile(u float64) float64 { return special.HalfQuantile(h.a(), u) / math.Sqrt(h.gamma) }

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

func (l *ReLU) AddField(c []float64) {
	for i := range l.Theta {
		l.Theta[i] -= c[i]
	}
}

func (l *ReLU) Words() int { return len(l.Gamma) }

// Draw inverts the distribution function.
func (l *ReLU) Draw(dst *unit.States, k int, I []float32, words []uint32) {
	row := dst.RealRow(k)
	for i := range row {
		row[i] = float32(l.unit(i, float64(I[i])).quantile(rng.Uniform(words[i])))
	}
}
