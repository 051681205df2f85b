package kernel

import "math"

// PottsLine tabulates how Potts units respond to a hidden variable s at some nodes: the factor e^{ws} of every state.
// One table serves all chains.
type PottsLine struct {
	Units, States, Nodes int

	stride int
	table  []float64 // [unit][state][node]
}

// NewPottsLine returns a table for units with q states each.
func NewPottsLine(units, q, nodes int) *PottsLine {
	l := &PottsLine{Units: units, States: q, Nodes: nodes, stride: pad(nodes, pottsBlock)}
	l.table = make([]float64, units*q*l.stride)
	return l
}

// Set tabulates the response to the weights of a hidden unit, q consecutive ones for each visible unit, at the nodes.
func (l *PottsLine) Set(w, nodes []float64) {
	for i, wi := range w[:l.Units*l.States] {
		for g, s := range nodes[:l.Nodes] {
			l.table[i*l.stride+g] = exp2Double(wi * s * math.Log2E)
		}
	}
}

// AlongPotts sets dst to the sum over Potts units at the first nodes of a line:
//
//	dst[g] = Σ_i log Σ_a exp(x[i·q+a] + w[i·q+a]·nodes[g])
func (f *LogSums) AlongPotts(dst []float64, l *PottsLine, x []float64) {
	constant := f.foldPotts(l, x)
	f.mixtures(dst, l, f.e[:l.Units*l.States])
	for g := range dst {
		dst[g] += constant
	}
}

// PlanePotts sets dst, in rows of cols, to the sum over Potts units at pairs of the first nodes of two lines:
//
//	dst[g*cols+h] = Σ_i log Σ_c exp(x[i·q+c] + wa[i·q+c]·a.nodes[g] + wb[i·q+c]·b.nodes[h])
func (f *LogSums) PlanePotts(dst []float64, cols int, a, b *PottsLine, x []float64) {
	constant := f.foldPotts(a, x)
	n := a.Units * a.States
	scaled := f.scaled[:n]
	for g := range len(dst) / cols {
		for i, e := range f.e[:n] {
			scaled[i] = e * a.table[i*a.stride+g]
		}
		row := dst[g*cols:][:cols]
		f.mixtures(row, b, scaled)
		for h := range row {
			row[h] += constant
		}
	}
}

// foldPotts reduces the fields to e^{x−top}, where top is the largest field of a unit, and returns the sum of the
// largest fields.
func (f *LogSums) foldPotts(l *PottsLine, x []float64) float64 {
	var constant float64
	q := l.States
	for i := range l.Units {
		unit, below := x[i*q:][:q], f.scaled[i*q:][:q]
		top := unit[0]
		for _, xa := range unit[1:] {
			top = max(top, xa)
		}
		for a, xa := range unit {
			below[a] = top - xa
		}
		constant += top
	}
	var sums [12]float64
	n := l.Units * q
	foldFields(f.e[:n], f.rows, f.scaled[:n], f.scaled[:n], &sums, math.Log2E)
	return constant
}

// mixtures sets dst to the logarithm of the product of sums over states at every node.
func (f *LogSums) mixtures(dst []float64, l *PottsLine, e []float64) {
	for g := 0; g < len(dst); g += pottsBlock {
		f.mixtureProduct(e, l.table[g:], l.stride, l.States)
		for k := range dst[g:min(g+pottsBlock, len(dst))] {
			dst[g+k] = f.logarithm(k, l.Units)
		}
	}
}
