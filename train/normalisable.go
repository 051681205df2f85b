package train

import (
	"fmt"
	"math"

	"instanton/internal/special"
)

// Two real layers have a law only as long as their weights do not overcome their
// potentials. Strongly correlated data pull the weights close to that border, and a noisy
// step may lead across it: then all of them are shrunk a little, with the fields
// compensated as in a step. Much beyond it a training has diverged.
const (
	holdEvery = 16 // updates from one look to the next, which takes as long as some of them
	shrink    = 0.98
	shrinks   = 10 // in a row at most
)

// bothReal tells whether a law is in question.
func (t *Trainer) bothReal() bool {
	return !t.model.Visible.Spec().Type.Discrete() && !t.model.Hidden.Spec().Type.Discrete()
}

// hold keeps the model normalisable after an update of the given number.
func (t *Trainer) hold(update int) error {
	if !t.bothReal() || update%holdEvery != 0 && update%t.batches.perEpoch != 0 {
		return nil
	}
	err := t.model.Validate()
	for try := 0; err != nil && try < shrinks; try++ {
		t.ascent.scaleWeights(shrink)
		err = t.model.Validate()
	}
	if err != nil {
		return fmt.Errorf("%w (%w)", diverged("the sum over all states", math.Inf(1)), err)
	}
	return nil
}

// checkRestored refuses parameters that no training has; two real layers may be just
// across the border between two looks.
func (t *Trainer) checkRestored() error {
	if !t.bothReal() {
		return t.model.Validate()
	}
	if !special.Finite(t.ascent.weightNorm) {
		return fmt.Errorf("the norm of the weights is %g: expected a finite number", t.ascent.weightNorm)
	}
	apart := t.model.Clone()
	clear(apart.W)
	return apart.Validate()
}
