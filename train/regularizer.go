package train

import (
	"math"

	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// Regularizer is a term that is subtracted from the mean log-likelihood. It says what it acts on by implementing one or
// more of WeightTerm, FieldTerm and MeanTerm.
type Regularizer interface {
	// Cost is the value of the term for a model, without any part that depends on the data.
	Cost(m *rbm.RBM) float64
}

// WeightTerm is a regulariser of the weights.
type WeightTerm interface {
	Regularizer
	// OnWeights is called before an update and returns a function that subtracts from g the derivatives with respect to
	// the weights w of one visible channel to all hidden ones. Calls of that function for different channels may be
	// concurrent.
	OnWeights(m *rbm.RBM) func(g, w []float64)
}

// FieldTerm is a regulariser of the fields of visible units; for real units these are the parameters θ.
type FieldTerm interface {
	Regularizer
	// OnFields subtracts from g the derivatives with respect to the fields.
	OnFields(g, fields []float64)
}

// MeanTerm is a regulariser of the conditional means f_μ(v) = ⟨h_μ|v⟩, averaged over the data. Potts hidden units have
// none.
type MeanTerm interface {
	Regularizer
	// OnMeans sets d to w times the derivatives with respect to the means f of a sample. Calls for different samples
	// may be concurrent.
	OnMeans(d, f []float64, w float64)
}

// L1 is λ Σ|W_iμ|, which makes weights sparse.
type L1 float64

// L2 is (λ/2) Σ W_iμ².
type L2 float64

// L1b is (λ/2) Σ_μ (Σ_i|W_iμ|)², which makes the weights of all hidden units equally sparse. The inner sum is over all
// channels of a unit; for N Potts visible units of q states the term is divided by N·q.
type L1b float64

// FieldL2 is (λ/2) Σ g_i² over the fields of visible units.
type FieldL2 float64

// Penalty is (λ/L) Σ_ℓ Σ_{μ≠ν} |f_μ(v^ℓ) f_ν(v^ℓ)| over the L samples. It aligns the hidden units of a Hopfield-like
// model with the patterns: it is smallest when every sample excites only one of them.
type Penalty float64

var (
	_ WeightTerm = L1(0)
	_ WeightTerm = L2(0)
	_ WeightTerm = L1b(0)
	_ FieldTerm  = FieldL2(0)
	_ MeanTerm   = Penalty(0)
)

// Cost implements Regularizer.
func (r L1) Cost(m *rbm.RBM) (cost float64) {
	for _, w := range m.W {
		cost += math.Abs(w)
	}
	return float64(r) * cost
}

// OnWeights implements WeightTerm.
func (r L1) OnWeights(*rbm.RBM) func(g, w []float64) {
	return func(g, w []float64) {
		for mu, x := range w {
			if x != 0 {
				g[mu] -= math.Copysign(float64(r), x)
			}
		}
	}
}

// Cost implements Regularizer.
func (r L2) Cost(m *rbm.RBM) float64 { return float64(r) / 2 * vec.SumSquares(m.W) }

// OnWeights implements WeightTerm.
func (r L2) OnWeights(*rbm.RBM) func(g, w []float64) {
	return func(g, w []float64) { vec.AddScaled(g, -float64(r), w) }
}

// Cost implements Regularizer.
func (r L1b) Cost(m *rbm.RBM) float64 {
	sums, scale := r.columnSums(m)
	return scale / 2 * vec.SumSquares(sums) / float64(m.Hidden.Spec().Channels())
}

// OnWeights implements WeightTerm.
func (r L1b) OnWeights(m *rbm.RBM) func(g, w []float64) {
	sums, scale := r.columnSums(m)
	vec.Scale(scale, sums)
	return func(g, w []float64) {
		for mu, x := range w {
			if x != 0 {
				g[mu] -= math.Copysign(sums[mu], x)
			}
		}
	}
}

// columnSums are the sums of |W| of every hidden unit, repeated for each of its channels, and the factor of their
// squares.
func (r L1b) columnSums(m *rbm.RBM) (sums []float64, scale float64) {
	sums = make([]float64, m.Hidden.Spec().Width())
	for i := range m.Visible.Spec().Width() {
		for mu, w := range m.Row(i) {
			sums[mu] += math.Abs(w)
		}
	}
	if q := m.Hidden.Spec().Channels(); q > 1 {
		for lo := 0; lo < len(sums); lo += q {
			all := vec.Sum(sums[lo : lo+q])
			for a := range q {
				sums[lo+a] = all
			}
		}
	}
	scale = float64(r)
	if v := m.Visible.Spec(); v.Type == unit.Potts {
		scale /= float64(v.Width())
	}
	return sums, scale
}

// Cost implements Regularizer.
func (r FieldL2) Cost(m *rbm.RBM) (cost float64) {
	for _, p := range m.Visible.Params() {
		if !p.Positive { // a field, or θ
			cost += vec.SumSquares(p.Data)
		}
	}
	return float64(r) / 2 * cost
}

// OnFields implements FieldTerm.
func (r FieldL2) OnFields(g, fields []float64) { vec.AddScaled(g, -float64(r), fields) }

// Cost implements Regularizer.
func (Penalty) Cost(*rbm.RBM) float64 { return 0 }

// OnMeans implements MeanTerm. Since Σ_{μ≠ν}|f_μ f_ν| = (Σ|f|)² − Σf², the derivative with respect to f_μ is 2λ
// sign(f_μ) Σ_{ν≠μ}|f_ν|.
func (r Penalty) OnMeans(d, f []float64, w float64) {
	var sum float64
	for _, x := range f {
		sum += math.Abs(x)
	}
	for mu, x := range f {
		d[mu] = 0
		if x != 0 {
			d[mu] = w * float64(r) * 2 * math.Copysign(sum-math.Abs(x), x)
		}
	}
}

// terms are the regularisers of a training, sorted by what they act on.
type terms struct {
	weights []WeightTerm
	fields  []FieldTerm
	means   []MeanTerm
}
