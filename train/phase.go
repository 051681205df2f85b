package train

import (
	"math"
	"slices"

	"instanton/internal/kernel"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// phase averages over a batch of a fixed number of configurations with weights what the
// gradient of E_eff is made of: the statistics of v, those of h given v, and v⟨h|v⟩ᵀ.
type phase struct {
	model     *rbm.RBM
	rows      int
	correlate *correlator
	blocks    []*block

	states  *unit.States // the batch
	weights []float64    // of each configuration; nil: all one
	penalty float64
	second  bool // ⟨h²⟩ is wanted, too

	H      []float32 // w_ℓ⟨h|v_ℓ⟩, less the response of the penalty
	weight float64   // Σ w_ℓ
	bound  float64   // of the sum of |H| over a column
	v, h   []float64 // ⟨v⟩ and ⟨h⟩, by channels
	spread []float64 // Var h, if wanted
	cost   float64   // Σ_{μ≠ν}|f_μ f_ν|, averaged, if there is a penalty

	visible, hidden params    // averages of ∂V/∂params, ∂U/∂params plus the penalty's
	fields          []float64 // of the model's hidden units, if they are discrete
}

// block is a part of the batch with its own sums.
type block struct {
	span
	projection *sampler.Projection

	x, I, mean, variance, response []float64 // of one configuration

	cost            float64
	v, h, h2        []float64
	visible, hidden params
}

// blockRows is enough to pay for the tables of a projection, and a multiple of 64.
const blockRows = 256

// newPhase prepares for a number of configurations, projected by a kernel that has the
// parameters of the model.
func newPhase(m *rbm.RBM, up *sampler.Gibbs, rows int) *phase {
	nv, nh := m.Visible.Spec().Width(), m.Hidden.Spec().Width()
	zeros := m.NewGradient()
	f := &phase{
		model: m, rows: rows, correlate: newCorrelator(m.Visible.Spec(), rows, nh),
		H: make([]float32, rows*nh), v: make([]float64, nv), h: make([]float64, nh), spread: make([]float64, nh),
		visible: paramsOf(zeros.Visible), hidden: paramsOf(zeros.Hidden),
	}
	if m.Hidden.Spec().Type.Discrete() {
		f.fields = paramsOf(m.Hidden).data[0]
	}
	for _, s := range spans(rows, blockRows) {
		zeros := m.NewGradient()
		f.blocks = append(f.blocks, &block{
			span: s, projection: up.Projection(s.hi - s.lo),
			x: make([]float64, m.Visible.Spec().N), I: make([]float64, nh), mean: make([]float64, nh),
			variance: make([]float64, nh), response: make([]float64, nh),
			v: make([]float64, nv), h: make([]float64, nh), h2: make([]float64, nh),
			visible: paramsOf(zeros.Visible), hidden: paramsOf(zeros.Hidden),
		})
	}
	return f
}

// begin takes a batch; after it, every block gathers, and finish adds up.
func (f *phase) begin(v *unit.States, weights []float64, penalty float64, second bool) {
	f.states, f.weights, f.penalty, f.second = v, nil, penalty, second
	f.weight = float64(f.rows)
	if slices.ContainsFunc(weights, func(w float64) bool { return w != 1 }) {
		f.weights, f.weight = weights, 0
		for _, w := range weights {
			f.weight += w
		}
	}
}

// rowWeight is the weight of a configuration.
func (f *phase) rowWeight(k int) float64 {
	if f.weights == nil {
		return 1
	}
	return f.weights[k]
}

// gather adds up the statistics of one block. Those of bits are counted after, from the
// transposed ones.
func (b *block) gather(f *phase) {
	b.cost = 0
	clear(b.v)
	clear(b.h)
	clear(b.h2)
	b.visible.clear()
	b.hidden.clear()
	f.correlate.take(f.states, b.span)
	width := len(b.h)
	H := f.H[b.lo*width : b.hi*width]
	b.projection.Fields(H, f.states, b.lo)
	hidden := f.model.Hidden.Spec().Type
	vector := f.penalty == 0 && (hidden == unit.Bernoulli || hidden == unit.Spin)
	switch {
	case vector && hidden == unit.Bernoulli:
		kernel.Logistic(H)
	case vector:
		kernel.Tanh(H)
	}
	for k := b.lo; k < b.hi; k++ {
		w, row := f.rowWeight(k), H[(k-b.lo)*width:][:width]
		if w == 0 { // it only fills the batch
			clear(row)
			continue
		}
		b.addVisible(f, k, w)
		if vector {
			scale(row, float32(w))
			kernel.AddColumns(b.h, row)
		} else {
			b.addHidden(f, row, w)
		}
	}
}

// addVisible adds the statistics of configuration k; bits have theirs elsewhere.
func (b *block) addVisible(f *phase, k int, w float64) {
	switch v := f.states; {
	case v.Type == unit.Potts:
		for i, a := range v.Codes[k*v.Stride:][:v.N] {
			b.v[i*v.Q+int(a)] += w
		}
	case !v.Type.Discrete():
		v.Values(b.x, k)
		f.model.Visible.AddStatistics(b.visible.layer, b.x, w)
		for i, x := range b.x {
			b.v[i] += w * x
		}
	}
}

// addHidden adds the statistics of the hidden units given their fields in the row H, and
// sets it to their means.
func (b *block) addHidden(f *phase, H []float32, w float64) {
	l := f.model.Hidden
	discrete := l.Spec().Type.Discrete()
	for mu, x := range H {
		b.I[mu] = float64(x)
	}
	if discrete { // whose fields have been added
		subtractScaled(b.I, 1, f.fields)
	}
	l.Mean(b.mean, b.I)
	if !discrete {
		l.AddMeanStatistics(b.hidden.layer, b.I, w)
	}
	if f.second || f.penalty > 0 {
		l.Variance(b.variance, b.I)
	}
	for mu, x := range b.mean {
		b.h[mu] += w * x
		H[mu] = float32(w * x)
		if f.second {
			b.h2[mu] += w * (x*x + b.variance[mu])
		}
	}
	if f.penalty > 0 {
		b.penalise(l, H, w, f.penalty)
	}
}

// penalise adds the response to the penalty λ Σ_{μ≠ν}|f_μ f_ν| = λ[(Σ|f|)² − Σf²] of one
// configuration, where f = ⟨h|v⟩: its derivative by f_μ is 2λ sign(f_μ) Σ_{ν≠μ}|f_ν|, and
// ∂f_μ/∂I_μ is the variance.
func (b *block) penalise(l rbm.Layer, H []float32, w, penalty float64) {
	var sum, squares float64
	for _, f := range b.mean {
		sum += math.Abs(f)
		squares += f * f
	}
	b.cost += w * (sum*sum - squares)
	for mu, f := range b.mean {
		b.response[mu] = 0
		if f != 0 {
			b.response[mu] = w * penalty * 2 * math.Copysign(sum-math.Abs(f), f)
		}
		H[mu] -= float32(b.response[mu] * b.variance[mu])
	}
	l.AddMeanResponse(b.hidden.layer, b.I, b.response)
}

// finish adds the blocks up, and hands the means over to be correlated.
func (f *phase) finish() {
	f.cost = 0
	clear(f.v)
	clear(f.h)
	clear(f.spread)
	f.visible.clear()
	f.hidden.clear()
	for _, b := range f.blocks {
		f.cost += b.cost
		add(f.v, b.v)
		add(f.h, b.h)
		add(f.spread, b.h2)
		f.visible.add(1, b.visible)
		f.hidden.add(1, b.hidden)
	}
	scale := 1 / f.weight
	f.cost *= scale
	multiply(f.v, scale)
	multiply(f.h, scale)
	f.visible.multiply(scale)
	f.hidden.multiply(scale)
	hidden := f.model.Hidden.Spec().Type
	if hidden.Discrete() { // the fields' statistic is −h
		subtractScaled(f.hidden.data[0], 1, f.h)
	}
	for mu, h := range f.h {
		second := f.spread[mu] * scale
		switch hidden {
		case unit.Bernoulli, unit.Potts:
			second = h
		case unit.Spin:
			second = 1
		}
		f.spread[mu] = second - h*h
	}
	f.bound = f.weight // discrete units have means of at most one
	if f.penalty > 0 || !hidden.Discrete() {
		f.bound = kernel.MaxColumnSum(f.H, len(f.h), f.rows, len(f.h))
	}
	f.correlate.takeMeans(f.H, f.bound)
}

// addTo adds sign times the gradient of some visible units' weights to dst, and sets their
// part of ⟨v⟩ if they are bits.
func (f *phase) addTo(dst []float64, s *correlation, units span, sign float64) {
	f.correlate.add(dst, s, f.states, units, sign/f.weight)
	if f.correlate.bits != nil {
		f.correlate.sumBits(f.v, units, f.weights, f.weight)
		multiply(f.v[units.lo:units.hi], 1/f.weight)
	}
}

// addLayers adds sign times the averages to the gradient of the layers; a field of
// discrete visible units has the statistic −v.
func (f *phase) addLayers(visible, hidden params, sign float64) {
	if f.states.Type.Discrete() {
		subtractScaled(visible.data[0], -sign, f.v)
	} else {
		visible.add(-sign, f.visible)
	}
	hidden.add(-sign, f.hidden)
}

// finite tells whether the averages are numbers, and the means float32 ones.
func (f *phase) finite() bool {
	if f.bound-f.bound != 0 {
		return false
	}
	for _, x := range f.h {
		if x-x != 0 {
			return false
		}
	}
	for _, p := range f.hidden.data {
		for _, x := range p {
			if x-x != 0 {
				return false
			}
		}
	}
	return true
}
