package batch

import (
	"instanton/internal/kernel"
	"instanton/rbm"
	"instanton/unit"
)

// bernoulliLaw is the law of 0/1 units: the odds of 1 are e^x.
type bernoulliLaw struct{ *rbm.Bernoulli }

func (l *bernoulliLaw) set(from rbm.Layer) { l.Bernoulli = from.(*rbm.Bernoulli) }
func (l *bernoulliLaw) fields() []float64  { return l.Fields }
func (l *bernoulliLaw) words() int         { return wordsFor(len(l.Fields)) }

func (l *bernoulliLaw) draw(b *block, dst *unit.States, to int, s kernel.Stream) {
	drawBits(b, dst, to, 1, s)
}

func (l *bernoulliLaw) spin() bool                     { return false }
func (l *bernoulliLaw) means(rows []float32)           { kernel.Logistic(rows) }
func (l *bernoulliLaw) second(mean, _ float64) float64 { return mean }

func (l *bernoulliLaw) cgf(x []float64, s *kernel.LogSums) float64 { return s.Sum(x, false) }

func (l *bernoulliLaw) potential(x *unit.States, k int, _ []float64) float64 {
	return -sumSet(l.Fields, x.BitRow(k))
}
