package rbm

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

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
		return nil, fmt.Errorf("%s with %s needs %.3g weights: expected at most %.3g", visible, hidden, size, float64(maxWeights))
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

// Transpose returns the model with its layers exchanged: the hidden units of one
// model are the visible units of the next in a stack. It shares nothing with m and
// keeps neither patterns nor info.
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
		return fmt.Errorf("the weights W have %d entries: expected %d for %s with %s", len(m.W), want, m.Visible.Spec(), m.Hidden.Spec())
	}
	cols := m.Hidden.Spec().Width()
	for k, w := range m.W {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return fmt.Errorf("weight W[%d,%d] is %g: expected a finite number", k/cols, k%cols, w)
		}
	}
	return m.checkNormalisable()
}

// checkNormalisable refuses two Gaussian layers whose coupling overcomes their
// potentials: e^{−E} is integrable if and only if all singular values of
// W_iμ/√(γ_i γ_μ) are below one.
func (m *RBM) checkNormalisable() error {
	v, okV := m.Visible.(*Gaussian)
	h, okH := m.Hidden.(*Gaussian)
	if !okV || !okH {
		return nil
	}
	scaled := mat.NewDense(len(v.Gamma), len(h.Gamma), slices.Clone(m.W))
	scaled.Apply(func(i, mu int, w float64) float64 { return w / math.Sqrt(v.Gamma[i]*h.Gamma[mu]) }, scaled)
	var svd mat.SVD
	if !svd.Factorize(scaled, mat.SVDNone) {
		return errors.New("the singular values of W did not converge")
	}
	if top := svd.Values(nil)[0]; top >= 1 {
		return fmt.Errorf("the model has no normalisable distribution: the largest singular value of W/√(γγ) is %.6g, expected below 1 between Gaussian layers", top)
	}
	return nil
}
