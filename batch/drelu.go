package batch

import (
	"math"

	"instanton/internal/kernel"
	"instanton/rbm"
	"instanton/unit"
)

// dreluLaw is the law of real units with one quadratic potential on either side of zero: a mixture of two Gaussians
// cut off at zero.
type dreluLaw struct {
	*rbm.DReLU
	double kernel.Double
}

func newDReLULaw(n int) *dreluLaw {
	return &dreluLaw{double: kernel.Double{Right: newHalf(n), Left: newHalf(n), Odds: make([]float32, n)}}
}

func (l *dreluLaw) set(from rbm.Layer) {
	l.DReLU = from.(*rbm.DReLU)
	setHalf(&l.double.Right, l.GammaPlus, l.ThetaPlus, 1)
	setHalf(&l.double.Left, l.GammaMinus, l.ThetaMinus, -1)
	for i, g := range l.GammaPlus {
		l.double.Odds[i] = float32(math.Log2(l.GammaMinus[i]/g) / 2)
	}
}

func (l *dreluLaw) fields() []float64 { return nil }

// words is two per unit: one for the side, one for the distance from zero.
func (l *dreluLaw) words() int { return wordsFor(2 * len(l.double.Odds)) }

func (l *dreluLaw) draw(b *block, dst *unit.States, to int, s kernel.Stream) {
	drawReals(b, dst, to, s, l.double.Draw)
}

func (l *dreluLaw) second(_, square float64) float64 { return square }

func (l *dreluLaw) cgf(x []float64, _ *kernel.LogSums) float64 { return l.CGF(x) }
func (l *dreluLaw) potential(x *unit.States, k int, values []float64) float64 {
	x.Values(values, k)
	return l.Potential(values)
}
