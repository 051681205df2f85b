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

// columnSums sets sums to those of |W| of every hidden unit, the same for all channels of
// one, and returns what l1b multiplies their squares with.
func (r Regularize) columnSums(sums []float64, m *rbm.RBM) (scale float64) {
	cols := len(sums)
	clear(sums)
	for lo := 0; lo < len(m.W); lo += cols {
		for mu, w := range m.W[lo : lo+cols] {
			sums[mu] += math.Abs(w)
		}
	}
	if q := m.Hidden.Spec().Channels(); q > 1 {
		for lo := 0; lo < cols; lo += q {
			var unit float64
			for _, x := range sums[lo : lo+q] {
				unit += x
			}
			for a := range q {
				sums[lo+a] = unit
			}
		}
	}
	scale = r.L1b
	if v := m.Visible.Spec(); v.Type == unit.Potts {
		scale /= float64(v.Width())
	}
	return scale
}

// Cost is the value of all terms but the penalty, which depends on data.
func (r Regularize) Cost(m *rbm.RBM) float64 {
	var l1, l2, fields, l1b float64
	for _, w := range m.W {
		l1 += math.Abs(w)
		l2 += w * w
	}
	for _, p := range m.Visible.Params() {
		if !p.Positive { // a field, or θ
			fields += squares(p.Data)
		}
	}
	sums := make([]float64, m.Hidden.Spec().Width())
	scale := r.columnSums(sums, m)
	l1b = squares(sums) / float64(m.Hidden.Spec().Channels())
	return r.L1*l1 + scale/2*l1b + r.L2/2*l2 + r.FieldL2/2*fields
}

// subtractRow takes the gradient of l1, l1b and l2 by a row of weights off g, given what
// columnCosts says.
func (r Regularize) subtractRow(g, w, columns []float64) {
	for mu, x := range w {
		if x != 0 {
			g[mu] -= math.Copysign(columns[mu], x) + r.L2*x
		}
	}
}

// onWeights tells whether any term depends on the weights.
func (r Regularize) onWeights() bool { return r.L1 != 0 || r.L1b != 0 || r.L2 != 0 }

// columnCosts sets dst to the derivative of l1 and l1b by the absolute value of a weight of
// every hidden unit.
func (r Regularize) columnCosts(dst []float64, m *rbm.RBM) {
	clear(dst)
	scale := 0.0
	if r.L1b != 0 {
		scale = r.columnSums(dst, m)
	}
	for mu := range dst {
		dst[mu] = r.L1 + scale*dst[mu]
	}
}

// subtractFields takes the gradient of field_l2 off that of the visible layer.
func (r Regularize) subtractFields(g, visible params) {
	for k, p := range visible.data {
		if r.FieldL2 != 0 && !visible.positive[k] {
			subtractScaled(g.data[k], r.FieldL2, p)
		}
	}
}
