package kernel

import "math"

// Products are computed at up to maxNodeBlock nodes together, in multiples of nodeBlock, or at pottsBlock nodes for
// Potts units.
const (
	nodeBlock    = 8
	pottsBlock   = 16
	maxNodeBlock = 32
)

// Line tabulates how visible units respond to a hidden variable s at some nodes: the factors e^{∓2ws} for spins,
// e^{∓ws} for Bernoulli units. One table serves all chains.
//
// log 2cosh(x+ws) = |x| ± ws + log(1 + e^{−2|x|}·e^{∓2ws}) with the sign of x, so a sum over units is linear in s up
// to the logarithm of one product. Factors are multiplied in float64, and the exponent is taken out after every
// eighth, which allows |w·s| up to 40 for a sum along one line and 20 on each axis for one on two lines.
type Line struct {
	Units, Nodes int
	Spin         bool

	weights, nodes []float64
	total          float64   // Σ w
	stride         int       // numbers from one row to the next
	table          []float64 // [unit][sign of x][node]
}

// NewLine returns a table for the given numbers of units and nodes.
func NewLine(units, nodes int, spin bool) *Line {
	l := &Line{Units: units, Nodes: nodes, Spin: spin, stride: pad(nodes, nodeBlock)}
	l.weights, l.nodes = make([]float64, units), make([]float64, nodes)
	l.table = make([]float64, 2*units*l.stride)
	return l
}

// rate is the factor of |x| in the exponent of e^{−2|x|} or e^{−|x|}.
func (l *Line) rate() float64 {
	if l.Spin {
		return 2
	}
	return 1
}

// Set tabulates the response to the weights of a hidden unit at the nodes.
func (l *Line) Set(w, nodes []float64) {
	copy(l.weights, w)
	copy(l.nodes, nodes)
	l.total = 0
	rate := l.rate() * math.Log2E
	for i, wi := range l.weights {
		l.total += wi
		down, up := l.table[2*i*l.stride:][:l.stride], l.table[(2*i+1)*l.stride:][:l.stride]
		for g, s := range l.nodes {
			down[g] = exp2Double(-(rate * (wi * s)))
			up[g] = 1 / down[g]
		}
	}
}

// LogSums computes sums of log 2cosh and similar functions. It holds the reduced fields of one chain, so every worker
// needs its own.
type LogSums struct {
	e, scaled []float64
	rows      []uint32
	nodeProducts
}

// NewLogSums returns a workspace for up to the given number of units, or of Potts states summed over units.
func NewLogSums(units int) *LogSums {
	return &LogSums{e: make([]float64, units), scaled: make([]float64, units), rows: make([]uint32, units)}
}

// Along sets dst to the sum over units at the first nodes of a line:
//
//	dst[g] = Σ_i log 2cosh(x[i] + w[i]·nodes[g])      (spins)
//	dst[g] = Σ_i log(1 + exp(x[i] + w[i]·nodes[g]))   (Bernoulli units)
func (f *LogSums) Along(dst []float64, l *Line, x []float64) {
	constant, slope := f.fold(l, x)
	f.products(dst, l, f.e[:l.Units])
	for g, s := range l.nodes[:len(dst)] {
		dst[g] += constant + slope*s
	}
}

// lanes is the sum of the four lanes that start at k.
func lanes(sums *[12]float64, k int) float64 {
	return (sums[k] + sums[k+1]) + (sums[k+2] + sums[k+3])
}

// Plane sets dst, in rows of cols, to the sum over units at pairs of the first nodes of two lines:
//
//	dst[g*cols+h] = Σ_i log 2cosh(x[i] + wa[i]·a.nodes[g] + wb[i]·b.nodes[h])
//
// and likewise for Bernoulli units.
func (f *LogSums) Plane(dst []float64, cols int, a, b *Line, x []float64) {
	constant, slope := f.fold(a, x)
	_, second := f.fold(b, x)
	scaled := f.scaled[:a.Units]
	for g, s := range a.nodes[:len(dst)/cols] {
		for i, e := range f.e[:a.Units] {
			scaled[i] = e * a.table[int(f.rows[i])*a.stride+g]
		}
		row := dst[g*cols:][:cols]
		f.products(row, b, scaled)
		for h, t := range b.nodes[:cols] {
			row[h] += constant + slope*s + second*t
		}
	}
}

// fold reduces the fields to e^{−2|x|} and to the rows of the table selected by their signs, and returns the constant
// and the slope of the part that is linear in s.
func (f *LogSums) fold(l *Line, x []float64) (constant, slope float64) {
	var sums [12]float64
	foldFields(f.e[:l.Units], f.rows, x, l.weights, &sums, l.rate()*math.Log2E)
	if l.Spin {
		return lanes(&sums, 0), lanes(&sums, 4)
	}
	return (lanes(&sums, 0) + lanes(&sums, 8)) / 2, (lanes(&sums, 4) + l.total) / 2
}

// products sets dst to the logarithm of the product of 1 + e·row at the first nodes.
func (f *LogSums) products(dst []float64, l *Line, e []float64) {
	for g := 0; g < len(dst); g += maxNodeBlock {
		part := dst[g:min(g+maxNodeBlock, len(dst))]
		f.coshProduct(pad(len(part), nodeBlock), e, f.rows, l.table[g:], l.stride)
		for k := range part {
			part[k] = f.logarithm(k, l.Units)
		}
	}
}

// AddTimes shifts fields along an axis:
//
//	for i := range x {
//		dst[i] = x[i] + s*w[i]
//	}
func AddTimes(dst, x []float64, s float64, w []float64) {
	n := 0
	if vector {
		if n = len(x) &^ 7; n > 0 {
			_, _ = dst[n-1], w[n-1]
			addTimesAVX2(&dst[0], &x[0], &w[0], s, n/8)
		}
	}
	w, dst = w[:len(x)], dst[:len(x)]
	for i := n; i < len(x); i++ {
		dst[i] = x[i] + float64(s*w[i])
	}
}
