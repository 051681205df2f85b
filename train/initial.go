package train

import (
	"fmt"
	"math"

	"instanton/evaluate"
	"instanton/internal/rng"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// initial is the model before the first update: independent sites with the means of the data, and weights from N(0,
// scale²/N), divided by σ_i for real visible units. The fields −Wᵀ⟨v⟩ on the hidden and −W⟨h⟩ on the visible units
// cancel the effect of the weights on the mean configuration.
func initial(
	hidden unit.Spec, data Data, mean, variance []float64, scale float64, tie *Symmetry, seed uint64,
) (*rbm.RBM, error) {
	m, err := rbm.New(data.States.Spec, hidden)
	if err != nil {
		return nil, err
	}
	if m.Visible, err = evaluate.Sites(data.States, data.Weights, data.Rows); err != nil {
		return nil, err
	}
	r := rng.New(seed, rng.Weights, 0, 0).Rand()
	for k := range m.W {
		m.W[k] = r.NormFloat64() * scale / math.Sqrt(float64(data.States.N))
	}
	if !data.States.Type.Discrete() {
		for i, x := range variance {
			vec.Scale(1/math.Sqrt(max(x, leastVariance)), m.Row(i))
		}
	}
	if tie != nil {
		tie.copyWeights(m)
		tie.averageLayers(m.Visible, m.Hidden)
	}
	lambda := restMeans(m.Hidden)
	toHidden, toVisible := make([]float64, len(lambda)), make([]float64, len(mean))
	for i, mu := range mean {
		row := m.Row(i)
		vec.AddScaled(toHidden, -mu, row)
		for j, w := range row {
			toVisible[i] -= w * lambda[j]
		}
	}
	m.Hidden.AddField(toHidden)
	m.Visible.AddField(toVisible)
	m.ZeroSum()
	if tie != nil {
		tie.averageLayers(m.Visible, m.Hidden)
	}
	if err := m.Validate(); err != nil {
		return nil, fmt.Errorf("the training cannot start from weights with a scale of %g: %w; try a smaller scale",
			scale, err)
	}
	return m, nil
}

// leastVariance is the variance assigned to a real unit that is constant in the data.
const leastVariance = 1e-6

// restMeans are the means of units without input.
func restMeans(l rbm.Layer) []float64 {
	mean := make([]float64, l.Spec().Width())
	l.Mean(mean, make([]float64, len(mean)))
	return mean
}
