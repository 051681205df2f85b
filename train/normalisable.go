package train

import (
	"fmt"
	"math"

	"instanton/internal/special"
	"instanton/internal/vec"
	"instanton/rbm"
)

// A model of two real layers is normalisable only if its weights do not overcome its potentials. Strongly correlated
// data pull the weights close to that limit, and a noisy step may cross it: then all weights are shrunk a little, with
// the fields compensated as in a step. Far beyond the limit the training has diverged.
const (
	holdEvery = 16 // updates between checks; a check takes as long as a few updates
	shrink    = 0.98
	shrinks   = 10 // at most this many in a row
)

// bothReal tells whether the model may fail to be normalisable.
func bothReal(m *rbm.RBM) bool {
	return !m.Visible.Spec().Type.Discrete() && !m.Hidden.Spec().Type.Discrete()
}

// hold keeps the model normalisable after the update of the given number.
func (t *Trainer) hold(update int) error {
	if !bothReal(t.model) || update%holdEvery != 0 && update%t.batches.perEpoch != 0 {
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

// checkRestored refuses parameters that no training reaches. Between two checks, a model of two real layers may be just
// beyond the limit.
func checkRestored(m *rbm.RBM) error {
	if !bothReal(m) {
		return m.Validate()
	}
	if norm := vec.Norm(m.W); !special.Finite(norm) {
		return fmt.Errorf("the norm of the weights is %g: expected a finite number", norm)
	}
	uncoupled := m.Clone()
	clear(uncoupled.W)
	return uncoupled.Validate()
}
