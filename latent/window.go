package latent

import (
	"math"

	"instanton/rbm"
	"instanton/unit"
)

// depth is how far below its maximum the logarithm of a law is followed: e^{−18} is the density of a Gaussian at six
// standard deviations.
const depth = 18

// span is a sequence of equally spaced nodes.
type span struct {
	lo, step float64
	n        int
}

func (s span) at(g int) float64 { return s.lo + float64(g)*s.step }
func (s span) end() float64     { return s.at(s.n - 1) }

// spanning covers an interval with nodes at the spacing of a panel.
func spanning(lo, hi float64, p *panel) span {
	return span{lo, p.spacing, int(math.Ceil((hi-lo)/p.spacing)) + 1}
}

// span covers an interval of the domain with fine nodes, at most the given number.
func (a *axis) span(origin []float64, lo, hi float64, most int) span {
	if a.grid != nil {
		return span{lo, a.fine.spacing, int(math.Round((hi-lo)/a.fine.spacing)) + 1}
	}
	s := spanning(lo, hi, &a.fine)
	if s.n < 4 { // a law narrower than the spacing of the table
		return span{lo, (hi - lo) / 3, 4}
	}
	left, right := a.domain(origin)
	if s.n > most {
		s.n, s.lo = most, max(left, (lo+hi)/2-float64(most-1)/2*s.step)
	}
	if s.end() > right { // the table reaches beyond the domain
		s.step = (right - s.lo) / float64(s.n-1)
	}
	return s
}

// Window is an interval that contains nearly all of the law of a real hidden unit, whatever the configuration of the
// others.
func Window(m *rbm.RBM, mu int) (lo, hi float64) {
	weights := make([]float64, m.Visible.Spec().Width())
	for c := range weights {
		weights[c] = m.Row(c)[mu]
	}
	a := &axis{units: []int{mu}, along: []float64{1}, potentials: unitPotentials(m.Hidden)[mu : mu+1], weights: weights}
	a.prepare(m.Visible.Spec(), m.Hidden.Spec().Type == unit.Gaussian, false)
	return a.lo, a.hi
}

// window is an interval that contains nearly all of the law of s given h⊥: whatever the visible configuration, the
// potential of s is U(s) − F·s with F between low and high.
func (a *axis) window(origin []float64) (lo, hi float64) {
	switch {
	case len(a.units) == 1 && a.lo < a.hi:
		return a.lo, a.hi // the same whatever h⊥
	case a.grid != nil:
		return a.gridWindow(origin)
	}
	return a.cover(origin)
}

func (a *axis) cover(origin []float64) (lo, hi float64) {
	if a.convex {
		var curvature, slope float64
		for k, d := range a.along {
			curvature += d * d * a.potentials[k].Gamma[0]
			slope += d * (a.potentials[k].Gamma[0]*origin[k] + a.potentials[k].Theta[0])
		}
		reach := math.Sqrt(2 * depth / curvature)
		return (a.low-slope)/curvature - reach, (a.high-slope)/curvature + reach
	}
	return a.edge(origin, a.low, -1), a.edge(origin, a.high, 1)
}

// edge is where U(s) − F·s has risen by depth above its minimum, on the given side of it.
func (a *axis) edge(origin []float64, force, side float64) float64 {
	left, right := a.domain(origin)
	energy := func(s float64) float64 { return a.potential(origin, s) - force*s }
	inside := func(s float64) float64 { return min(max(s, left), right) }

	var flat float64
	for k, d := range a.along {
		least, _ := a.potentials[k].curvatures()
		flat += d * d * least
	}
	sigma := 1 / math.Sqrt(flat)
	start := inside(0)
	best, least := start, energy(start)
	for step := sigma / 8; step < 1e8*sigma; step *= 1.25 {
		for _, s := range [2]float64{inside(start - step), inside(start + step)} {
			if e := energy(s); e < least {
				best, least = s, e
			}
		}
	}
	near, far := best, best
	for step := sigma / 8; step < 1e8*sigma; step *= 1.5 {
		near, far = far, inside(best+side*step)
		if energy(far) > least+depth || far == left || far == right {
			break
		}
	}
	if energy(far) <= least+depth {
		return far // the end of the domain
	}
	for range 8 {
		if middle := (near + far) / 2; energy(middle) > least+depth {
			far = middle
		} else {
			near = middle
		}
	}
	return far
}

// gridWindow is the range of the multiples of the spacing.
func (a *axis) gridWindow(origin []float64) (lo, hi float64) {
	reach := a.grid.Range
	if reach == 0 {
		lo, hi = a.cover(origin)
		reach = max(-lo, hi)
	}
	steps := min(math.Floor(reach/a.fine.spacing*(1+1e-12)), maxGrid/2)
	left, right := a.domain(origin)
	lo, hi = -steps*a.fine.spacing, steps*a.fine.spacing
	if lo < left {
		lo = math.Ceil(left/a.fine.spacing-1e-12) * a.fine.spacing
	}
	if hi > right {
		hi = math.Floor(right/a.fine.spacing+1e-12) * a.fine.spacing
	}
	return lo, hi
}
