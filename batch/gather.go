package batch

import (
	"instanton/internal/kernel"
	"instanton/internal/parallel"
	"instanton/internal/vec"
)

// group is a set of blocks whose inputs are computed together: one task.
type group struct {
	parallel.Range
	blocks []*averageBlock
	given  *block // their inputs

	x, I, mean, variance, response []float64 // for one configuration
}

// averageBlock is a part of the batch with its own sums. The blocks depend on the batch alone, so sums have a fixed
// order.
type averageBlock struct {
	parallel.Range
	v, h, h2        []float64
	visible, hidden statistics
}

const (
	averageRows = 256 // per block; a multiple of 64
	groupBlocks = 4   // per group: enough to repay the tables of a product many times over
)

// Gather sums the statistics of group k. Those of visible bits follow later, from the transposed bits.
func (a *cpuAverages) Gather(k int) {
	g, up := a.groups[k], a.engine.given[Hidden]
	a.correlate.take(a.states, g.Range)
	var rows []float32
	if !a.fixed {
		rows = a.means[g.Lo*len(a.h) : g.Hi*len(a.h)]
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

// gatherRows sums what is summed configuration by configuration.
func (a *cpuAverages) gatherRows(g *group, b *averageBlock, rows []float32) {
	if a.fixed && a.correlate.bits != nil {
		return
	}
	width := len(a.h)
	for k := b.Lo; k < b.Hi; k++ {
		w := a.rowWeight(k)
		var row []float32
		if !a.fixed {
			row = rows[(k-g.Lo)*width:][:width]
		}
		if w == 0 { // the configuration only fills up the batch
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

// scale multiplies a row by s.
func scale(x []float32, s float32) {
	if s == 1 {
		return
	}
	for i := range x {
		x[i] *= s
	}
}

// addVisible adds the statistics of configuration k, except those of bits, which Correlate counts.
func (a *cpuAverages) addVisible(g *group, b *averageBlock, k int, w float64) {
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

// addHidden adds the statistics of the hidden units given the inputs in row, and then replaces these by the means
// minus the responses, times w.
func (a *cpuAverages) addHidden(g *group, b *averageBlock, row []float32, w float64) {
	l, fields := a.engine.model.Hidden, a.engine.given[Hidden].law.fields()
	for mu, x := range row {
		g.I[mu] = float64(x)
	}
	if fields != nil { // they are part of the inputs
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
