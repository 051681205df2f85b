package theory

import "fmt"

// Relax is one step of AGS without noise, h' = f(I(m)), m'_c = tanh x_c(h'): the thermalization-like solution of the
// equations of motion, along which δΦ = 0 and f decreases. It returns the order parameters of m' and h'.
func (l *Landscape) Relax(m []float64) (next, h []float64, err error) {
	u, err := l.Field(m)
	if err != nil {
		return nil, nil, err
	}
	h = l.relaxField(u)
	return l.Order(h), h, nil
}

// relaxField is the relaxation map on fields: the state of field u goes to the state whose field is the hidden value
// drawn.
func (l *Landscape) relaxField(u []float64) []float64 {
	h := make([]float64, l.units)
	l.tilt(u, h, nil)
	for mu, v := range l.hidden {
		h[mu] = v.Transfer(h[mu])
	}
	return h
}

// Instanton is the inverse of Relax, the solution of the equations of motion that climbs the free energy: m_c = tanh
// x_c(h'), h' = f(I(m')), along which δΦ = f(m') − f(m). It returns the order parameters of m' and h', or an error
// where no state relaxes to m (too close to saturation, or a hidden unit at a kink of its potential).
func (l *Landscape) Instanton(m []float64) (next, h []float64, err error) {
	if err := l.continuous("instantons"); err != nil {
		return nil, nil, err
	}
	h, err = l.Field(m)
	if err != nil {
		return nil, nil, err
	}
	u, err := l.instantonField(h)
	if err != nil {
		return nil, nil, fmt.Errorf("no state relaxes to %v: %w", m, err)
	}
	return l.Order(u), h, nil
}

// instantonField solves U′(h) = I(u) for u.
func (l *Landscape) instantonField(h []float64) ([]float64, error) {
	input := make([]float64, l.units)
	for mu, v := range l.hidden {
		left, right := v.slopes(h[mu])
		if left != right {
			return nil, fmt.Errorf("hidden unit %d would be at %g, where its potential %s has a kink or is infinite",
				mu+1, h[mu], v)
		}
		input[mu] = left
	}
	u, ok := l.fieldOfInputs(input)
	if !ok {
		return nil, fmt.Errorf("the inputs %v that its hidden units need are out of reach of the visible layer", input)
	}
	return u, nil
}
