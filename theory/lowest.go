package theory

import (
	"fmt"
	"math"
)

// Lowest is the route whose highest saddle is lowest.
func (g *Graph) Lowest(from, to []float64) (*Route, error) {
	a, b, err := g.ends(from, to)
	if err != nil {
		return nil, err
	}
	reached := g.dijkstra(a, func(sofar float64, _ int, pass Pass) float64 { return math.Max(sofar, pass.Saddle.F) },
		math.Inf(-1))
	return g.follow(a, b, reached)
}

// passLimit is the least sum of ascents between two states over saddles of index one, an upper bound on the limit of
// the action; infinite if they are not both minima.
func (g *Graph) passLimit(start, end []float64) float64 {
	a, b := g.minimum(start), g.minimum(end)
	if a < 0 || b < 0 {
		return math.Inf(1)
	}
	return g.costToReach(b)[a]
}

func (g *Graph) ends(from, to []float64) (a, b int, err error) {
	for i, m := range [][]float64{from, to} {
		h, err := g.l.nearbyCritical(m)
		if err != nil {
			return 0, 0, err
		}
		k := g.minimum(h)
		if k < 0 {
			return 0, 0,
				fmt.Errorf("the state %v is not a minimum of the free energy, so no route starts or ends there", m)
		}
		if i == 0 {
			a = k
		} else {
			b = k
		}
	}
	return a, b, nil
}

// costToReach is the least sum of ascents from every minimum to b: Dijkstra's algorithm against the arrows.
func (g *Graph) costToReach(b int) []float64 {
	cost := make([]float64, len(g.Minima))
	done := make([]bool, len(g.Minima))
	for i := range cost {
		cost[i] = math.Inf(1)
	}
	cost[b] = 0
	for {
		at := -1
		for i, c := range cost {
			if !done[i] && !math.IsInf(c, 1) && (at < 0 || c < cost[at]) {
				at = i
			}
		}
		if at < 0 {
			return cost
		}
		done[at] = true
		for _, k := range g.edges[at] {
			p := g.Passes[k]
			before := p.A + p.B - at
			cost[before] = math.Min(cost[before], cost[at]+p.Saddle.F-g.Minima[before].F)
		}
	}
}

// dijkstra is Dijkstra's algorithm for a cost that grows along the way; it returns the pass by which each minimum was
// reached.
func (g *Graph) dijkstra(a int, grow func(sofar float64, at int, pass Pass) float64, start float64) []int {
	cost, by := make([]float64, len(g.Minima)), make([]int, len(g.Minima))
	done := make([]bool, len(g.Minima))
	for i := range cost {
		cost[i], by[i] = math.Inf(1), -1
	}
	cost[a] = start
	for {
		at := -1
		for i, c := range cost {
			if !done[i] && !math.IsInf(c, 1) && (at < 0 || c < cost[at]) {
				at = i
			}
		}
		if at < 0 {
			return by
		}
		done[at] = true
		for _, k := range g.edges[at] {
			next := g.Passes[k].A + g.Passes[k].B - at
			if c := grow(cost[at], at, g.Passes[k]); c < cost[next] && !done[next] {
				cost[next], by[next] = c, k
			}
		}
	}
}

func (g *Graph) follow(a, b int, by []int) (*Route, error) {
	stops := []CriticalPoint{g.Minima[b]}
	for at := b; at != a; {
		if by[at] < 0 {
			return nil, fmt.Errorf("no saddles join the two states, as far as the search found them")
		}
		p := g.Passes[by[at]]
		at = p.A + p.B - at
		stops = append([]CriticalPoint{g.Minima[at], p.Saddle}, stops...)
	}
	r := makeRoute(stops)
	return &r, nil
}
