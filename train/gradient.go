package train

import (
	"math"

	"instanton/unit"
)

// setGradient computes the gradient of the mean log-likelihood of the data less the
// regularisers, averages over the model being taken from the given configurations.
func (t *Trainer) setGradient(data *unit.States, dataWeights []float64, model *unit.States, modelWeights []float64) error {
	t.positive.begin(data, dataWeights, t.cfg.Regularize.Penalty, t.coords.standardised)
	t.negative.begin(model, modelWeights, 0, false)
	t.crew.do(len(t.positive.blocks)+len(t.negative.blocks), t.gatherTask)
	t.positive.finish()
	t.negative.finish()
	if !t.positive.finite() || !t.negative.finite() {
		return t.diverged("the mean of a hidden unit", math.NaN())
	}
	if t.cfg.Regularize.onWeights() {
		t.cfg.Regularize.columnCosts(t.columnCosts, t.model)
	}
	t.crew.do(len(t.shares), t.gradientTask)

	t.gVisible.clear()
	t.gHidden.clear()
	t.positive.addLayers(t.gVisible, t.gHidden, 1)
	t.negative.addLayers(t.gVisible, t.gHidden, -1)
	t.cfg.Regularize.subtractFields(t.gVisible, t.visible)
	var sum float64
	if t.tie != nil {
		t.tie.averageWeights(t.model, t.gradient.W)
		t.tie.averageLayers(t.gradient.Visible, t.gradient.Hidden)
		sum = squares(t.gradient.W)
	} else {
		for _, x := range t.rowSquares {
			sum += x
		}
	}
	t.gradNorm = math.Sqrt(sum + t.gVisible.squares() + t.gHidden.squares())
	if t.gradNorm-t.gradNorm != 0 {
		return t.diverged("the norm of the gradient", t.gradNorm)
	}
	return nil
}

// gather does a block of either phase.
func (t *Trainer) gather(_, i int) {
	if n := len(t.positive.blocks); i < n {
		t.positive.blocks[i].gather(t.positive)
	} else {
		t.negative.blocks[i-n].gather(t.negative)
	}
}

// gradientRows sets the gradient by the weights of some visible units.
func (t *Trainer) gradientRows(worker, i int) {
	s := t.shares[i]
	q, cols := t.model.Visible.Spec().Channels(), t.model.Hidden.Spec().Width()
	rows := t.gradient.W[s.lo*q*cols : s.hi*q*cols]
	clear(rows)
	t.positive.addTo(rows, t.correlations[worker][0], s, 1)
	t.negative.addTo(rows, t.correlations[worker][1], s, -1)
	for c := s.lo * q; c < s.hi*q; c++ {
		g := t.gradient.W[c*cols : (c+1)*cols]
		if t.cfg.Regularize.onWeights() {
			t.cfg.Regularize.subtractRow(g, t.model.Row(c), t.columnCosts)
		}
		t.rowSquares[c] = squares(g)
	}
}
