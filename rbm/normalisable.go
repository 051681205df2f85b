package rbm

import (
	"fmt"
	"math"

	"instanton/internal/vec"
)

// checkNormalisable refuses two real layers whose coupling overcomes their potentials. With real units e^{−E} can be
// integrated only if vᵀWh stays below the quadratic potentials in every direction that the units can take, that is, if
// max vᵀW̃h < 1 over unit vectors, W̃_iμ = W_iμ/√(γ_i γ_μ), v and h not negative for ReLU units. The maximum is sought
// by optimising v and h in turn from a few starts. A value of one or more proves that the energy falls without bound
// along a direction; between Gaussian layers, where this is the power iteration for the largest singular value, no such
// direction is missed.
func (m *RBM) checkNormalisable() error {
	v, realVisible := m.Visible.(Quadratic)
	h, realHidden := m.Hidden.(Quadratic)
	if !realVisible || !realHidden {
		return nil
	}
	gv, gh := curvatures(v), curvatures(h)
	scaled := make([]float64, len(m.W))
	for i := range gv {
		for mu := range gh {
			scaled[i*len(gh)+mu] = m.W[i*len(gh)+mu] / math.Sqrt(gv[i]*gh[mu])
		}
	}
	c := coupling{w: scaled, rows: len(gv), cols: len(gh)}
	c.vLow, _ = v.Spec().Range()
	c.hLow, _ = h.Spec().Range()
	if top := c.largest(); top >= 1 {
		return fmt.Errorf("the model has no normalisable distribution: along one direction the weights overcome "+
			"the potentials, W/√(γγ) reaching %.6g, expected below 1", top)
	}
	return nil
}

// curvatures is γ of each unit, the larger one of the two sides of zero.
func curvatures(l Quadratic) []float64 {
	g := make([]float64, l.Spec().N)
	for i := range g {
		p := l.Parabolas(i)
		g[i] = max(p.Gamma[0], p.Gamma[1])
	}
	return g
}

// coupling is vᵀWh over unit vectors whose entries are not below vLow and hLow, 0 or −∞.
type coupling struct {
	w          []float64
	rows, cols int
	vLow, hLow float64
}

// largest is the largest value found from the hidden unit of the largest weight and from all hidden units at once, with
// either sign.
func (c *coupling) largest() float64 {
	best := 0
	for k, x := range c.w {
		if math.Abs(x) > math.Abs(c.w[best]) && (c.vLow < 0 || c.hLow < 0 || x > 0) {
			best = k
		}
	}
	one, ones := make([]float64, c.cols), make([]float64, c.cols)
	one[best%c.cols] = 1
	for mu := range ones {
		ones[mu] = 1 + 1e-3*float64(mu%7) // not an eigenvector by symmetry
	}
	var top float64
	for _, start := range [][]float64{one, ones} {
		for _, sign := range []float64{1, -1} {
			from := make([]float64, c.cols)
			vec.AddScaled(from, sign, start)
			top = max(top, c.climb(from))
		}
	}
	return top
}

// climb optimises v and h in turn, from h.
func (c *coupling) climb(h []float64) float64 {
	const turns = 200
	v := make([]float64, c.rows)
	normalise(h, c.hLow)
	var top float64
	for range turns {
		for i := range v {
			v[i] = vec.Dot(c.w[i*c.cols:(i+1)*c.cols], h)
		}
		normalise(v, c.vLow)
		clear(h)
		for i, x := range v {
			vec.AddScaled(h, x, c.w[i*c.cols:(i+1)*c.cols])
		}
		before := top
		top = normalise(h, c.hLow)
		if top-before <= 1e-12*top {
			break
		}
	}
	return top
}

// normalise cuts the entries of x at low, makes it a unit vector and returns its length before that.
func normalise(x []float64, low float64) float64 {
	for i := range x {
		x[i] = max(x[i], low)
	}
	length := vec.Norm(x)
	if length > 0 {
		for i := range x {
			x[i] /= length
		}
	}
	return length
}
