package latent

import (
	"instanton/internal/rng"
	"instanton/unit"
)

// stateMover draws a block of discrete hidden units from its law, enumerated state by state. Every draw counts as
// accepted.
type stateMover struct {
	*visibleSum
	spec     unit.Spec
	field    []float64 // of the hidden channels
	columns  [][]float64
	x        []float64
	state    []int
	logits   []float64
	original []int
}

func newStateMover(k *Kernel, s *visibleSum) *stateMover {
	spec := k.proposal.Hidden.Spec()
	m := &stateMover{
		visibleSum: s, spec: spec, field: make([]float64, spec.Width()), columns: k.columns,
		x: make([]float64, k.proposal.Visible.Spec().Width()), state: make([]int, spec.N),
		original: make([]int, spec.N),
		logits:   make([]float64, maxEnumerated),
	}
	k.proposal.Hidden.Slope(m.field, nil)
	return m
}

func (m *stateMover) prepare([]int) {}

// shift adds times·(the contribution of unit μ in state a) to the fields, and returns −U of it.
func (m *stateMover) shift(x []float64, mu, a int, times float64) float64 {
	channel := mu*m.spec.Channels() + a
	value := 1.0
	if m.spec.Type != unit.Potts {
		channel, value = mu, m.spec.StateValue(a)
	}
	if value != 0 {
		for i, w := range m.columns[channel] {
			x[i] += times * value * w
		}
	}
	return -m.field[channel] * value
}

func (m *stateMover) move(c *chain, units []int, words, _ [4]uint32) {
	states := m.spec.States()
	size := 1
	copy(m.x, c.x)
	for k, mu := range units {
		m.original[k] = m.spec.StateIndex(c.h[mu])
		m.state[k] = 0
		m.shift(m.x, mu, m.original[k], -1)
		size *= states
	}
	var own [32]float64 // −U of each unit in its state
	for k, mu := range units {
		own[k] = m.shift(m.x, mu, 0, 1)
	}
	logits := m.logits[:size]
	for n := range logits {
		var sum float64
		for k := range units {
			sum += own[k]
		}
		logits[n] = sum + m.total(m.x)
		for k, mu := range units { // advance to the next state
			m.shift(m.x, mu, m.state[k], -1)
			m.state[k] = (m.state[k] + 1) % states
			own[k] = m.shift(m.x, mu, m.state[k], 1)
			if m.state[k] != 0 {
				break
			}
		}
	}
	n := rng.Categorical(logits, rng.Uniform(words[0]))
	for k, mu := range units {
		a := n % states
		n /= states
		if a != m.original[k] {
			m.shift(c.x, mu, m.original[k], -1)
			m.shift(c.x, mu, a, 1)
			c.h[mu] = m.spec.StateValue(a)
		}
	}
	c.proposed++
	c.accepted++
}
