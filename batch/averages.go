package batch

import (
	"fmt"
	"slices"

	"instanton/internal/kernel"
	"instanton/internal/parallel"
	"instanton/internal/special"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// Averages are weighted averages over batches of a fixed number of configurations. They are the ingredients of the
// gradient of E_eff: the statistics of v, those of h given v, and v⟨h|v⟩ᵀ.
//
// Take computes all of them. A caller whose workers are shared between several Averages instead calls Begin; then
// Gather for every group, in any order and concurrently; then Finish; then Correlate for every part, again in any
// order. A device with workers of its own has one group and one part.
type Averages interface {
	Take(v *unit.States, weights []float64)

	Begin(v *unit.States, weights []float64)
	Groups() int
	Gather(k int)
	Finish()
	Parts() int
	Correlate(k int)

	// Finite tells whether all averages are finite.
	Finite() bool
	// Weight is the sum of the weights, relative to the largest.
	Weight() float64
	// V and H are ⟨v⟩ and ⟨h⟩ by channels, until the next batch.
	V() []float64
	H() []float64
	// Variance is the variance of the hidden channels; for real units it is computed only if AveragesOptions.Variance
	// is set.
	Variance() []float64
	// Visible and Hidden are ⟨∂V/∂params⟩ and ⟨∂U/∂params⟩, in layers of the model's shape; Hidden includes the gradient
	// of the costs behind AveragesOptions.Responses.
	Visible() rbm.Layer
	Hidden() rbm.Layer
	// AddVH adds scale·⟨v_c h⟩ of a visible channel c to dst.
	AddVH(dst []float64, channel int, scale float64)
	// SetHH sets dst to the matrix ⟨f_μ f_ν⟩ of f = ⟨h|v⟩, row by row; AveragesOptions.HH must be set.
	SetHH(dst []float64)
}

var _ Averages = (*cpuAverages)(nil)

// cpuAverages are averages on the processor.
type cpuAverages struct {
	v, h, variance []float64
	relative       []float64 // room for weights

	options   AveragesOptions
	engine    *CPU
	rows      int
	fixed     bool // the means go to the correlator in fixed point
	correlate *correlator
	groups    []*group

	states  *unit.States // the batch
	weights []float64    // of each configuration, relative to the largest; nil if all are one
	scales  []float32    // the same in float32, never nil
	weight  float64      // Σ w_ℓ

	means           []float32 // w_ℓ⟨h|v_ℓ⟩ minus the responses; nil if fixed
	bound           float64   // on the sum of their absolute values over a column
	visible, hidden statistics
}

// AveragesOptions say what is wanted besides ⟨v⟩, ⟨h⟩ and ⟨vh⟩.
type AveragesOptions struct {
	Variance bool // also of real hidden units
	HH       bool // ⟨h_μ h_ν⟩ of the conditional means
	// Responses are derivatives of costs: each function sets d to w·∂C/∂f at the conditional means f of a
	// configuration with weight w. The gradient of the costs is added to that of E_eff: to Hidden, and with a minus
	// sign to ⟨vh⟩. Potts hidden units have no responses.
	Responses []func(d, f []float64, w float64)
	Workers   int // below one: one per processor
}

// Averages returns memory for averages over batches of the given number of configurations, at least one.
func (e *CPU) Averages(rows int, o AveragesOptions) Averages {
	if rows < 1 {
		panic(fmt.Sprintf("batch: averages over %d configurations, expected at least one", rows))
	}
	m := e.model
	v, h := m.Visible.Spec(), m.Hidden.Spec()
	nv, nh := v.Width(), h.Width()
	workers := parallel.Workers(o.Workers, rows)
	a := &cpuAverages{
		v: make([]float64, nv), h: make([]float64, nh), variance: make([]float64, nh),
		options: o, engine: e, rows: rows, scales: make([]float32, rows), relative: make([]float64, rows),
		correlate: newCorrelator(v, rows, nh, workers),
	}
	a.visible, a.hidden = newStatistics(m.Visible), newStatistics(m.Hidden)
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

// vector reports whether the hidden means have a vector loop, which there is as long as nothing else depends on them.
func (a *cpuAverages) vector() bool {
	_, ok := a.engine.given[Hidden].law.(twoState)
	return ok && len(a.options.Responses) == 0
}

// Take averages over a batch, weighted if weights is non-nil.
func (a *cpuAverages) Take(v *unit.States, weights []float64) {
	a.Begin(v, weights)
	parallel.For(a.options.Workers, a.Groups(), func(_, k int) { a.Gather(k) })
	a.Finish()
	parallel.For(a.options.Workers, a.Parts(), func(_, k int) { a.Correlate(k) })
}

// Begin starts to average over a batch, weighted if weights is non-nil. Only the ratios of weights count.
func (a *cpuAverages) Begin(v *unit.States, weights []float64) {
	if v.Len != a.rows || weights != nil && len(weights) != a.rows {
		panic(fmt.Sprintf("batch: averages over %d configurations with %d weights, expected %d", v.Len, len(weights), a.rows))
	}
	a.states, a.weights, a.weight = v, nil, float64(a.rows)
	for k := range a.scales {
		a.scales[k] = 1
	}
	if slices.ContainsFunc(weights, func(w float64) bool { return w != 1 }) {
		largest := slices.Max(weights) // float32 must hold them
		a.weights, a.weight = a.relative, 0
		for k, w := range weights {
			a.relative[k] = w / largest
			a.weight += a.relative[k]
			a.scales[k] = float32(a.relative[k])
		}
	}
}

// Weight is the sum of the weights, relative to the largest.
func (a *cpuAverages) Weight() float64 { return a.weight }

func (a *cpuAverages) V() []float64        { return a.v }
func (a *cpuAverages) H() []float64        { return a.h }
func (a *cpuAverages) Variance() []float64 { return a.variance }
func (a *cpuAverages) Visible() rbm.Layer  { return a.visible.layer }
func (a *cpuAverages) Hidden() rbm.Layer   { return a.hidden.layer }

// rowWeight is the weight of a configuration.
func (a *cpuAverages) rowWeight(k int) float64 {
	if a.weights == nil {
		return 1
	}
	return a.weights[k]
}

// Groups is the number of tasks of Gather.
func (a *cpuAverages) Groups() int { return len(a.groups) }

// Finish sums over the groups and passes the means on to be correlated.
func (a *cpuAverages) Finish() {
	clear(a.v)
	clear(a.h)
	clear(a.variance)
	a.visible.clear()
	a.hidden.clear()
	for _, g := range a.groups {
		for _, b := range g.blocks {
			vec.Add(a.v, b.v)
			vec.Add(a.h, b.h)
			vec.Add(a.variance, b.h2)
			a.visible.add(b.visible)
			a.hidden.add(b.hidden)
		}
	}
	scale := 1 / a.weight
	vec.Scale(scale, a.v)
	vec.Scale(scale, a.h)
	a.visible.multiply(scale)
	a.hidden.multiply(scale)
	law := a.engine.given[Hidden].law
	discrete := law.fields() != nil
	if discrete { // the statistic of a field is −h
		vec.AddScaled(a.hidden.data[0], -1, a.h)
	}
	if a.states.Codes != nil { // Correlate does this for bits
		vec.AddScaled(a.visible.data[0], -1, a.v)
	}
	for mu, h := range a.h {
		a.variance[mu] = law.second(h, a.variance[mu]*scale) - h*h
	}
	a.bound = a.weight // means of discrete units are at most one
	if a.fixed {
		a.correlate.weights.Finish(a.bound)
		return
	}
	if len(a.options.Responses) > 0 || !discrete {
		a.bound = kernel.MaxColumnSum(a.means, len(a.h), a.rows, len(a.h))
	}
	a.correlate.takeMeans(a.means, a.bound)
}

// Finite reports whether the averages, and the means in float32, are finite.
func (a *cpuAverages) Finite() bool {
	finite := func(x []float64) bool {
		return !slices.ContainsFunc(x, func(x float64) bool { return !special.Finite(x) })
	}
	return special.Finite(a.bound) && finite(a.h) &&
		!slices.ContainsFunc(a.hidden.data, func(x []float64) bool { return !finite(x) })
}

// Parts is the number of tasks of Correlate.
func (a *cpuAverages) Parts() int { return len(a.correlate.parts) }

// Correlate computes part k of ⟨vh⟩ and, if the visible units are bits, of ⟨v⟩.
func (a *cpuAverages) Correlate(k int) {
	a.correlate.sum(k, a.states)
	if a.correlate.bits != nil {
		r := a.correlate.parts[k].Range
		a.correlate.sumBits(a.v, k, a.weights, a.weight)
		vec.Scale(1/a.weight, a.v[r.Lo:r.Hi])
		for i := r.Lo; i < r.Hi; i++ {
			a.visible.data[0][i] = -a.v[i]
		}
	}
}

// AddVH adds scale·⟨v_c h⟩ of visible channel c to dst.
func (a *cpuAverages) AddVH(dst []float64, channel int, scale float64) {
	a.correlate.addRow(dst, channel, scale/a.weight)
}

// SetHH sets dst to the matrix ⟨f_μ f_ν⟩ of the conditional means f = ⟨h|v⟩, row by row. It needs AveragesOptions.HH.
func (a *cpuAverages) SetHH(dst []float64) {
	n := len(a.h)
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
