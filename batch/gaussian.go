package batch

import (
	"math"

	"instanton/internal/kernel"
	"instanton/rbm"
	"instanton/unit"
)

// gaussianLaw is the law of real units with a quadratic potential.
type gaussianLaw struct {
	*rbm.Gaussian
	normal   kernel.Normal
	constant float64 // Σ ½ log(2π/γ)
}

func newGaussianLaw(n int) *gaussianLaw {
	room := func() []float32 { return make([]float32, n) }
	return &gaussianLaw{normal: kernel.Normal{Gain: room(), Offset: room(), Sigma: room()}}
}

func (l *gaussianLaw) set(from rbm.Layer) {
	l.Gaussian, l.constant = from.(*rbm.Gaussian), 0
	for i, g := range l.Gamma {
		l.normal.Gain[i], l.normal.Offset[i] = float32(1/g), float32(-l.Theta[i]/g)
		l.normal.Sigma[i] = float32(1 / math.Sqrt(g))
		l.constant += math.Log(2*math.Pi/g) / 2
	}
}

func (l *gaussianLaw) fields() []float64 { return nil }
func (l *gaussianLaw) words() int        { return wordsFor(len(l.normal.Gain)) }

func (l *gaussianLaw) draw(b *block, dst *unit.States, to int, s kernel.Stream) {
	drawReals(b, dst, to, s, l.normal.Draw)
}

func (l *gaussianLaw) second(_, square float64) float64 { return square }

func (l *gaussianLaw) cgf(x []float64, _ *kernel.LogSums) float64 {
	sum := l.constant
	for i, gamma := range l.Gamma {
		d := x[i] - l.Theta[i]
		sum += d * d / (2 * gamma)
	}
	return sum
}

func (l *gaussianLaw) potential(x *unit.States, k int, values []float64) float64 {
	x.Values(values, k)
	return l.Potential(values)
}
