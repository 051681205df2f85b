package batch

import (
	"math"

	"instanton/internal/kernel"
	"instanton/rbm"
	"instanton/unit"
)

// pottsLaw is the law of units with q states: state a has probability ∝ e^{x_a}.
type pottsLaw struct {
	*rbm.Potts
	q int
}

func (l *pottsLaw) set(from rbm.Layer) { l.Potts = from.(*rbm.Potts) }
func (l *pottsLaw) fields() []float64  { return l.Fields }
func (l *pottsLaw) words() int         { return 0 } // kernel.Categorical draws its own

func (l *pottsLaw) draw(b *block, dst *unit.States, to int, s kernel.Stream) {
	if b.fields != nil {
		b.categorical.FromFields(dst.Codes[to*dst.Stride:], dst.Stride, b.fields, 1, s)
	} else {
		b.categorical.FromRows(dst.Codes[to*dst.Stride:], dst.Stride, b.inputs, dst.Width(), b.rows, 1, s)
	}
}

func (l *pottsLaw) second(mean, _ float64) float64 { return mean }

func (l *pottsLaw) cgf(x []float64, _ *kernel.LogSums) (sum float64) {
	for ; len(x) > 0; x = x[l.q:] {
		top := x[0]
		for _, xa := range x[1:l.q] {
			top = max(top, xa)
		}
		var z float64
		for _, xa := range x[:l.q] {
			z += math.Exp(xa - top)
		}
		sum += top + math.Log(z)
	}
	return sum
}

func (l *pottsLaw) potential(x *unit.States, k int, _ []float64) (sum float64) {
	for i, a := range x.CodeRow(k) {
		sum -= l.Fields[i*l.q+int(a)]
	}
	return sum
}
