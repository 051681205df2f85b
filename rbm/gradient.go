package rbm

import "instanton/internal/vec"

// Gradient holds the derivative of an energy with respect to every parameter of a model; it has the shape of the model
// itself.
type Gradient struct {
	Visible, Hidden Layer
	W               []float64
}

// NewGradient returns a gradient of zeros in the shape of m.
func (m *RBM) NewGradient() *Gradient {
	return &Gradient{
		Visible: ZeroLayer(m.Visible.Spec()),
		Hidden:  ZeroLayer(m.Hidden.Spec()),
		W:       make([]float64, len(m.W)),
	}
}

// AddGradient adds scale·∂E_eff(v)/∂Θ to g: the statistics of v for the visible potentials, the mean statistics of h
// given v for the hidden ones, −v_i⟨h_μ|v⟩ for W.
func (m *RBM) AddGradient(g *Gradient, v []float64, scale float64) {
	cols := m.Hidden.Spec().Width()
	I, mean := make([]float64, cols), make([]float64, cols)
	m.Inputs(I, v)
	m.Hidden.Mean(mean, I)
	m.Visible.AddStatistics(g.Visible, v, scale)
	m.Hidden.AddMeanStatistics(g.Hidden, I, scale)
	spec := m.Visible.Spec()
	for i, x := range v {
		c, factor := spec.Channel(i, x)
		vec.AddScaled(g.W[c*cols:(c+1)*cols], -scale*factor, mean)
	}
}

// Slope sets dst (visible width) to ∂E_eff/∂v = V'(v) − W⟨h|v⟩. For discrete units it is the derivative of the linear
// continuation, for Potts units with respect to the indicator of each state.
func (m *RBM) Slope(dst, v []float64) {
	cols := m.Hidden.Spec().Width()
	I, mean := make([]float64, cols), make([]float64, cols)
	m.Inputs(I, v)
	m.Hidden.Mean(mean, I)
	m.Visible.Slope(dst, v)
	for c := range dst {
		dst[c] -= vec.Dot(m.Row(c), mean)
	}
}
