// Package rbm is the Restricted Boltzmann Machine: layers of units, weights,
// energies, conditional laws, gauges, exact enumeration and the model file.
//
// The energy is E(v,h) = −Σ W_iμ v_i h_μ + Σ V_i(v_i) + Σ U_μ(h_μ). A unit that
// receives the input I has the law e^{−U(h)+hI−Γ(I)}, where Γ is the cumulant
// generating function of its potential. Everything here is float64 and works on one
// configuration at a time, as a slice with one number a unit; batches of chains are
// the business of package sampler.
package rbm

import (
	"fmt"
	"math"

	"instanton/unit"
)

// Layer is a layer of independent units of one type, with its potentials. Inputs I
// have Width entries (q in a row for each Potts unit), configurations x have one
// entry a unit.
type Layer interface {
	Spec() unit.Spec
	// Params lists the parameters by the names they have in files. The slices are the
	// layer's own: writing to them changes the layer. Every potential is linear in them.
	Params() []Param

	// Potential is Σ_i V_i(x_i).
	Potential(x []float64) float64
	// Slope sets dst (Width) to V_i'(x_i); for discrete units, to the derivative of the
	// potential's linear continuation.
	Slope(dst, x []float64)

	// CGF is Σ_i Γ_i(I_i), where Γ_i(I) = log Σ_x e^{−V_i(x)+xI} (an integral for real units).
	CGF(I []float64) float64
	// Mean sets dst (Width) to Γ'(I) = ⟨x|I⟩; for Potts units, to the probability of each state.
	Mean(dst, I []float64)
	// Variance sets dst (Width) to Γ''(I).
	Variance(dst, I []float64)
	// Mode sets x to the most likely configuration.
	Mode(x, I []float64)

	// AddStatistics adds scale·∂V/∂params at x to the parameters of g, a layer of the
	// same shape that holds a gradient.
	AddStatistics(g Layer, x []float64, scale float64)
	// AddMeanStatistics adds scale·⟨∂V/∂params⟩ given the inputs, which is −∂Γ/∂params.
	AddMeanStatistics(g Layer, I []float64, scale float64)
	// AddField changes every potential from V(x) to V(x) − c·x; c has Width entries.
	AddField(c []float64)

	// Draw sets configuration k of dst to an exact draw given the inputs, by means of
	// Words random words.
	Draw(dst *unit.States, k int, I []float32, words []uint32)
	Words() int
}

// Param is a named parameter array of a layer.
type Param struct {
	Name     string
	Shape    []int
	Data     []float64
	Positive bool // γ of a quadratic potential: must be above zero
}

// NewLayer returns a layer with potentials that are zero for discrete units and
// x²/2 for real ones.
func NewLayer(spec unit.Spec) (Layer, error) {
	if err := spec.Check(); err != nil {
		return nil, err
	}
	l := zeroLayer(spec)
	for _, p := range l.Params() {
		if p.Positive {
			for i := range p.Data {
				p.Data[i] = 1
			}
		}
	}
	return l, nil
}

// zeroLayer returns a layer whose parameters are all zero: the shape of a gradient.
func zeroLayer(spec unit.Spec) Layer {
	zeros := func() []float64 { return make([]float64, spec.Width()) }
	switch spec.Type {
	case unit.Spin:
		return &Spin{Fields: zeros()}
	case unit.Bernoulli:
		return &Bernoulli{Fields: zeros()}
	case unit.Potts:
		return &Potts{Q: spec.Q, Fields: zeros()}
	case unit.Gaussian:
		return &Gaussian{Gamma: zeros(), Theta: zeros()}
	case unit.ReLU:
		return &ReLU{Gamma: zeros(), Theta: zeros()}
	case unit.DReLU:
		return &DReLU{GammaPlus: zeros(), GammaMinus: zeros(), ThetaPlus: zeros(), ThetaMinus: zeros()}
	}
	panic(fmt.Sprintf("rbm: no layer for %v", spec))
}

// cloneLayer returns a copy that shares nothing with l.
func cloneLayer(l Layer) Layer {
	c := zeroLayer(l.Spec())
	to := c.Params()
	for k, p := range l.Params() {
		copy(to[k].Data, p.Data)
	}
	return c
}

// scaleLayer changes every potential from V to βV.
func scaleLayer(l Layer, beta float64) {
	for _, p := range l.Params() {
		for i := range p.Data {
			p.Data[i] *= beta
		}
	}
}

// checkLayer reports a parameter that no model can have.
func checkLayer(l Layer) error {
	for _, p := range l.Params() {
		for i, x := range p.Data {
			if !(math.Abs(x) <= maxParameter) {
				return fmt.Errorf("%s[%d] is %g: expected a number of size at most %g", p.Name, i, x, maxParameter)
			}
			if p.Positive && x < 1/maxParameter {
				return fmt.Errorf("%s[%d] is %g: expected a positive number, else the potential is not bounded below", p.Name, i, x)
			}
		}
	}
	return nil
}

// maxParameter bounds parameters so that energies stay finite.
const maxParameter = 1e50

// vector describes a parameter with one entry a unit.
func vector(name string, data []float64) Param {
	return Param{Name: name, Shape: []int{len(data)}, Data: data}
}

// curvature describes a γ, which must be positive.
func curvature(name string, data []float64) Param {
	return Param{Name: name, Shape: []int{len(data)}, Data: data, Positive: true}
}
