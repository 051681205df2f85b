package rbm

import (
	"fmt"
	"math"

	"instanton/unit"
)

// checkNormalisable refuses two real layers whose coupling overcomes their potentials.
// With real units e^{−E} can be integrated only if vᵀWh stays below the quadratic
// potentials in every direction that the units can take, that is, if
// max vᵀW̃h < 1 over unit vectors, W̃_iμ = W_iμ/√(γ_i γ_μ), v and h not negative for ReLU
// units. The maximum is climbed by turns in v and h from a few starts. What is found is a
// direction along which the energy falls without bound; between Gaussian layers, where the
// climb is the power iteration for the largest singular value, none is missed.
func (m *RBM) checkNormalisable() error {
	vSpec, hSpec := m.Visible.Spec(), m.Hidden.Spec()
	if vSpec.Type.Discrete() || hSpec.Type.Discrete() {
		return nil
	}
	gv, gh := stiffness(m.Visible), stiffness(m.Hidden)
	scaled := make([]float64, len(m.W))
	for i := range gv {
		for mu := range gh {
			scaled[i*len(gh)+mu] = m.W[i*len(gh)+mu] / math.Sqrt(gv[i]*gh[mu])
		}
	}
	if top := steepest(scaled, len(gv), len(gh), vSpec.Type, hSpec.Type); top >= 1 {
		return fmt.Errorf("the model has no normalisable distribution: along one direction the weights overcome the potentials, W/√(γγ) reaching %.6g, expected below 1", top)
	}
	return nil
}

// stiffness is γ of each unit, the larger one of dReLU units.
func stiffness(l Layer) []float64 {
	switch l := l.(type) {
	case *Gaussian:
		return l.Gamma
	case *ReLU:
		return l.Gamma
	case *DReLU:
		g := make([]float64, len(l.GammaPlus))
		for i := range g {
			g[i] = max(l.GammaPlus[i], l.GammaMinus[i])
		}
		return g
	}
	panic("rbm: discrete units have no stiffness")
}

// steepest climbs vᵀWh over unit vectors from the hidden unit of the largest weight and
// from all of them, with either sign.
func steepest(w []float64, rows, cols int, v, h unit.Type) float64 {
	largest := 0
	for k, x := range w {
		if math.Abs(x) > math.Abs(w[largest]) && (v != unit.ReLU || h != unit.ReLU || x > 0) {
			largest = k
		}
	}
	one, ones := make([]float64, cols), make([]float64, cols)
	one[largest%cols] = 1
	for mu := range ones {
		ones[mu] = 1 + 1e-3*float64(mu%7) // not an eigenvector by symmetry
	}
	var top float64
	for _, start := range [][]float64{one, ones} {
		for _, sign := range []float64{1, -1} {
			from := make([]float64, cols)
			axpy(from, sign, start)
			top = max(top, climb(w, rows, cols, v, h, from))
		}
	}
	return top
}

func climb(w []float64, rows, cols int, vType, hType unit.Type, h []float64) float64 {
	const turns = 200
	v := make([]float64, rows)
	normalise(h, hType)
	var top float64
	for range turns {
		for i := range v {
			v[i] = dot(w[i*cols:(i+1)*cols], h)
		}
		normalise(v, vType)
		clear(h)
		for i, x := range v {
			axpy(h, x, w[i*cols:(i+1)*cols])
		}
		before := top
		top = normalise(h, hType)
		if top-before <= 1e-12*top {
			break
		}
	}
	return top
}

// normalise makes a unit vector of what a layer can take of x and returns its length.
func normalise(x []float64, t unit.Type) float64 {
	var sum float64
	for i, v := range x {
		if t == unit.ReLU && v < 0 {
			x[i] = 0
		}
		sum += x[i] * x[i]
	}
	length := math.Sqrt(sum)
	if length > 0 {
		for i := range x {
			x[i] /= length
		}
	}
	return length
}
