package batch

import (
	"slices"

	"instanton/internal/kernel"
	"instanton/internal/parallel"
	"instanton/internal/special"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// Averages are weighted averages over a batch of a fixed number of configurations of what the
// gradient of E_eff is made of: the statistics of v, those of h given v, and v⟨h|v⟩ᵀ.
//
// Take does all of it. Who has workers of their own to share between several Averages calls
// Begin; then Gather for every group, in any order and at the same time; then Finish; then
// Correlate for every part, as for the groups.
type Averages struct {
	V, H []float64 // ⟨v⟩ and ⟨h⟩, by channels
	// Variance is that of the hidden channels, for real ones only where it is wanted.
	Variance []float64
	// Visible and Hidden are ⟨∂V/∂params⟩ and ⟨∂U/∂params⟩, the latter plus the response to
	// Options.Responses.
	Visible, Hidden rbm.Layer

	options   AveragesOptions
	engine    *CPU
	rows      int
	fixed     bool // means of bits go straight to the correlator, in fixed point
	correlate *correlator
	groups    []*group

	states  *unit.States // the batch
	weights []float64    // of each configuration; nil: all one
	scales  []float32    // the same, for every configuration
	weight  float64      // Σ w_ℓ

	means           []float32 // w_ℓ⟨h|v_ℓ⟩, less the responses; nil if fixed
	bound           float64   // of the sum of their absolute values over a column
	visible, hidden statistics
}

// AveragesOptions say what is wanted beyond ⟨v⟩, ⟨h⟩ and ⟨vh⟩.
type AveragesOptions struct {
	Variance bool // of real hidden units
	HH       bool // ⟨h_μ h_ν⟩ of the conditional means
	// Responses are functions that set d to w times the derivative of a cost by the means f of
	// a configuration of weight w: its gradient is subtracted, in Hidden and in ⟨vh⟩. Potts
	// hidden units have no means in this sense.
	Responses []func(d, f []float64, w float64)
	Workers   int // for which the work is cut; less than one: one per processor
}

// group is blocks of the batch that are projected together, the task of one worker.
type group struct {
	parallel.Range
	blocks []*averageBlock
	given  *block // receives

	x, I, mean, variance, response []float64 // of one configuration
}

// averageBlock is a part of the batch with its own sums. The cuts depend on the batch alone,
// so that sums have a fixed order.
type averageBlock struct {
	parallel.Range
	v, h, h2        []float64
	visible, hidden statistics
}

const (
	averageRows = 256 // of a block; a multiple of 64
	groupBlocks = 4   // enough to pay for the tables of a product many times over
)

// Averages returns room for averages over batches of the given number of configurations.
func (e *CPU) Averages(rows int, o AveragesOptions) *Averages {
	m := e.model
	v, h := m.Visible.Spec(), m.Hidden.Spec()
	nv, nh := v.Width(), h.Width()
	workers := parallel.Workers(o.Workers, rows)
	a := &Averages{
		V: make([]float64, nv), H: make([]float64, nh), Variance: make([]float64, nh),
		options: o, engine: e, rows: rows, scales: make([]float32, rows),
		correlate: newCorrelator(v, rows, nh, workers),
	}
	a.visible, a.hidden = newStatistics(m.Visible), newStatistics(m.Hidden)
	a.Visible, a.Hidden = a.visible.layer, a.hidden.layer
	a.fixed = v.Type.Discrete() && a.vector() && !o.HH
	if !a.fixed {
		a.means = make([]float32, rows*nh)
	}
	blocks := parallel.Blocks(rows, averageRows)
	for _, r := range parallel.Shares(len(blocks), workers, groupBlocks) {
		g := &group{
			Range: parallel.Range{Lo: blocks[r.Lo].Lo, Hi: blocks[r.Hi-1].Hi},
			x:     make([]float64, v.N), I: make([]float64, nh), mean: make([]float64, nh),
			variance: make([]float64, nh), response: make([]float64, nh),
		}
		g.given = e.given[Hidden].block(g.Len())
		for _, r := range blocks[r.Lo:r.Hi] {
			g.blocks = append(g.blocks, &averageBlock{
				Range: r, v: make([]float64, nv), h: make([]float64, nh), h2: make([]float64, nh),
				visible: newStatistics(m.Visible), hidden: newStatistics(m.Hidden),
			})
		}
		a.groups = append(a.groups, g)
	}
	return a
}

// vector tells whether the means of the hidden units have a vector form, and nothing else is
// wanted of them.
func (a *Averages) vector() bool {
	_, ok := a.engine.given[Hidden].law.(twoState)
	return ok && len(a.options.Responses) == 0
}

// Take averages over a batch with weights, nil for equal ones.
func (a *Averages) Take(v *unit.States, weights []float64) {
	a.Begin(v, weights)
	parallel.For(a.options.Workers, a.Groups(), func(_, k int) { a.Gather(k) })
	a.Finish()
	parallel.For(a.options.Workers, a.Parts(), func(_, k int) { a.Correlate(k) })
}

// Begin takes a batch with weights, nil for equal ones.
func (a *Averages) Begin(v *unit.States, weights []float64) {
	a.states, a.weights, a.weight = v, nil, float64(a.rows)
	for k := range a.scales {
		a.scales[k] = 1
	}
	if slices.ContainsFunc(weights, func(w float64) bool { return w != 1 }) {
		a.weights, a.weight = weights, 0
		for k, w := range weights {
			a.weight += w
			a.scales[k] = float32(w)
		}
	}
}

// Weight is the sum of the weights of the batch.
func (a *Averages) Weight() float64 { return a.weight }

// rowWeight is the weight of a configuration.
func (a *Averages) rowWeight(k int) float64 {
	if a.weights == nil {
		return 1
	}
	return a.weights[k]
}

// Groups is the number of tasks of Gather.
func (a *Averages) Groups() int { return len(a.groups) }

// Gather adds up the statistics of group k. Those of visible bits are counted later, from
// the transposed ones.
func (a *Averages) Gather(k int) {
	g, up := a.groups[k], a.engine.given[Hidden]
	a.correlate.take(a.states, g.Range)
	var rows []float32
	if !a.fixed {
		rows = a.means[g.Lo*len(a.H) : g.Hi*len(a.H)]
	}
	up.receive(g.given, rows, a.states, g.Lo)
	if !a.fixed {
		up.reals(g.given, rows)
		if a.vector() {
			up.law.(twoState).means(rows)
		}
	}
	for _, b := range g.blocks {
		b.clear()
		if a.fixed {
			spin := up.law.(twoState).spin()
			scales := a.scales[g.Lo:g.Hi]
			a.correlate.weights.SetMeans(b.Lo, g.given.fields, b.Lo-g.Lo, b.Hi-g.Lo, spin, scales, b.h, a.weight)
		}
		a.gatherRows(g, b, rows)
	}
}

func (b *averageBlock) clear() {
	clear(b.v)
	clear(b.h)
	clear(b.h2)
	b.visible.clear()
	b.hidden.clear()
}

// gatherRows adds up what is added configuration by configuration.
func (a *Averages) gatherRows(g *group, b *averageBlock, rows []float32) {
	if a.fixed && a.correlate.bits != nil {
		return
	}
	width := len(a.H)
	for k := b.Lo; k < b.Hi; k++ {
		w := a.rowWeight(k)
		var row []float32
		if !a.fixed {
			row = rows[(k-g.Lo)*width:][:width]
		}
		if w == 0 { // it only fills the batch
			clear(row)
			continue
		}
		a.addVisible(g, b, k, w)
		switch {
		case a.fixed:
		case a.vector():
			scale(row, float32(w))
			kernel.AddColumns(b.h, row)
		default:
			a.addHidden(g, b, row, w)
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
func (a *Averages) addVisible(g *group, b *averageBlock, k int, w float64) {
	switch v := a.states; {
	case v.Codes != nil:
		for i, c := range v.CodeRow(k) {
			b.v[i*v.Q+int(c)] += w
		}
	case v.Reals != nil:
		v.Values(g.x, k)
		a.engine.model.Visible.AddStatistics(b.visible.layer, g.x, w)
		for i, x := range g.x {
			b.v[i] += w * x
		}
	}
}

// addHidden adds the statistics of the hidden units given what they receive in a row, and
// sets it to their means, less the responses.
func (a *Averages) addHidden(g *group, b *averageBlock, row []float32, w float64) {
	l, fields := a.engine.model.Hidden, a.engine.given[Hidden].law.fields()
	for mu, x := range row {
		g.I[mu] = float64(x)
	}
	if fields != nil { // which have been added
		vec.AddScaled(g.I, -1, fields)
	}
	l.Mean(g.mean, g.I)
	if fields == nil {
		l.AddMeanStatistics(b.hidden.layer, g.I, w)
	}
	if a.options.Variance || len(a.options.Responses) > 0 {
		l.Variance(g.variance, g.I)
	}
	for mu, x := range g.mean {
		b.h[mu] += w * x
		row[mu] = float32(w * x)
		if a.options.Variance {
			b.h2[mu] += w * (x*x + g.variance[mu])
		}
	}
	for _, respond := range a.options.Responses {
		respond(g.response, g.mean, w)
		for mu, r := range g.response { // ∂f_μ/∂I_μ is the variance
			row[mu] -= float32(r * g.variance[mu])
		}
		l.AddMeanResponse(b.hidden.layer, g.I, g.response)
	}
}

// Finish adds the groups up, and hands the means over to be correlated.
func (a *Averages) Finish() {
	clear(a.V)
	clear(a.H)
	clear(a.Variance)
	a.visible.clear()
	a.hidden.clear()
	for _, g := range a.groups {
		for _, b := range g.blocks {
			vec.Add(a.V, b.v)
			vec.Add(a.H, b.h)
			vec.Add(a.Variance, b.h2)
			a.visible.add(b.visible)
			a.hidden.add(b.hidden)
		}
	}
	scale := 1 / a.weight
	vec.Scale(scale, a.V)
	vec.Scale(scale, a.H)
	a.visible.multiply(scale)
	a.hidden.multiply(scale)
	law := a.engine.given[Hidden].law
	discrete := law.fields() != nil
	if discrete { // the statistic of a field is −h
		vec.AddScaled(a.hidden.data[0], -1, a.H)
	}
	if a.states.Codes != nil { // that of bits follows from the parts
		vec.AddScaled(a.visible.data[0], -1, a.V)
	}
	for mu, h := range a.H {
		a.Variance[mu] = law.second(h, a.Variance[mu]*scale) - h*h
	}
	a.bound = a.weight // discrete units have means of at most one
	if a.fixed {
		a.correlate.weights.Finish(a.bound)
		return
	}
	if len(a.options.Responses) > 0 || !discrete {
		a.bound = kernel.MaxColumnSum(a.means, len(a.H), a.rows, len(a.H))
	}
	a.correlate.takeMeans(a.means, a.bound)
}

// Finite tells whether the averages are numbers, and the means float32 ones.
func (a *Averages) Finite() bool {
	finite := func(x []float64) bool {
		return !slices.ContainsFunc(x, func(x float64) bool { return !special.Finite(x) })
	}
	return special.Finite(a.bound) && finite(a.H) &&
		!slices.ContainsFunc(a.hidden.data, func(x []float64) bool { return !finite(x) })
}

// Parts is the number of tasks of Correlate.
func (a *Averages) Parts() int { return len(a.correlate.parts) }

// Correlate does part k of ⟨vh⟩, and of ⟨v⟩ if the visible units are bits.
func (a *Averages) Correlate(k int) {
	a.correlate.sum(k, a.states)
	if a.correlate.bits != nil {
		r := a.correlate.parts[k].Range
		a.correlate.sumBits(a.V, k, a.weights, a.weight)
		vec.Scale(1/a.weight, a.V[r.Lo:r.Hi])
		for i := r.Lo; i < r.Hi; i++ {
			a.visible.data[0][i] = -a.V[i]
		}
	}
}

// AddVH adds scale·⟨v_c h⟩ of a visible channel c to dst.
func (a *Averages) AddVH(dst []float64, channel int, scale float64) {
	a.correlate.addRow(dst, channel, scale/a.weight)
}

// SetHH sets dst to the matrix ⟨f_μ f_ν⟩ of f = ⟨h|v⟩, row by row.
func (a *Averages) SetHH(dst []float64) {
	n := len(a.H)
	f := slices.Clone(a.means)
	for k := range a.rows {
		if w := a.scales[k]; w != 0 {
			scale(f[k*n:(k+1)*n], 1/w)
		}
	}
	dense, sums := kernel.NewDense(a.rows, n), make([]float32, n*n)
	dense.SetRows(f, n)
	kernel.NewGEMM().AddProduct(sums, n, kernel.Left{Data: a.means, Row: 1, Step: n}, n, dense)
	for i, x := range sums {
		dst[i] = float64(x) / a.weight
	}
}

// statistics are sums of derivatives by the parameters of a layer.
type statistics struct {
	layer rbm.Layer
	data  [][]float64
}

func newStatistics(l rbm.Layer) statistics {
	s := statistics{layer: rbm.ZeroLayer(l.Spec())}
	for _, p := range s.layer.Params() {
		s.data = append(s.data, p.Data)
	}
	return s
}

func (s statistics) clear() {
	for _, x := range s.data {
		clear(x)
	}
}

func (s statistics) multiply(factor float64) {
	for _, x := range s.data {
		vec.Scale(factor, x)
	}
}

func (s statistics) add(other statistics) {
	for k, x := range other.data {
		vec.Add(s.data[k], x)
	}
}
