package batch

import (
	"math/bits"

	"instanton/internal/kernel"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// spinLaw is the law of ±1 units: the odds of +1 are e^{2x}.
type spinLaw struct {
	*rbm.Spin
	sum float64 // Σg
}

func (l *spinLaw) set(from rbm.Layer) {
	l.Spin = from.(*rbm.Spin)
	l.sum = vec.Sum(l.Fields)
}

func (l *spinLaw) fields() []float64 { return l.Fields }
func (l *spinLaw) words() int        { return wordsFor(len(l.Fields)) }

func (l *spinLaw) draw(b *block, dst *unit.States, to int, s kernel.Stream) {
	drawBits(b, dst, to, 2, s)
}

func (l *spinLaw) spin() bool                  { return true }
func (l *spinLaw) means(rows []float32)        { kernel.Tanh(rows) }
func (l *spinLaw) second(_, _ float64) float64 { return 1 }

func (l *spinLaw) cgf(x []float64, s *kernel.LogSums) float64 { return s.Sum(x, true) }

func (l *spinLaw) potential(x *unit.States, k int, _ []float64) float64 {
	return l.sum - 2*sumSet(l.Fields, x.BitRow(k))
}

// sumSet adds up the fields of the units whose bits are set.
func sumSet(fields []float64, row []uint64) (sum float64) {
	for i, word := range row {
		for ; word != 0; word &= word - 1 {
			sum += fields[64*i+bits.TrailingZeros64(word)]
		}
	}
	return sum
}
