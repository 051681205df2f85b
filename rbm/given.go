package rbm

import (
	"fmt"

	"instanton/internal/vec"
)

// Given returns the model of some visible units given the values of the others, P(v_free | v_clamped). It is an RBM
// again: the inputs from the clamped units become fields of the hidden ones. For every configuration,
//
//	E_eff(v) = E_eff(v_free) + offset,
//
// where offset is the potential of the clamped units. The free units keep their order; patterns are left out.
func (m *RBM) Given(clamped []bool, v []float64) (free *RBM, offset float64, err error) {
	spec := m.Visible.Spec()
	if len(clamped) != spec.N || len(v) != spec.N {
		return nil, 0, fmt.Errorf("%d marks and %d values for %d visible units", len(clamped), len(v), spec.N)
	}
	var units []int
	for i, c := range clamped {
		if !c {
			units = append(units, i)
		}
	}
	if len(units) == 0 {
		return nil, 0, fmt.Errorf("all %d visible units are clamped: expected at least one that is free", spec.N)
	}
	free = &RBM{Hidden: cloneLayer(m.Hidden), Info: m.Info}
	spec.N = len(units)
	free.Visible = ZeroLayer(spec)
	to := free.Visible.Params()
	for k, p := range m.Visible.Params() {
		takeUnits(to[k].Data, p.Data, units)
	}
	width := m.Hidden.Spec().Width()
	free.W = make([]float64, spec.Width()*width)
	takeUnits(free.W, m.W, units)

	// Inputs are linear: those of all units, less those of the free ones.
	all, own := make([]float64, width), make([]float64, width)
	x := make([]float64, len(units))
	for k, i := range units {
		x[k] = v[i]
	}
	m.Inputs(all, v)
	free.Inputs(own, x)
	vec.AddScaled(all, -1, own)
	free.Hidden.AddField(all)
	return free, m.Visible.Potential(v) - free.Visible.Potential(x), nil
}

// takeUnits copies what belongs to the given units; src has equally much for each unit of the layer.
func takeUnits(dst, src []float64, units []int) {
	share := len(dst) / len(units)
	for k, i := range units {
		copy(dst[k*share:(k+1)*share], src[i*share:(i+1)*share])
	}
}

// Tilted returns the model with a field added to one hidden unit, which changes the law of the visible ones: a
// positive field favours configurations that drive the unit up.
func (m *RBM) Tilted(unit int, field float64) (*RBM, error) {
	spec := m.Hidden.Spec()
	if unit < 0 || unit >= spec.N {
		return nil, fmt.Errorf("hidden unit %d: expected 0 to %d", unit, spec.N-1)
	}
	if spec.Channels() != 1 {
		return nil, fmt.Errorf("hidden units are %s: expected units with one input, whose mean a field can move", spec)
	}
	t := m.Clone()
	t.Patterns = nil
	c := make([]float64, spec.Width())
	c[unit] = field
	t.Hidden.AddField(c)
	return t, t.Validate()
}

// WithHidden returns the model of the visible units and the other hidden ones given the value of one hidden unit.
func (m *RBM) WithHidden(unit int, value float64) (*RBM, error) {
	spec := m.Hidden.Spec()
	if unit < 0 || unit >= spec.N {
		return nil, fmt.Errorf("hidden unit %d: expected 0 to %d", unit, spec.N-1)
	}
	if err := spec.Allows(value); err != nil {
		return nil, fmt.Errorf("hidden unit %d: %w", unit, err)
	}
	clamped, h := make([]bool, spec.N), make([]float64, spec.N)
	clamped[unit], h[unit] = true, value
	free, _, err := m.Transpose().Given(clamped, h)
	if err != nil {
		return nil, err
	}
	t := free.Transpose()
	t.Info = m.Info
	return t, t.Validate()
}
