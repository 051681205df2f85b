package rbm

import (
	"fmt"
	"math"

	"instanton/internal/vec"
	"instanton/unit"
)

// Layer is a layer of independent units of one type, with its potentials. Inputs I have
// Width entries (q in a row for each Potts unit), configurations x have one entry per unit.
//
// The interface is sealed: its types are Spin, Bernoulli, Potts, Gaussian, ReLU and DReLU, and
// models are composed of these. A new type is a file of this package with all that the type
// needs, and a line in the list layers.
type Layer interface {
	Spec() unit.Spec
	// Params lists the parameters by the names they have in files. The slices are the
	// layer's own: writing to them changes the layer. Every potential is linear in them.
	Params() []Param

	// Potential is Σ_i V_i(x_i).
	Potential(x []float64) float64
	// Slope sets dst (Width) to V_i'(x_i); for discrete units, to the derivative of the
	// potential's linear continuation, which does not depend on x.
	Slope(dst, x []float64)
	// AddField changes every potential from V(x) to V(x) − c·x; c has Width entries.
	AddField(c []float64)
	// Fit sets the potentials so that the units, on their own, reproduce averages over data.
	Fit(a *Averages)

	// CGF is Σ_i Γ_i(I_i), where Γ_i(I) = log Σ_x e^{−V_i(x)+xI} (an integral for real units).
	CGF(I []float64) float64
	// Mean sets dst (Width) to Γ'(I) = ⟨x|I⟩; for Potts units, to the probability of each state.
	Mean(dst, I []float64)
	// Variance sets dst (Width) to Γ''(I).
	Variance(dst, I []float64)
	// Mode sets x to the most likely configuration.
	Mode(x, I []float64)
	// Draw sets configuration k of dst to an exact draw given the inputs, by means of
	// Words random words.
	Draw(dst *unit.States, k int, I []float32, words []uint32)
	Words() int

	// AddStatistics adds scale·∂V/∂params at x to the parameters of g, a layer of the
	// same shape that holds a gradient.
	AddStatistics(g Layer, x []float64, scale float64)
	// AddMeanStatistics adds scale·⟨∂V/∂params⟩ given the inputs, which is −∂Γ/∂params.
	AddMeanStatistics(g Layer, I []float64, scale float64)
	// AddMeanResponse adds Σ_c scale_c·∂⟨x_c|I⟩/∂params, where scale has Width entries.
	// Potentials are linear in their parameters, so the derivative is −Cov(x, ∂V/∂p) in the
	// law of one unit.
	AddMeanResponse(g Layer, I, scale []float64)

	// zero returns a layer of the given shape whose parameters are all zero. Being unexported,
	// it keeps other packages from adding types.
	zero(spec unit.Spec) Layer
}

// Param is a named parameter array of a layer.
type Param struct {
	Name     string
	Shape    []int
	Data     []float64
	Positive bool // γ of a quadratic potential γx²/2, which must be above zero; else the factor of x
}

// layers has one layer of each type.
var layers = [...]Layer{
	unit.Spin:      &Spin{},
	unit.Bernoulli: &Bernoulli{},
	unit.Potts:     &Potts{},
	unit.Gaussian:  &Gaussian{},
	unit.ReLU:      &ReLU{},
	unit.DReLU:     &DReLU{},
}

// ZeroLayer returns a layer whose parameters are all zero: the shape of a gradient.
func ZeroLayer(spec unit.Spec) Layer { return layers[spec.Type].zero(spec) }

// NewLayer returns a layer with potentials that are zero for discrete units and
// x²/2 for real ones.
func NewLayer(spec unit.Spec) (Layer, error) {
	if err := spec.Check(); err != nil {
		return nil, err
	}
	l := ZeroLayer(spec)
	for _, p := range l.Params() {
		if p.Positive {
			for i := range p.Data {
				p.Data[i] = 1
			}
		}
	}
	return l, nil
}

// cloneLayer returns a copy that shares nothing with l.
func cloneLayer(l Layer) Layer {
	c := ZeroLayer(l.Spec())
	to := c.Params()
	for k, p := range l.Params() {
		copy(to[k].Data, p.Data)
	}
	return c
}

// scaleLayer changes every potential from V to βV.
func scaleLayer(l Layer, beta float64) {
	for _, p := range l.Params() {
		vec.Scale(beta, p.Data)
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
				return fmt.Errorf("%s[%d] is %g: expected a positive number, else the potential is not bounded below",
					p.Name, i, x)
			}
		}
	}
	return nil
}

// maxParameter bounds parameters so that energies, and sums of weights in float32, stay finite.
const maxParameter = 1e30

// vector describes a parameter with one entry per unit.
func vector(name string, data []float64) Param {
	return Param{Name: name, Shape: []int{len(data)}, Data: data}
}

// curvature describes a γ, which must be positive.
func curvature(name string, data []float64) Param {
	return Param{Name: name, Shape: []int{len(data)}, Data: data, Positive: true}
}
