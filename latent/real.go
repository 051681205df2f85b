package latent

import (
	"math"

	"instanton/internal/kernel"
	"instanton/internal/rng"
	"instanton/unit"
)

// realMover moves one axis or a pair of them.
type realMover struct {
	*visibleSum
	axes   []*axis
	spec   unit.Spec
	fine   [2]*table // of the current move; the worker's own where the axes have none
	coarse [2]*table
	own    map[ownTable]*table

	x, shifted []float64
	origin     [2][]float64
	sums       []float64 // ΣΓ at the nodes of a line or plane
	tile       []float64
	row        []float64
	along      *law // of the first axis, or of the only one
	across     *law // of the second, given the first
	tower      []float64
}

// The largest numbers of nodes of a window. A wider law is covered around its middle; the rest is left to the Cauchy
// part of the proposals.
const (
	maxNodes      = 1024
	maxPlaneNodes = 256
)

func newRealMover(k *Kernel, s *visibleSum) *realMover {
	spec := k.proposal.Visible.Spec()
	m := &realMover{visibleSum: s, axes: k.axes, spec: spec, own: map[ownTable]*table{}}
	m.x, m.shifted = make([]float64, spec.Width()), make([]float64, spec.Width())
	units, nodes := 0, 0
	for _, a := range k.axes {
		units = max(units, len(a.units))
		lo, hi := a.window(make([]float64, len(a.units)))
		nodes = max(nodes, int((hi-lo)/a.fine.spacing)+3)
	}
	nodes = max(nodes, 8)
	if units > 1 || !k.axes[0].convex {
		nodes = maxGrid // windows depend on h⊥
	}
	m.origin = [2][]float64{make([]float64, units), make([]float64, units)}
	m.sums, m.row = make([]float64, nodes+fineNodes), make([]float64, nodes+fineNodes)
	if k.scan.size != 1 {
		side := min(nodes, maxPlaneNodes) + fineNodes
		m.sums, m.tile = make([]float64, side*side), make([]float64, fineNodes*fineNodes)
	}
	m.along, m.across = newLaw(nodes), newLaw(nodes)
	m.tower = make([]float64, len(m.sums))
	return m
}

// ownTable identifies a table that a worker makes for itself.
type ownTable struct{ place, nodes int }

func (m *realMover) prepare(units []int) {
	for k, mu := range units {
		a := m.axes[mu]
		m.fine[k] = m.tableOf(a, &a.fine, 2*k)
		m.coarse[k] = m.tableOf(a, &a.coarse, 2*k+1)
	}
}

func (m *realMover) tableOf(a *axis, p *panel, place int) *table {
	if p.table != nil || p.nodes == 0 {
		return p.table
	}
	name := ownTable{place, p.nodes}
	t := m.own[name]
	if t == nil {
		t = newTable(m.spec, p.nodes)
		m.own[name] = t
	}
	t.set(a.weights, p.spacing)
	return t
}

func (m *realMover) move(c *chain, units []int, words, more [4]uint32) {
	if math.IsNaN(c.total) {
		c.total = m.total(c.x)
	}
	c.proposed++
	a := m.axes[units[0]]
	if len(units) == 2 {
		m.movePair(c, a, m.axes[units[1]], words, more)
		return
	}
	s := a.coordinate(c.h)
	origin := m.origin[0][:len(a.units)]
	a.rest(origin, c.h, s)
	kernel.AddTimes(m.x, c.x, -s, a.weights)
	span := m.locate(a, origin)
	sums := m.sumsAlong(a, span, &a.fine, m.fine[0])
	if a.grid != nil {
		for g := range sums {
			sums[g] -= a.potential(origin, span.at(g))
		}
		if g := m.pick(sums, words[0]); g >= 0 {
			kernel.AddTimes(m.shifted, m.x, span.at(g), a.weights)
			m.commit(c, a, s, span.at(g), math.NaN())
		}
		return
	}
	l := m.along
	m.interpolate(l, a, origin, span, sums)
	next := l.draw(words[2], words[0])
	kernel.AddTimes(m.shifted, m.x, next, a.weights)
	total := m.total(m.shifted)
	gain := (total - a.potential(origin, next)) - (c.total - a.potential(origin, s))
	gain -= l.logDensity(next) - l.logDensity(s)
	if rng.Uniform(words[1]) < math.Exp(gain) {
		m.commit(c, a, s, next, total)
	}
}

// locate covers with nodes the part of the window where the law is not negligible as far as the coarse nodes can tell:
// ΣΓ is convex, so that it lies below its chords.
func (m *realMover) locate(a *axis, origin []float64) span {
	lo, hi := a.window(origin)
	if a.coarse.nodes == 0 {
		return a.span(origin, lo, hi, maxNodes)
	}
	s := spanning(lo, hi, &a.coarse)
	sums := m.sumsAlong(a, s, &a.coarse, m.coarse[0])
	top := math.Inf(-1)
	for g, sum := range sums {
		top = max(top, sum-a.potential(origin, s.at(g)))
	}
	from, to := math.Inf(1), math.Inf(-1)
	for g := range s.n - 1 {
		for k := range chord + 1 {
			f := float64(k) / chord
			x := s.at(g) + f*s.step
			if sums[g]+f*(sums[g+1]-sums[g])-a.potential(origin, x) > top-depth {
				from, to = min(from, x), max(to, x)
			}
		}
	}
	return a.span(origin, max(lo, from-s.step/chord), min(hi, to+s.step/chord), maxNodes)
}

// chord is the number of points at which a chord is evaluated.
const chord = 4

// sumsAlong computes ΣΓ at nodes, panel by panel: adding to the fields shifts the nodes of a panel.
func (m *realMover) sumsAlong(a *axis, s span, p *panel, t *table) []float64 {
	if s.step != p.spacing {
		for g := range s.n {
			kernel.AddTimes(m.shifted, m.x, s.at(g), a.weights)
			m.sums[g] = m.total(m.shifted)
		}
		return m.sums[:s.n]
	}
	for g := 0; g < s.n; g += p.nodes {
		kernel.AddTimes(m.shifted, m.x, s.at(g)-t.nodes[0], a.weights)
		m.visibleSum.along(m.sums[g:min(g+p.nodes, s.n)], t, m.shifted)
	}
	return m.sums[:s.n]
}

// interpolate sets l to the law ∝ e^{ΣΓ−U}: the sums are interpolated, the potential is exact.
func (m *realMover) interpolate(l *law, a *axis, origin []float64, s span, sums []float64) {
	left, right := a.domain(origin)
	l.begin(s, a.subdivision, left, right)
	l.refine(sums)
	l.finish(a, origin)
}

// pick draws a node with probability ∝ e^{logits}, −1 where there is none.
func (m *realMover) pick(logits []float64, word uint32) int {
	if len(logits) == 0 {
		return -1
	}
	return rng.Categorical(logits, rng.Uniform(word))
}

// commit moves the chain along an axis, to the shifted fields.
func (m *realMover) commit(c *chain, a *axis, from, to, total float64) {
	for k, mu := range a.units {
		c.h[mu] += (to - from) * a.along[k]
		if len(a.units) == 1 {
			c.h[mu] = to * a.along[k] // free of rounding
		}
		if a.potentials[k].half {
			c.h[mu] = max(c.h[mu], 0) // rounding
		}
	}
	c.x, m.shifted = m.shifted, c.x
	c.total = total
	c.accepted++
}
