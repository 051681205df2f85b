package mixing

import (
	"instanton/internal/rng"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Starts returns configurations in different places to start chains from: the patterns that a model stores and, if the
// visible units are spins, their opposites. For a model without patterns there is one per chain: alternately the
// configuration that a hidden unit favours, in either direction, and noise.
func Starts(m *rbm.RBM, chains int, seed uint64) *unit.States {
	if m.Patterns != nil {
		return m.PatternsAndOpposites()
	}
	out := sampler.NewChains(m, chains, seed).V
	spec := m.Hidden.Spec()
	order := rng.New(seed, rng.Start, 0, 1).Rand().Perm(spec.N) // sweep 0 belongs to the noise
	for k := range (chains + 1) / 2 {
		out.SetValues(2*k, pulled(m, order[k/2%spec.N], k%2 == 1))
	}
	return out
}

// pulled is the most likely configuration given that one hidden unit is up, or down, as far as the configuration
// itself drives it, while the others are at their means without input.
func pulled(m *rbm.RBM, mu int, down bool) []float64 {
	hidden, visible := m.Hidden.Spec(), m.Visible.Spec()
	rest, inputs := make([]float64, hidden.Width()), make([]float64, hidden.Width())
	m.Hidden.Mean(rest, inputs)
	h := append([]float64(nil), rest...)
	v, fields := make([]float64, visible.N), make([]float64, visible.Width())
	answer := func() {
		for c := range fields {
			fields[c] = vec.Dot(m.Row(c), h)
		}
		m.Visible.Mode(v, fields)
	}
	channels := hidden.Channels()
	own := h[mu*channels : (mu+1)*channels]
	state := hidden.States() - 1
	if down {
		state = 0
	}
	switch {
	case hidden.Type == unit.Potts:
		clear(own)
		own[state] = 1
		answer()
	case hidden.Type.Discrete():
		own[0] = hidden.StateValue(state)
		answer()
	default: // a real unit: drive it, and see how far it goes
		own[0]++
		if down {
			own[0] = rest[mu] - 1
		}
		answer()
		m.Inputs(inputs, v)
		mean := make([]float64, len(h))
		m.Hidden.Mean(mean, inputs)
		own[0] = mean[mu]
		answer()
	}
	return v
}
