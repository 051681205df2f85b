package latent

import (
	"math"

	"instanton/internal/kernel"
	"instanton/rbm"
	"instanton/unit"
)

// axis is a line in the space of real hidden units: h = h⊥ + s·d, where s is d·h/|d|² and
// h⊥ does not change along the line. What is prepared for the law of s may depend on h⊥
// but never on s, otherwise the Metropolis test would not be exact.
type axis struct {
	units      []int     // the hidden units that it moves
	along      []float64 // their entries of d
	norm       float64   // |d|²
	potentials []unitPotential
	convex     bool      // all Gaussian: the potential along the line is one parabola
	weights    []float64 // the response ω = W·d of the visible channels

	low, high   float64 // bounds of Σ ω⟨v⟩
	grid        *Grid   // for tower sampling
	lo, hi      float64 // the window of a single unit
	subdivision int     // pieces between two nodes
	fine        panel
	coarse      panel // locates the law in a wide window; has no nodes where it is not needed
}

// panel is a number of equally spaced nodes at which the visible units are summed out together; a
// window is covered by as many panels as it takes.
type panel struct {
	spacing float64
	nodes   int
	table   *table // nil where it would take too much memory: workers make their own
}

// unitPotential is the potential of a real unit, a parabola on each side of zero.
type unitPotential struct {
	kernel.Parabola
	half bool // infinite left of zero
}

// curvatures are the smaller and the larger γ.
func (u *unitPotential) curvatures() (least, most float64) {
	if u.half {
		return u.Gamma[0], u.Gamma[0]
	}
	return min(u.Gamma[0], u.Gamma[1]), max(u.Gamma[0], u.Gamma[1])
}

func unitPotentials(l rbm.Layer) []unitPotential {
	all := make([]unitPotential, l.Spec().N)
	if l, ok := l.(rbm.Quadratic); ok {
		for mu := range all {
			p := l.Parabolas(mu)
			all[mu] = unitPotential{kernel.Parabola{Gamma: p.Gamma, Theta: p.Theta}, p.HalfLine}
			if p.HalfLine {
				all[mu].Gamma[1] = math.Inf(1)
			}
		}
	}
	return all
}

// tableBudget bounds the memory of the tables that all workers share.
const tableBudget = 256 << 20

// newAxes prepares a line for each hidden unit, or for each direction if there are any; planes
// says that moves change two units at a time.
func newAxes(m *rbm.RBM, columns [][]float64, directions [][]float64, g *Grid, planes bool) []*axis {
	all := unitPotentials(m.Hidden)
	spec := m.Visible.Spec()
	var axes []*axis
	add := func(a *axis) {
		a.grid = g
		a.prepare(spec, m.Hidden.Spec().Type == unit.Gaussian, planes)
		axes = append(axes, a)
	}
	if directions == nil {
		for mu, w := range columns {
			add(&axis{units: []int{mu}, along: []float64{1}, potentials: all[mu : mu+1], weights: w})
		}
	}
	for _, d := range directions {
		a := &axis{weights: make([]float64, spec.Width())}
		for mu, x := range d {
			if x == 0 {
				continue
			}
			a.units, a.along, a.potentials = append(a.units, mu), append(a.along, x), append(a.potentials, all[mu])
			for c, w := range columns[mu] {
				a.weights[c] += x * w
			}
		}
		add(a)
	}
	var bytes int
	for _, a := range axes {
		bytes += 16 * len(a.weights) * (a.fine.nodes + a.coarse.nodes)
	}
	if bytes <= tableBudget {
		for _, a := range axes {
			for _, p := range []*panel{&a.fine, &a.coarse} {
				p.table = newTable(spec, p.nodes)
				p.table.set(a.weights, p.spacing)
			}
		}
	}
	return axes
}

// Nodes of a panel, and the largest |ω·s| on each of two axes at which products do not overflow.
const (
	fineNodes   = 32
	coarseNodes = 16
	maxExponent = 18
)

// prepare derives what does not depend on h.
func (a *axis) prepare(spec unit.Spec, gaussian, plane bool) {
	a.convex = gaussian
	for _, d := range a.along {
		a.norm += d * d
	}
	a.low, a.high = meanBounds(spec, a.weights)
	var top, fourth, sharp float64
	for _, w := range a.weights {
		top = max(top, math.Abs(w))
		fourth += w * w * w * w
	}
	for k, d := range a.along {
		_, most := a.potentials[k].curvatures()
		sharp += d * d * most
	}
	spacing := a.resolve(fourth, sharp, plane)
	a.fine.spacing = spacing
	a.lo, a.hi = a.window(make([]float64, len(a.units)))
	width := a.hi - a.lo
	if a.grid == nil { // a slightly larger spacing may save a panel
		panels := math.Ceil((width/spacing+1)/fineNodes) - 1
		if wider := width / (panels*fineNodes - 1.01); panels > 0 && wider < 1.2*spacing {
			spacing = wider
		}
	}
	if most := maxNodes; a.grid == nil {
		if plane {
			most = maxPlaneNodes
		}
		// strong weights: a coarse window rather than a truncated one
		spacing = max(spacing, width/(float64(most)-1.01))
	}
	a.fine = newPanel(spacing, fineNodes, top)
	if a.grid == nil && width > fineNodes*spacing {
		if a.coarse = newPanel(width/(coarseNodes-1), coarseNodes, top); a.coarse.spacing < 2*spacing {
			a.coarse = panel{} // strong weights: hardly coarser than the fine one
		}
	}
}

// resolve chooses the spacing of the nodes and the number of pieces between them. The error of the
// cubic between nodes is of the order of the fourth derivative of ΣΓ, which Σω⁴ bounds. No mode is
// narrower than 1/√U″: the pieces must resolve that, and so must the nodes where one of two units
// is summed out.
func (a *axis) resolve(fourth, sharp float64, plane bool) (spacing float64) {
	if a.subdivision = kernel.MinSubdivision; a.grid != nil {
		return a.grid.Spacing
	}
	sigma, smooth := 1/math.Sqrt(sharp), math.Inf(1)
	if fourth > 0 {
		smooth = 1 / math.Sqrt(math.Sqrt(fourth))
	}
	spacing = 0.7 * sigma
	for !plane && 2*spacing <= smooth && a.subdivision < kernel.MaxSubdivision {
		a.subdivision *= 2
		spacing *= 2
	}
	return min(spacing, 1.5*smooth)
}

// newPanel returns a panel whose products do not overflow: with fewer nodes, or with closer ones,
// where the weights are strong.
func newPanel(spacing float64, nodes int, top float64) panel {
	if reach := 2 * maxExponent / top; float64(nodes)*spacing > reach {
		if nodes == coarseNodes {
			return panel{spacing: reach / coarseNodes, nodes: nodes}
		}
		nodes = max(1, int(reach/spacing))
	}
	return panel{spacing: spacing, nodes: nodes}
}

// meanBounds are the smallest and the largest Σ ω_i v_i.
func meanBounds(spec unit.Spec, w []float64) (low, high float64) {
	if spec.Channels() == 1 {
		down, up := spec.StateValue(0), spec.StateValue(1)
		for _, x := range w {
			low += min(x*down, x*up)
			high += max(x*down, x*up)
		}
		return low, high
	}
	for i := range spec.N {
		least, most := w[i*spec.Q], w[i*spec.Q]
		for _, x := range w[i*spec.Q : (i+1)*spec.Q] {
			least, most = min(least, x), max(most, x)
		}
		low += least
		high += most
	}
	return low, high
}

// coordinate is s of the configuration h.
func (a *axis) coordinate(h []float64) float64 {
	var sum float64
	for k, mu := range a.units {
		sum += a.along[k] * h[mu]
	}
	return sum / a.norm
}

// rest sets origin to h⊥ at the units of the axis.
func (a *axis) rest(origin, h []float64, s float64) {
	for k, mu := range a.units {
		origin[k] = h[mu] - s*a.along[k]
	}
	if len(a.units) == 1 {
		origin[0] = 0 // free of rounding
	}
}

// potential is Σ U(h⊥ + s·d) over the units of the axis.
func (a *axis) potential(origin []float64, s float64) float64 {
	var sum float64
	for k, d := range a.along {
		sum += a.potentials[k].At(origin[k] + s*d)
	}
	return sum
}

// domain is the interval where the potential is finite.
func (a *axis) domain(origin []float64) (lo, hi float64) {
	lo, hi = math.Inf(-1), math.Inf(1)
	for k, d := range a.along {
		if !a.potentials[k].half {
			continue
		}
		if edge := -origin[k] / d; d > 0 {
			lo = max(lo, edge)
		} else {
			hi = min(hi, edge)
		}
	}
	return lo, hi
}

// table holds the response of the visible units to one axis; all chains share it.
type table struct {
	bits  *kernel.Line
	potts *kernel.PottsLine
	nodes []float64
}

func newTable(spec unit.Spec, nodes int) *table {
	t := &table{nodes: make([]float64, nodes)}
	if spec.Type == unit.Potts {
		t.potts = kernel.NewPottsLine(spec.N, spec.Q, nodes)
	} else {
		t.bits = kernel.NewLine(spec.N, nodes, spec.Type == unit.Spin)
	}
	return t
}

// set tabulates the response to weights at nodes around zero.
func (t *table) set(weights []float64, spacing float64) {
	for g := range t.nodes {
		t.nodes[g] = (float64(g) - float64(len(t.nodes)-1)/2) * spacing
	}
	if t.potts != nil {
		t.potts.Set(weights, t.nodes)
	} else {
		t.bits.Set(weights, t.nodes)
	}
}
