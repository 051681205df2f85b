package rbm

import (
	"fmt"
	"math"

	"instanton/internal/rng"
	"instanton/unit"
)

// Random draws a model: weights from N(0, scale²/N), fields and θ from N(0, scale²/4), γ = e^{0.2z} with z from N(0,
// 1).
func Random(visible, hidden unit.Spec, scale float64, seed uint64) (*RBM, error) {
	if !(scale >= 0 && scale <= 1e40) {
		return nil, fmt.Errorf("scale %g: expected a number from 0 to 1e40", scale)
	}
	m, err := New(visible, hidden)
	if err != nil {
		return nil, err
	}
	r := rng.New(seed, rng.Weights, 0, 0).Rand()
	for k := range m.W {
		m.W[k] = scale / math.Sqrt(float64(visible.N)) * r.NormFloat64()
	}
	for k, l := range []Layer{m.Visible, m.Hidden} {
		r := rng.New(seed, rng.Fields, uint32(k), 0).Rand()
		for _, p := range l.Params() {
			for i := range p.Data {
				if p.Positive {
					p.Data[i] = math.Exp(0.2 * r.NormFloat64())
				} else {
					p.Data[i] = scale / 2 * r.NormFloat64()
				}
			}
		}
	}
	if err := m.Validate(); err != nil {
		return nil, fmt.Errorf("scale %g is too large: %w", scale, err)
	}
	m.Info = map[string]string{"builder": "random"}
	return m, nil
}
