package evaluate

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"

	"instanton/internal/parallel"
	"instanton/rbm"
)

// quadratureGrid is a product of panels.
type quadratureGrid struct {
	beta, limit float64
	classes     []*unitClass
	axes        []quadratureAxis
}

type quadratureAxis struct {
	potential rbm.Parabolas
	panels    []quadraturePanel
}

// quadraturePanel is an interval with its nodes.
type quadraturePanel struct {
	lo, hi        float64
	x, logWeights []float64
	least         float64 // value of the potential within
}

// reachSigmas is how far beyond the outermost mean a Gaussian is followed: e^{−40} of its height.
const reachSigmas = 9

// axis covers the law of a real unit with panels.
func (q *quadratureGrid) axis(p rbm.Parabolas, mu int) quadratureAxis {
	var low, high float64 // of the force on the unit
	for _, u := range q.classes {
		least, most := math.Inf(1), math.Inf(-1)
		for _, w := range u.weights {
			least, most = min(least, w[mu]), max(most, w[mu])
		}
		low, high = low+u.count*least, high+u.count*most
	}
	a := quadratureAxis{potential: p}
	if p.Gamma[0] == p.Gamma[1] && p.Theta[0] == p.Theta[1] && !p.HalfLine {
		sigma := 1 / math.Sqrt(q.beta*p.Gamma[0])
		a.trapezoids((low-p.Theta[0])/p.Gamma[0]-reachSigmas*sigma, (high-p.Theta[0])/p.Gamma[0]+reachSigmas*sigma,
			0.75*sigma)
	} else {
		a.halfLine(p.Gamma[0], low-p.Theta[0], high-p.Theta[0], 1)
		if !p.HalfLine {
			a.halfLine(p.Gamma[1], p.Theta[1]-high, p.Theta[1]-low, -1)
		}
	}
	for k := range a.panels {
		b := &a.panels[k]
		b.least = min(p.At(b.lo), p.At(b.hi))
		side := 0
		if b.hi <= 0 {
			side = 1
		}
		if top := -p.Theta[side] / p.Gamma[side]; b.lo < top && top < b.hi {
			b.least = min(b.least, p.At(top))
		}
	}
	return a
}

// trapezoids covers an interval with equally spaced nodes, eight in a panel.
func (a *quadratureAxis) trapezoids(lo, hi, spacing float64) {
	const each = 8
	for first := 0; lo+float64(first)*spacing < hi; first += each {
		var p quadraturePanel
		for k := range each {
			p.x = append(p.x, lo+float64(first+k)*spacing)
			p.logWeights = append(p.logWeights, math.Log(spacing))
		}
		p.lo, p.hi = p.x[0], p.x[each-1]
		a.panels = append(a.panels, p)
	}
}

// halfLine covers one side of zero for a potential γy²/2 and forces between low and high, y = ±x. Panels grow from
// the decay length at the strongest force to a few standard deviations, on which twelve nodes err by 1e-16.
func (a *quadratureAxis) halfLine(gamma, low, high, sign float64) {
	const points = 12
	sigma := 1 / math.Sqrt(gamma)
	end := max(0, high/gamma) + reachSigmas*sigma
	most := 2.5 * sigma
	width := most
	if strong := max(math.Abs(low), math.Abs(high)); strong*most > 4 {
		width = 4 / strong
	}
	for at := 0.0; at < end; {
		x, weights := make([]float64, points), make([]float64, points)
		quad.Legendre{}.FixedLocations(x, weights, at, at+width)
		p := quadraturePanel{lo: at, hi: at + width, x: x, logWeights: weights}
		for k := range x {
			weights[k] = math.Log(weights[k])
			x[k] *= sign
		}
		if sign < 0 {
			p.lo, p.hi = -p.hi, -p.lo
		}
		a.panels = append(a.panels, p)
		at += width
		width = min(most, max(width, at))
	}
}

// visible is ΣΓ over the discrete units, and mean and variance of their energy.
func (q *quadratureGrid) visible(h, energies []float64) (cgf, mean, variance float64) {
	for _, u := range q.classes {
		g, m, v := u.cumulants(h, q.beta, energies)
		cgf += u.count * g
		mean += u.count * m
		variance += u.count * v
	}
	return cgf, mean, variance
}

// states is the number of terms of one node.
func (q *quadratureGrid) states() (n float64) {
	for _, u := range q.classes {
		n += float64(len(u.energy))
	}
	return n
}

// sum adds up all cells that count.
func (q *quadratureGrid) sum() (thermal, error) {
	cells, offset, err := q.cells()
	if err != nil {
		return thermal{}, err
	}
	nodes := 0.0
	for _, cell := range cells {
		n := 1.0
		for mu, k := range cell {
			n *= float64(len(q.axes[mu].panels[k].x))
		}
		nodes += n
	}
	if work := nodes * q.states(); work > q.limit {
		return thermal{}, &tooMuch{work, q.limit}
	}
	partial := make([]moments, len(cells))
	parallel.For(0, len(cells), func(_, c int) { partial[c] = q.cell(cells[c], offset) })
	var total moments
	for _, p := range partial { // in order, so that the number of processors does not matter
		total.merge(p)
	}
	mean := total.first / total.weight
	return thermal{total.log + math.Log(total.weight), offset + mean, total.second/total.weight - mean*mean}, nil
}

// negligible is the logarithm of the share of the integral that a cell left out may have, before there are many.
const negligible = -60

// cells lists the panels of each axis whose product counts; offset is the mean energy in the best corner.
func (q *quadratureGrid) cells() (cells [][]int, offset float64, err error) {
	corners := 1
	for _, a := range q.axes {
		corners *= 2 * len(a.panels)
		if work := float64(corners) * q.states(); work > q.limit {
			return nil, 0, &tooMuch{work, q.limit}
		}
	}
	cgf, value, energy := make([]float64, corners), make([]float64, corners), make([]float64, corners)
	const block = 256
	blocks := parallel.Blocks(corners, block)
	parallel.For(0, len(blocks), func(_, b int) {
		h, energies := make([]float64, len(q.axes)), make([]float64, q.mostStates())
		for k := blocks[b].Lo; k < blocks[b].Hi; k++ {
			var potential float64
			for mu, rest := 0, k; mu < len(q.axes); mu++ {
				a := &q.axes[mu]
				n := 2 * len(a.panels)
				p := &a.panels[rest%n/2]
				h[mu] = p.lo
				if rest%2 == 1 {
					h[mu] = p.hi
				}
				potential += a.potential.At(h[mu])
				rest /= n
			}
			cgf[k], energy[k], _ = q.visible(h, energies)
			energy[k] += potential
			value[k] = cgf[k] - q.beta*potential
		}
	})
	best := 0
	for k, x := range value {
		if x > value[best] {
			best = k
		}
	}
	count := 1
	for _, a := range q.axes {
		count *= len(a.panels)
	}
	for k := range count {
		cell := make([]int, len(q.axes))
		first, stride := 0, 1
		var least float64
		var offsets []int
		for mu, rest := 0, k; mu < len(q.axes); mu++ {
			n := len(q.axes[mu].panels)
			cell[mu] = rest % n
			rest /= n
			first += 2 * cell[mu] * stride
			offsets = append(offsets, stride)
			stride *= 2 * n
			least += q.axes[mu].panels[cell[mu]].least
		}
		most := math.Inf(-1)
		for corner := range 1 << len(q.axes) {
			at := first
			for mu, o := range offsets {
				at += corner >> mu & 1 * o
			}
			most = max(most, cgf[at])
		}
		if most-q.beta*least > value[best]+negligible {
			cells = append(cells, cell)
		}
	}
	return cells, energy[best], nil
}

func (q *quadratureGrid) mostStates() (n int) {
	for _, u := range q.classes {
		n = max(n, len(u.energy))
	}
	return n
}

// cell integrates over a product of panels.
func (q *quadratureGrid) cell(cell []int, offset float64) (m moments) {
	h, energies := make([]float64, len(cell)), make([]float64, q.mostStates())
	nodes := 1
	for mu, k := range cell {
		nodes *= len(q.axes[mu].panels[k].x)
	}
	for k := range nodes {
		var potential, logWeight float64
		for mu, rest := 0, k; mu < len(cell); mu++ {
			p := &q.axes[mu].panels[cell[mu]]
			h[mu] = p.x[rest%len(p.x)]
			logWeight += p.logWeights[rest%len(p.x)]
			potential += q.axes[mu].potential.At(h[mu])
			rest /= len(p.x)
		}
		cgf, mean, variance := q.visible(h, energies)
		mean += potential - offset
		m.merge(moments{log: logWeight + cgf - q.beta*potential, weight: 1, first: mean,
			second: variance + mean*mean})
	}
	return m
}
