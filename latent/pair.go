package latent

import (
	"math"

	"instanton/internal/kernel"
	"instanton/internal/rng"
)

// movePair moves two hidden units at once: the first is drawn from its law with the second summed out, the second from
// its law given the first, both interpolated between the nodes of a plane; then comes Metropolis' test.
func (m *realMover) movePair(c *chain, a, b *axis, words, more [4]uint32) {
	p := plane{realMover: m, a: a, b: b}
	s, t := a.coordinate(c.h), b.coordinate(c.h)
	a.rest(m.origin[0], c.h, s)
	b.rest(m.origin[1], c.h, t)
	kernel.AddTimes(m.x, c.x, -s, a.weights)
	kernel.AddTimes(m.x, m.x, -t, b.weights)
	p.locate()
	p.sum(&a.fine, &b.fine, m.fine)
	if a.grid != nil {
		if n := m.pick(p.logits(), words[0]); n >= 0 {
			s, t = p.sa.at(n/p.sb.n), p.sb.at(n%p.sb.n)
			p.shift(s, t)
			m.commitPair(c, a, b, s, t, math.NaN())
		}
		return
	}
	p.marginal()
	s2 := m.along.draw(words[2], words[0])
	forward := m.along.logDensity(s2)
	back := m.along.logDensity(s)
	p.conditional(s)
	back += m.across.logDensity(t)
	p.conditional(s2)
	t2 := m.across.draw(more[0], words[1])
	forward += m.across.logDensity(t2)

	p.shift(s2, t2)
	total := m.total(m.shifted)
	gain := (total - p.potential(s2, t2)) - (c.total - p.potential(s, t)) - (forward - back)
	if rng.Uniform(words[3]) < math.Exp(gain) {
		m.commitPair(c, a, b, s2, t2, total)
	}
}

// commitPair moves the chain to the shifted fields.
func (m *realMover) commitPair(c *chain, a, b *axis, s, t, total float64) {
	c.h[a.units[0]], c.h[b.units[0]] = s, t
	c.x, m.shifted = m.shifted, c.x
	c.total = total
	c.accepted++
}

// plane is the law of two units.
type plane struct {
	*realMover
	a, b   *axis
	sa, sb span
}

// shift sets the shifted fields to those at (s, t).
func (p *plane) shift(s, t float64) {
	kernel.AddTimes(p.shifted, p.x, s, p.a.weights)
	kernel.AddTimes(p.shifted, p.shifted, t, p.b.weights)
}

func (p *plane) potential(s, t float64) float64 {
	return p.a.potential(p.origin[0], s) + p.b.potential(p.origin[1], t)
}

// locate covers with nodes the rectangle where the law is not negligible, as for a line: ΣΓ is convex along both axes,
// so that it lies below its bilinear interpolant between coarse nodes.
func (p *plane) locate() {
	lo, hi := p.a.window(p.origin[0])
	lo2, hi2 := p.b.window(p.origin[1])
	if p.a.coarse.nodes > 0 && p.b.coarse.nodes > 0 {
		p.sa, p.sb = spanning(lo, hi, &p.a.coarse), spanning(lo2, hi2, &p.b.coarse)
		if max(p.sa.n, p.sb.n) <= maxPlaneNodes {
			p.sum(&p.a.coarse, &p.b.coarse, p.coarse)
			from, to, from2, to2 := p.support()
			step, step2 := p.sa.step/chord, p.sb.step/chord
			lo, hi = max(lo, from-step), min(hi, to+step)
			lo2, hi2 = max(lo2, from2-step2), min(hi2, to2+step2)
		}
	}
	p.sa = p.a.span(p.origin[0], lo, hi, maxPlaneNodes)
	p.sb = p.b.span(p.origin[1], lo2, hi2, maxPlaneNodes)
}

// support is the rectangle around the points that coarse nodes cannot exclude.
func (p *plane) support() (from, to, from2, to2 float64) {
	n := p.sb.n
	top := math.Inf(-1)
	across := p.row[:n]
	for h := range across {
		across[h] = p.b.potential(p.origin[1], p.sb.at(h))
	}
	for g := range p.sa.n {
		own := p.a.potential(p.origin[0], p.sa.at(g))
		for h, sum := range p.sums[g*n : (g+1)*n] {
			top = max(top, sum-own-across[h])
		}
	}
	from, to, from2, to2 = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	fine := p.tower[:chord*(n-1)+1]
	for h := range fine {
		fine[h] = p.b.potential(p.origin[1], p.sb.at(0)+float64(h)*p.sb.step/chord)
	}
	for g := range chord*(p.sa.n-1) + 1 {
		f := float64(g%chord) / chord
		s := p.sa.at(0) + float64(g)*p.sa.step/chord
		own := p.a.potential(p.origin[0], s)
		below := p.sums[g/chord*n:][:n]
		above := p.sums[min(g/chord+1, p.sa.n-1)*n:][:n]
		last := below[0] + f*(above[0]-below[0])
		for h := range n - 1 {
			next := below[h+1] + f*(above[h+1]-below[h+1])
			for k := range chord {
				u := float64(k) / chord
				if last+u*(next-last)-own-fine[chord*h+k] > top-depth {
					t := p.sb.at(0) + float64(chord*h+k)*p.sb.step/chord
					from, to, from2, to2 = min(from, s), max(to, s), min(from2, t), max(to2, t)
				}
			}
			last = next
		}
	}
	return from, to, from2, to2
}

// sum computes ΣΓ at the nodes, row by row of the first axis.
func (p *plane) sum(la, lb *panel, tables [2]*table) {
	if p.sa.step != la.spacing || p.sb.step != lb.spacing {
		p.sumEach()
		return
	}
	ta, tb := tables[0], tables[1]
	na, nb := la.nodes, lb.nodes
	for g := 0; g < p.sa.n; g += na {
		for h := 0; h < p.sb.n; h += nb {
			p.shift(p.sa.at(g)-ta.nodes[0], p.sb.at(h)-tb.nodes[0])
			rows, cols := min(na, p.sa.n-g), min(nb, p.sb.n-h)
			p.visibleSum.plane(p.tile[:rows*cols], cols, ta, tb, p.shifted)
			for i := range rows {
				copy(p.sums[(g+i)*p.sb.n+h:], p.tile[i*cols:(i+1)*cols])
			}
		}
	}
}

// sumEach is sum for nodes that are in no table.
func (p *plane) sumEach() {
	for g := range p.sa.n {
		for h := range p.sb.n {
			p.shift(p.sa.at(g), p.sb.at(h))
			p.sums[g*p.sb.n+h] = p.total(p.shifted)
		}
	}
}

// logits are ΣΓ − U at all nodes.
func (p *plane) logits() []float64 {
	out := p.tower[:p.sa.n*p.sb.n]
	for n := range out {
		out[n] = p.sums[n] - p.potential(p.sa.at(n/p.sb.n), p.sb.at(n%p.sb.n))
	}
	return out
}

// marginal computes the law of the first unit, the second summed out over its nodes.
func (p *plane) marginal() {
	l, row := p.along, p.row[:p.sb.n]
	level := p.tower[:p.sa.n]
	weight := p.tower[p.sa.n : p.sa.n+p.sb.n]
	for h := range weight {
		weight[h] = p.b.potential(p.origin[1], p.sb.at(h))
	}
	for g := range level {
		top := math.Inf(-1)
		for h, sum := range p.sums[g*p.sb.n : (g+1)*p.sb.n] {
			row[h] = sum - weight[h]
			top = max(top, row[h])
		}
		var z float64
		for h, x := range row {
			if x -= top; x > negligible {
				e := math.Exp(x)
				if h == 0 || h == len(row)-1 {
					e /= 2
				}
				z += e
			}
		}
		level[g] = top + math.Log(z)
	}
	p.interpolate(l, p.a, p.origin[0], p.sa, level)
}

// conditional computes the law of the second unit given the first.
func (p *plane) conditional(s float64) {
	x := min(max((s-p.sa.lo)/p.sa.step, 0), float64(p.sa.n-1))
	first := min(max(int(x)-1, 0), p.sa.n-4)
	w := kernel.Lagrange(x - float64(first))
	row, n := p.row[:p.sb.n], p.sb.n
	rows := p.sums[first*n:]
	for h := range row {
		row[h] = w[0]*rows[h] + w[1]*rows[n+h] + w[2]*rows[2*n+h] + w[3]*rows[3*n+h]
	}
	p.interpolate(p.across, p.b, p.origin[1], p.sb, row)
}
