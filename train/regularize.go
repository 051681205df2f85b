package train

import (
	"math"

	"instanton/rbm"
	"instanton/unit"
)

// Regularize are the terms that are taken off the mean log-likelihood:
//
//	l1        λ Σ|W_iμ|
//	l1b       (λ/2) Σ_μ (Σ_i|W_iμ|)², for Potts visible units divided by their N·q channels
//	l2        (λ/2) Σ W_iμ²
//	field_l2  (λ/2) Σ g_i² over the visible fields (θ of real units)
//	penalty   (λ/L) Σ_ℓ Σ_{μ≠ν} |f_μ(v^ℓ) f_ν(v^ℓ)|, where f_μ(v) = ⟨h_μ|v⟩
//
// The penalty turns the hidden units of a Hopfield-like model towards the patterns: it is
// least when every sample excites one of them.
type Regularize struct {
	L1      float64 `toml:"l1" json:"l1"`
	L1b     float64 `toml:"l1b" json:"l1b"`
	L2      float64 `toml:"l2" json:"l2"`
	FieldL2 float64 `toml:"field_l2" json:"field_l2"`
	Penalty float64 `toml:"penalty" json:"penalty"`
}

// columns returns the sums of |W| of every hidden unit, and what l1b multiplies their
// squares with.
func (r Regularize) columns(m *rbm.RBM) (sums []float64, scale float64) {
	cols := m.Hidden.Spec().Width()
	sums = make([]float64, cols)
	for lo := 0; lo < len(m.W); lo += cols {
		for mu, w := range m.W[lo : lo+cols] {
			sums[mu] += math.Abs(w)
		}
	}
	scale = r.L1b
	if v := m.Visible.Spec(); v.Type == unit.Potts {
		scale /= float64(v.Width())
	}
	return sums, scale
}

// Cost is the value of all terms but the penalty, which depends on data.
func (r Regularize) Cost(m *rbm.RBM) float64 {
	var l1, l2, fields, l1b float64
	for _, w := range m.W {
		l1 += math.Abs(w)
		l2 += w * w
	}
	for _, p := range fieldParams(m.Visible) {
		fields += squares(p)
	}
	sums, scale := r.columns(m)
	l1b = squares(sums)
	return r.L1*l1 + scale/2*l1b + r.L2/2*l2 + r.FieldL2/2*fields
}

// subtractGradient takes the gradient of Cost off g.
func (r Regularize) subtractGradient(g *rbm.Gradient, m *rbm.RBM) {
	if r.L1 != 0 || r.L1b != 0 || r.L2 != 0 {
		sums, scale := r.columns(m)
		for mu := range sums {
			sums[mu] = r.L1 + scale*sums[mu]
		}
		for lo := 0; lo < len(m.W); lo += len(sums) {
			to := g.W[lo : lo+len(sums)]
			for mu, w := range m.W[lo : lo+len(sums)] {
				if w != 0 {
					to[mu] -= math.Copysign(sums[mu], w) + r.L2*w
				}
			}
		}
	}
	if r.FieldL2 != 0 {
		to := fieldParams(g.Visible)
		for k, p := range fieldParams(m.Visible) {
			subtractScaled(to[k], r.FieldL2, p)
		}
	}
}

// fieldParams are the linear parameters of a layer: its fields, or θ.
func fieldParams(l rbm.Layer) [][]float64 {
	var fields [][]float64
	for _, p := range l.Params() {
		if !p.Positive {
			fields = append(fields, p.Data)
		}
	}
	return fields
}
