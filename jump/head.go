package jump

import (
	"instanton/internal/kernel"
	"instanton/unit"
)

// lanes is the number of configurations that a network works on side by side.
const lanes = kernel.PanelCols

// head is the law of one unit given the outputs of a network. Lanes of numbers are stored one channel after the
// other, lanes numbers each.
type head interface {
	in() int    // features of a unit that later units see
	out() int   // parameters of the law of a unit
	words() int // random words for one draw

	// begin sets the biases of the outputs of n units to a law that is easy to fit.
	begin(bias []float32, n int)
	// adapt takes what it needs of the configurations that will be fitted: the biases of independent units that fit.
	adapt(bias []float32, x *unit.States)

	// draw sets the values of unit i, given its outputs, from words [word][lane].
	draw(value []float32, i int, out []float32, words []uint32)
	// score multiplies p by the probability of the values of unit i, or adds its logarithm to logs.
	score(p, logs []float64, i int, value, out []float32)
	// encode sets the features of unit i.
	encode(x []float32, i int, value []float32)

	// features sets the features of all units of one configuration.
	features(x, value []float32)
	// loss sets g to −∂log q/∂out of one configuration, given all values and outputs, and returns log q.
	loss(g []float32, value, out []float32) float64
}

func newHead(spec unit.Spec) head {
	switch spec.Type {
	case unit.Spin, unit.Bernoulli:
		return &bitHead{}
	case unit.Potts:
		return newPottsHead(spec.Q)
	}
	return newRealHead(spec)
}
