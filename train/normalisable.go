package train

import (
	"fmt"
	"math"
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
		t.scaleWeights(shrink)
		err = t.model.Validate()
	}
	if err != nil {
		return fmt.Errorf("%w (%w)", t.diverged("the sum over all states", math.Inf(1)), err)
	}
	return nil
}

// scaleWeights multiplies W, at fixed fields of the centred energy.
func (t *Trainer) scaleWeights(s float64) {
	clear(t.toHidden)
	for i := range t.toVisible {
		row := t.model.Row(i)
		t.toVisible[i] = (1 - s) * dot(row, t.coords.lambda)
		subtractScaled(t.toHidden, (s-1)*t.coords.mu[i], row)
		multiply(row, s)
	}
	if t.coords.centred {
		t.model.Visible.AddField(t.toVisible)
		t.model.Hidden.AddField(t.toHidden)
	}
	t.wNorm *= s
}

// checkRestored refuses parameters that no training has; two real layers may be just
// across the border between two looks.
func (t *Trainer) checkRestored() error {
	if !t.bothReal() {
		return t.model.Validate()
	}
	if t.wNorm-t.wNorm != 0 {
		return fmt.Errorf("the norm of the weights is %g: expected a finite number", t.wNorm)
	}
	apart := t.model.Clone()
	clear(apart.W)
	return apart.Validate()
}
