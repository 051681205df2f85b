package batch

import (
	"math"

	"instanton/internal/kernel"
	"instanton/rbm"
	"instanton/unit"
)

// reluLaw is the law of nonnegative real units: a Gaussian cut off at zero.
type reluLaw struct {
	*rbm.ReLU
	half kernel.Half
}

func newReLULaw(n int) *reluLaw { return &reluLaw{half: newHalf(n)} }

func newHalf(n int) kernel.Half {
	return kernel.Half{Gain: make([]float32, n), Offset: make([]float32, n)}
}

// setHalf sets the law of units on the right of zero, or of their mirror images (sign −1).
func setHalf(h *kernel.Half, gamma, theta []float64, sign float64) {
	for i, g := range gamma {
		h.Gain[i], h.Offset[i] = float32(1/math.Sqrt(g)), float32(sign*theta[i]/math.Sqrt(g))
	}
}

func (l *reluLaw) set(from rbm.Layer) {
	l.ReLU = from.(*rbm.ReLU)
	setHalf(&l.half, l.Gamma, l.Theta, 1)
}

func (l *reluLaw) fields() []float64 { return nil }
func (l *reluLaw) words() int        { return wordsFor(len(l.half.Gain)) }

func (l *reluLaw) draw(b *block, dst *unit.States, to int, s kernel.Stream) {
	drawReals(b, dst, to, s, l.half.Draw)
}

func (l *reluLaw) second(_, square float64) float64 { return square }

func (l *reluLaw) cgf(x []float64, _ *kernel.LogSums) float64 { return l.CGF(x) }
func (l *reluLaw) potential(x *unit.States, k int, values []float64) float64 {
	x.Values(values, k)
	return l.Potential(values)
}
