package rbm

import (
	"math"

	"instanton/internal/vec"
	"instanton/unit"
)

// Moments are the first and second moments of a model. A Potts unit counts as the indicators of its states, so the
// sizes are widths.
type Moments struct {
	V, H []float64 // ⟨v⟩, ⟨h⟩
	VV   []float64 // ⟨v_i v_j⟩, row by row
	VH   []float64 // ⟨v_i h_μ⟩, row by row
}

// ExactMoments computes the moments by enumeration of the smaller discrete layer.
func ExactMoments(m *RBM) (*Moments, error) {
	turned, space, side, err := enumerable(m)
	if err != nil {
		return nil, err
	}
	logZ := logSum(turned, space, 1)
	nv, nh := m.Visible.Spec().Width(), m.Hidden.Spec().Width()
	zeros := func(n int) []float64 { return make([]float64, n) }
	out := &Moments{V: zeros(nv), H: zeros(nh), VV: zeros(nv * nv), VH: zeros(nv * nh)}

	x := make([]float64, space.Spec().N)
	seen := make([]float64, space.Spec().Width())         // the enumerated layer, as indicators
	mean := make([]float64, turned.Hidden.Spec().Width()) // the other layer given it
	I, variance := make([]float64, len(mean)), make([]float64, len(mean))
	for k := range space.Size() {
		space.State(x, k)
		turned.Inputs(I, x)
		p := math.Exp(turned.Hidden.CGF(I) - turned.Visible.Potential(x) - logZ)
		indicators(space.Spec(), seen, x)
		turned.Hidden.Mean(mean, I)
		if side == VisibleSide {
			vec.AddScaled(out.V, p, seen)
			vec.AddScaled(out.H, p, mean)
			addOuter(out.VV, p, seen, seen)
			addOuter(out.VH, p, seen, mean)
			continue
		}
		vec.AddScaled(out.V, p, mean)
		vec.AddScaled(out.H, p, seen)
		addOuter(out.VH, p, mean, seen)
		addOuter(out.VV, p, mean, mean)
		turned.Hidden.Variance(variance, I)
		addUnitCovariance(m.Visible.Spec(), out.VV, p, mean, variance)
	}
	return out, nil
}

// addUnitCovariance adds what independent units contribute to ⟨vv⟩ beyond the product of their means: the variance on
// the diagonal, and −p_a p_b between two states of one Potts unit.
func addUnitCovariance(spec unit.Spec, vv []float64, p float64, mean, variance []float64) {
	n, q := len(mean), spec.Channels()
	for c := range n {
		vv[c*n+c] += p * variance[c]
		for d := c - c%q; d < c-c%q+q; d++ {
			if d != c {
				vv[c*n+d] -= p * mean[c] * mean[d]
			}
		}
	}
}

// indicators expands a configuration to the layer's width.
func indicators(spec unit.Spec, dst, x []float64) {
	clear(dst)
	for i, xi := range x {
		c, factor := spec.Channel(i, xi)
		dst[c] = factor
	}
}

// addOuter adds s·a bᵀ to the matrix c.
func addOuter(c []float64, s float64, a, b []float64) {
	for i, ai := range a {
		if ai != 0 {
			vec.AddScaled(c[i*len(b):(i+1)*len(b)], s*ai, b)
		}
	}
}
