package jump

import (
	"instanton/batch"
	"instanton/unit"
)

// Proposal is a normalised law q on the configurations of one layer: it can be drawn from, and the probability of
// any configuration is known. Q is a density if the units are real.
type Proposal interface {
	// Name says what kind of law it is.
	Name() string
	// Spec is the layer.
	Spec() unit.Spec
	// Cost is the number of multiplications that one draw, or one log q, takes: proposals are compared by it.
	Cost() float64
	// Drawer returns what one goroutine needs.
	Drawer() Drawer
}

// Drawer draws from a proposal and scores configurations, for one goroutine at a time. The result for a row does not
// depend on the other rows. After the first call it should not allocate.
type Drawer interface {
	// Draw sets rows of dst, starting at row to, to draws, and logq to their log-probabilities: one row per entry.
	// The random numbers of row k are those of chain s.Chain+k.
	Draw(dst *unit.States, to int, logq []float64, s batch.Stream)
	// Score sets logq to log q of rows of x, starting at row from.
	Score(logq []float64, x *unit.States, from int)
}
