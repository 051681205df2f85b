package theory

import (
	"fmt"
	"math"
)

// Route is a way from one minimum to another over passes.
type Route struct {
	Stops []CriticalPoint `json:"stops"` // minimum, saddle, minimum, … , minimum
	// Action is the sum of the ascents, Σ f(saddle) − f(minimum before it): the T → ∞ limit of the action Φ of the best path
	// that follows the route.
	Action float64 `json:"action"`
	// Barrier is the highest saddle above the first minimum: what sets the time of the transition, τ ~ exp(N·Barrier), for a
	// start in the deepest state.
	Barrier float64 `json:"barrier"`
}

// Cheapest is the route of least action between the states with order parameters from and to, which must be minima.
func (g *Graph) Cheapest(from, to []float64) (*Route, error) {
	routes, err := g.Routes(from, to, 1)
	if err != nil {
		return nil, err
	}
	return &routes[0], nil
}

// Lowest is the route whose highest saddle is lowest.
func (g *Graph) Lowest(from, to []float64) (*Route, error) {
	a, b, err := g.ends(from, to)
	if err != nil {
		return nil, err
	}
	reached := g.spread(a, func(sofar float64, _ int, pass Pass) float64 { return math.Max(sofar, pass.Saddle.F) }, math.Inf(-1))
	return g.follow(a, b, reached)
}

// Routes lists routes of least action, at most limit of them: routes over different passes can tie by symmetry.
func (g *Graph) Routes(from, to []float64, limit int) ([]Route, error) {
	a, b, err := g.ends(from, to)
	if err != nil {
		return nil, err
	}
	toGo := g.costToReach(b)
	if math.IsInf(toGo[a], 1) {
		return nil, fmt.Errorf("no saddles join the states %v and %v, as far as the search found them", from, to)
	}
	var routes []Route
	var walk func(at int, stops []CriticalPoint)
	walk = func(at int, stops []CriticalPoint) {
		if len(routes) >= limit {
			return
		}
		if at == b {
			routes = append(routes, makeRoute(stops))
			return
		}
		for _, k := range g.edges[at] {
			p := g.Passes[k]
			next := p.A + p.B - at
			if cost := p.Saddle.F - g.Minima[at].F + toGo[next]; next != at && cost < toGo[at]+1e-11 {
				walk(next, append(append([]CriticalPoint(nil), stops...), p.Saddle, g.Minima[next]))
			}
		}
	}
	walk(a, []CriticalPoint{g.Minima[a]})
	return routes, nil
}

// Limit is the T → ∞ limit of the least action between two critical points: the sum of the ascents on the cheapest route, which
// descends for free. An end that is not a minimum is reached from, or left to, the minima below it.
func (g *Graph) Limit(from, to []float64) (float64, error) {
	start, err := g.l.nearbyCritical(from)
	if err != nil {
		return 0, err
	}
	end, err := g.l.nearbyCritical(to)
	if err != nil {
		return 0, err
	}
	if distance(start, end) < 1e-9 {
		return 0, nil
	}
	best := math.Inf(1)
	for _, b := range g.below(end) {
		toGo := g.costToReach(b)
		for _, a := range g.below(start) {
			best = math.Min(best, toGo[a]+g.l.HiddenEnergy(end)-g.Minima[b].F)
		}
	}
	if math.IsInf(best, 1) {
		return 0, fmt.Errorf("no saddles join the states %v and %v, as far as the search found them", from, to)
	}
	return math.Max(best, 0), nil
}

// below lists the minima to which a critical point relaxes, itself if it is one.
func (g *Graph) below(h []float64) []int {
	if k := g.minimum(h); k >= 0 {
		return []int{k}
	}
	var list []int
	for _, direction := range g.l.unstable(h) {
		for _, sign := range []float64{1, -1} {
			if k := g.relaxFrom(h, direction, sign); k >= 0 {
				list = append(list, k)
			}
		}
	}
	return list
}

// CountRoutes is the number of routes of least action.
func (g *Graph) CountRoutes(from, to []float64) (int, error) {
	routes, err := g.Routes(from, to, 1<<20)
	return len(routes), err
}

func makeRoute(stops []CriticalPoint) Route {
	r := Route{Stops: stops}
	for i := 1; i < len(stops); i += 2 {
		r.Action += stops[i].F - stops[i-1].F
		r.Barrier = math.Max(r.Barrier, stops[i].F-stops[0].F)
	}
	return r
}

func (g *Graph) ends(from, to []float64) (a, b int, err error) {
	for i, m := range [][]float64{from, to} {
		h, err := g.l.nearbyCritical(m)
		if err != nil {
			return 0, 0, err
		}
		k := g.minimum(h)
		if k < 0 {
			return 0, 0, fmt.Errorf("the state %v is not a minimum of the free energy, so no route starts or ends there", m)
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

// spread is Dijkstra's algorithm for a cost that grows along the way; it returns the pass by which each minimum was reached.
func (g *Graph) spread(a int, grow func(sofar float64, at int, pass Pass) float64, start float64) []int {
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
