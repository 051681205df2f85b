package theory

import (
	"math"
	"math/rand/v2"

	"instanton/internal/vec"
)

// pathStart is a start of Optima, as flat hidden values.
type pathStart struct {
	h      []float64
	route  *Route // the route it follows, if any
	copies int    // routes it stands for
}

// StraightStart is the straight line between two fields, a start for SolvePath that keeps every symmetry of its ends.
func StraightStart(from, to []float64, steps int) [][]float64 {
	h := make([][]float64, steps)
	for t := range h {
		h[t] = make([]float64, len(from))
		s := (float64(t) + 0.5) / float64(steps)
		for mu := range from {
			h[t][mu] = from[mu] + s*(to[mu]-from[mu])
		}
	}
	return h
}

// shortPath is the length from which longer paths are grown, and maxGrow the number of unknowns up to which that is
// done beside routes.
const shortPath, maxGrow = 24, 6000

// pathStarts lists the starts of Optima, the most promising first: routes, and the straight line for a short path.
// Without routes they are those of a smaller model, or lines along which the units move one by one, and two bent ones.
func (l *Landscape) pathStarts(from, to []float64, p PathProblem) []pathStart {
	steps := p.Steps
	straight := pathStart{h: flatten(StraightStart(from, to, steps)), copies: 1}
	starts := l.routeStarts(from, to, steps)
	switch {
	case len(starts) > 0 && (l.units == 1 || steps > 2*shortPath): // one unit has one way only
		return starts
	case len(starts) > 0:
		return append(starts, straight)
	case l.units == 1:
		return []pathStart{straight}
	}
	if starts = l.reducedStarts(from, to, p); len(starts) > 0 {
		return starts
	}
	starts = append([]pathStart{straight}, rampStarts(from, to, steps)...)
	r := rand.New(rand.NewPCG(1, 2))
	size := math.Max(vec.MaxAbs(from), vec.MaxAbs(to))
	for range 2 {
		bent := append([]float64(nil), straight.h...)
		bend := make([]float64, l.units)
		for mu := range bend {
			bend[mu] = size * (r.Float64() - 0.5)
		}
		for i := range bent {
			bent[i] += bend[i%l.units] * math.Sin(math.Pi*(float64(i/l.units)+0.5)/float64(steps))
		}
		starts = append(starts, pathStart{h: bent, copies: 1})
	}
	return starts
}

func flatten(h [][]float64) []float64 {
	var flat []float64
	for _, x := range h {
		flat = append(flat, x...)
	}
	return flat
}

// maxOrders bounds the flip orders from which paths are started.
const maxOrders = 24

// rampStarts move the units that differ between the ends one after the other, in all orders (24 of them for more than 4
// units). Ramps, unlike sharp switches, leave time for every state and saddle on the way; where to wait is what
// Newton's method finds slowly, since it changes the action by exponentially little.
func rampStarts(from, to []float64, steps int) []pathStart {
	m := len(from)
	var moving []int
	for mu := range from {
		if math.Abs(from[mu]-to[mu]) > 1e-6 {
			moving = append(moving, mu)
		}
	}
	k := float64(len(moving))
	var starts []pathStart
	for _, order := range flipOrders(len(moving)) {
		h := make([]float64, steps*m)
		for i := range h {
			h[i] = from[i%m]
		}
		for rank, j := range order {
			mu := moving[j]
			for t := range steps {
				s := (float64(t)+0.5)*k/float64(steps) - float64(rank)
				h[t*m+mu] += math.Min(math.Max(s, 0), 1) * (to[mu] - from[mu])
			}
		}
		starts = append(starts, pathStart{h: h, copies: 1})
	}
	return starts
}

// flipOrders are all orders of k units for k ≤ 4, and 24 of them beyond.
func flipOrders(k int) [][]int {
	if k > 4 {
		r := rand.New(rand.NewPCG(3, 4))
		var orders [][]int
		for range maxOrders {
			orders = append(orders, r.Perm(k))
		}
		return orders
	}
	orders := [][]int{nil}
	for n := range k { // insert unit n at every place of every order of the units before it
		var longer [][]int
		for _, o := range orders {
			for at := range n + 1 {
				grown := append(append([]int(nil), o[:at]...), n)
				longer = append(longer, append(grown, o[at:]...))
			}
		}
		orders = longer
	}
	return orders
}
