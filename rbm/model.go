package rbm

import (
	"fmt"
	"math"
	"slices"

	"instanton/unit"
)

// RBM is a Restricted Boltzmann Machine.
type RBM struct {
	Visible, Hidden Layer
	W               []float64 // Visible.Width rows of Hidden.Width columns

	// Patterns are configurations the model was built to store, if any.
	Patterns *unit.States
	// Info says where the model comes from: how it was built, the alphabet of its data.
	Info map[string]string
}

// New returns a model with zero weights and the default potentials of NewLayer.
func New(visible, hidden unit.Spec) (*RBM, error) {
	v, err := NewLayer(visible)
	if err != nil {
		return nil, fmt.Errorf("visible layer: %w", err)
	}
	h, err := NewLayer(hidden)
	if err != nil {
		return nil, fmt.Errorf("hidden layer: %w", err)
	}
	if size := float64(visible.Width()) * float64(hidden.Width()); size > maxWeights {
		return nil, fmt.Errorf("%s with %s needs %.3g weights: expected at most %.3g",
			visible, hidden, size, float64(maxWeights))
	}
	return &RBM{Visible: v, Hidden: h, W: make([]float64, visible.Width()*hidden.Width())}, nil
}

// maxWeights bounds the memory a mistyped size can ask for (2 GiB of weights).
const maxWeights = 1 << 28

// Row returns the weights of visible channel c, one for each hidden channel.
func (m *RBM) Row(c int) []float64 {
	width := m.Hidden.Spec().Width()
	return m.W[c*width : (c+1)*width]
}

// Clone returns a copy that shares nothing with m.
func (m *RBM) Clone() *RBM {
	c := *m
	c.Visible, c.Hidden, c.W = cloneLayer(m.Visible), cloneLayer(m.Hidden), slices.Clone(m.W)
	return &c
}

// Transpose returns the model with its layers exchanged: the hidden units of one model are the visible units of the
// next in a stack. It shares nothing with m and keeps neither patterns nor info.
func (m *RBM) Transpose() *RBM {
	rows, cols := m.Visible.Spec().Width(), m.Hidden.Spec().Width()
	t := &RBM{Visible: cloneLayer(m.Hidden), Hidden: cloneLayer(m.Visible), W: make([]float64, rows*cols)}
	for r := range rows {
		for c := range cols {
			t.W[c*rows+r] = m.W[r*cols+c]
		}
	}
	return t
}

// Validate reports what keeps the model from being a probability distribution.
func (m *RBM) Validate() error {
	if err := checkLayer(m.Visible); err != nil {
		return fmt.Errorf("visible layer: %w", err)
	}
	if err := checkLayer(m.Hidden); err != nil {
		return fmt.Errorf("hidden layer: %w", err)
	}
	if want := m.Visible.Spec().Width() * m.Hidden.Spec().Width(); len(m.W) != want {
		return fmt.Errorf("the weights W have %d entries: expected %d for %s with %s",
			len(m.W), want, m.Visible.Spec(), m.Hidden.Spec())
	}
	cols := m.Hidden.Spec().Width()
	for k, w := range m.W {
		if !(math.Abs(w) <= maxParameter) {
			return fmt.Errorf("weight W[%d,%d] is %g: expected a number of size at most %g",
				k/cols, k%cols, w, maxParameter)
		}
	}
	return m.checkNormalisable()
}
