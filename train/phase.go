package train

import (
	"slices"

	"instanton/internal/kernel"
	"instanton/internal/parallel"
	"instanton/internal/special"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// phase averages over a batch of a fixed number of configurations with weights what the
// gradient of E_eff is made of: the statistics of v, those of h given v, and v⟨h|v⟩ᵀ.
//
// A batch is begun; its groups gather, in any order and at the same time; it is finished;
// its parts correlate, as the groups do.
type phase struct {
	model     *rbm.RBM
	rows      int
	terms     []MeanTerm // regularisers of ⟨h|v⟩
	second    bool       // ⟨h²⟩ is wanted, too
	fixed     bool       // means of bits go straight to the correlator, in fixed point
	correlate *correlator
	groups    []*group

	states  *unit.States // the batch
	weights []float64    // of each configuration; nil: all one
	scales  []float32    // the same, for every configuration
	weight  float64      // Σ w_ℓ

	H      []float32 // w_ℓ⟨h|v_ℓ⟩, less the response to the terms; nil if fixed
	bound  float64   // of the sum of |H| over a column
	v, h   []float64 // ⟨v⟩ and ⟨h⟩, by channels
	spread []float64 // Var h, if wanted

	visible, hidden params    // averages of ∂V/∂params, ∂U/∂params plus the terms'
	fields          []float64 // of the model's hidden units, if they are discrete
}

// group is blocks of the batch that are projected together, the task of one worker.
type group struct {
	parallel.Range
	blocks     []*block
	projection *sampler.Projection

	x, I, mean, variance, response []float64 // of one configuration
}

// block is a part of the batch with its own sums. The cuts depend on the batch alone, so
// that sums have a fixed order.
type block struct {
	parallel.Range
	v, h, h2        []float64
	visible, hidden params
}

const (
	blockRows   = 256 // a multiple of 64
	groupBlocks = 4   // enough to pay for the tables of a projection many times over
)

// newPhase prepares for a number of configurations, projected by a kernel that has the
// parameters of the model, and for a number of workers, which changes nothing else.
func newPhase(m *rbm.RBM, up *sampler.Gibbs, rows int, terms []MeanTerm, second bool, workers int) *phase {
	v, h := m.Visible.Spec(), m.Hidden.Spec()
	nv, nh := v.Width(), h.Width()
	f := &phase{
		model: m, rows: rows, terms: terms, second: second,
		correlate: newCorrelator(v, rows, nh, workers), scales: make([]float32, rows),
		v: make([]float64, nv), h: make([]float64, nh), spread: make([]float64, nh),
	}
	f.visible, f.hidden = zeroParams(m)
	f.fixed = v.Type.Discrete() && f.vector()
	if !f.fixed {
		f.H = make([]float32, rows*nh)
	}
	if h.Type.Discrete() {
		f.fields = paramsOf(m.Hidden).data[0]
	}
	blocks := parallel.Blocks(rows, blockRows)
	for _, r := range parallel.Shares(len(blocks), workers, groupBlocks) {
		g := &group{
			Range: parallel.Range{Lo: blocks[r.Lo].Lo, Hi: blocks[r.Hi-1].Hi},
			x:     make([]float64, v.N), I: make([]float64, nh), mean: make([]float64, nh),
			variance: make([]float64, nh), response: make([]float64, nh),
		}
		g.projection = up.Projection(g.Len())
		for _, r := range blocks[r.Lo:r.Hi] {
			b := &block{Range: r, v: make([]float64, nv), h: make([]float64, nh), h2: make([]float64, nh)}
			b.visible, b.hidden = zeroParams(m)
			g.blocks = append(g.blocks, b)
		}
		f.groups = append(f.groups, g)
	}
	return f
}

// vector tells whether the hidden units are bits whose means have a vector form.
func (f *phase) vector() bool {
	t := f.model.Hidden.Spec().Type
	return len(f.terms) == 0 && (t == unit.Bernoulli || t == unit.Spin)
}

// begin takes a batch with weights, nil for equal ones.
func (f *phase) begin(v *unit.States, weights []float64) {
	f.states, f.weights, f.weight = v, nil, float64(f.rows)
	for k := range f.scales {
		f.scales[k] = 1
	}
	if slices.ContainsFunc(weights, func(w float64) bool { return w != 1 }) {
		f.weights, f.weight = weights, 0
		for k, w := range weights {
			f.weight += w
			f.scales[k] = float32(w)
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

// gather adds up the statistics of group k. Those of visible bits are counted later, from
// the transposed ones.
func (f *phase) gather(k int) {
	g := f.groups[k]
	f.correlate.take(f.states, g.Range)
	var H []float32
	var fixed *kernel.Fields
	if f.fixed {
		fixed = g.projection.Fixed(f.states, g.Lo)
	} else {
		H = f.H[g.Lo*len(f.h) : g.Hi*len(f.h)]
		g.projection.Fields(H, f.states, g.Lo)
		f.vectorMeans(H)
	}
	for _, b := range g.blocks {
		b.clear()
		if f.fixed {
			spin := f.model.Hidden.Spec().Type == unit.Spin
			scales := f.scales[g.Lo:g.Hi]
			f.correlate.weights.SetMeans(b.Lo, fixed, b.Lo-g.Lo, b.Hi-g.Lo, spin, scales, b.h, f.weight)
		}
		f.gatherRows(g, b, H)
	}
}

// vectorMeans replaces fields by means, where that has a vector form.
func (f *phase) vectorMeans(H []float32) {
	switch {
	case !f.vector():
	case f.model.Hidden.Spec().Type == unit.Bernoulli:
		kernel.Logistic(H)
	default:
		kernel.Tanh(H)
	}
}

func (b *block) clear() {
	clear(b.v)
	clear(b.h)
	clear(b.h2)
	b.visible.clear()
	b.hidden.clear()
}

// gatherRows adds up what is added configuration by configuration.
func (f *phase) gatherRows(g *group, b *block, H []float32) {
	if f.fixed && f.correlate.bits != nil {
		return
	}
	width := len(f.h)
	for k := b.Lo; k < b.Hi; k++ {
		w := f.rowWeight(k)
		var row []float32
		if !f.fixed {
			row = H[(k-g.Lo)*width:][:width]
		}
		if w == 0 { // it only fills the batch
			clear(row)
			continue
		}
		f.addVisible(g, b, k, w)
		switch {
		case f.fixed:
		case f.vector():
			scale(row, float32(w))
			kernel.AddColumns(b.h, row)
		default:
			f.addHidden(g, b, row, w)
		}
	}
}

// scale multiplies a row, unless by one.
func scale(x []float32, s float32) {
	if s == 1 {
		return
	}
	for i := range x {
		x[i] *= s
	}
}

// addVisible adds the statistics of configuration k; bits have theirs elsewhere.
func (f *phase) addVisible(g *group, b *block, k int, w float64) {
	switch v := f.states; {
	case v.Type == unit.Potts:
		for i, a := range v.Codes[k*v.Stride:][:v.N] {
			b.v[i*v.Q+int(a)] += w
		}
	case !v.Type.Discrete():
		v.Values(g.x, k)
		f.model.Visible.AddStatistics(b.visible.layer, g.x, w)
		for i, x := range g.x {
			b.v[i] += w * x
		}
	}
}

// addHidden adds the statistics of the hidden units given their fields in the row H, and
// sets it to their means, less the response to the terms.
func (f *phase) addHidden(g *group, b *block, H []float32, w float64) {
	l := f.model.Hidden
	discrete := l.Spec().Type.Discrete()
	for mu, x := range H {
		g.I[mu] = float64(x)
	}
	if discrete { // whose fields have been added
		vec.AddScaled(g.I, -1, f.fields)
	}
	l.Mean(g.mean, g.I)
	if !discrete {
		l.AddMeanStatistics(b.hidden.layer, g.I, w)
	}
	if f.second || len(f.terms) > 0 {
		l.Variance(g.variance, g.I)
	}
	for mu, x := range g.mean {
		b.h[mu] += w * x
		H[mu] = float32(w * x)
		if f.second {
			b.h2[mu] += w * (x*x + g.variance[mu])
		}
	}
	for _, t := range f.terms {
		t.OnMeans(g.response, g.mean, w)
		for mu, r := range g.response { // ∂f_μ/∂I_μ is the variance
			H[mu] -= float32(r * g.variance[mu])
		}
		l.AddMeanResponse(b.hidden.layer, g.I, g.response)
	}
}

// finish adds the blocks up, and hands the means over to be correlated.
func (f *phase) finish() {
	clear(f.v)
	clear(f.h)
	clear(f.spread)
	f.visible.clear()
	f.hidden.clear()
	for _, g := range f.groups {
		for _, b := range g.blocks {
			vec.Add(f.v, b.v)
			vec.Add(f.h, b.h)
			vec.Add(f.spread, b.h2)
			f.visible.add(1, b.visible)
			f.hidden.add(1, b.hidden)
		}
	}
	scale := 1 / f.weight
	vec.Scale(scale, f.v)
	vec.Scale(scale, f.h)
	f.visible.multiply(scale)
	f.hidden.multiply(scale)
	hidden := f.model.Hidden.Spec().Type
	if hidden.Discrete() { // the fields' statistic is −h
		vec.AddScaled(f.hidden.data[0], -1, f.h)
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
	if f.fixed {
		f.correlate.weights.Finish(f.bound)
		return
	}
	if len(f.terms) > 0 || !hidden.Discrete() {
		f.bound = kernel.MaxColumnSum(f.H, len(f.h), f.rows, len(f.h))
	}
	f.correlate.takeMeans(f.H, f.bound)
}

// sum does part k of the correlations, and its ⟨v⟩ if the visible units are bits.
func (f *phase) sum(k int) {
	f.correlate.sum(k, f.states)
	if f.correlate.bits != nil {
		r := f.correlate.parts[k].Range
		f.correlate.sumBits(f.v, k, f.weights, f.weight)
		vec.Scale(1/f.weight, f.v[r.Lo:r.Hi])
	}
}

// addRow adds sign·⟨v_c h⟩ of a visible channel c to dst.
func (f *phase) addRow(dst []float64, channel int, sign float64) {
	f.correlate.addRow(dst, channel, sign/f.weight)
}

// addLayers adds sign times the averages to the gradient of the layers; a field of
// discrete visible units has the statistic −v.
func (f *phase) addLayers(visible, hidden params, sign float64) {
	if f.states.Type.Discrete() {
		vec.AddScaled(visible.data[0], sign, f.v)
	} else {
		visible.add(-sign, f.visible)
	}
	hidden.add(-sign, f.hidden)
}

// finite tells whether the averages are numbers, and the means float32 ones.
func (f *phase) finite() bool { return special.Finite(f.bound) && finite(f.h) && f.hidden.finite() }
