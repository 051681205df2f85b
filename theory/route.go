package theory

import (
	"container/heap"
	"fmt"
	"math"
)

// Route is a way from one critical point to another over relaxations and their reverses, or, from Lowest, over passes.
type Route struct {
	// Stops are the critical points on the way. f falls or rises all the way from each to the next.
	Stops []CriticalPoint `json:"stops"`
	// Action is the sum of the ascents: the T → ∞ limit of the action Φ of the best path that follows the route.
	Action float64 `json:"action"`
	// Barrier is the highest stop above the first. That of the route from Lowest sets the time of the transition,
	// τ ~ exp(N·Barrier), for a start in the deepest state.
	Barrier float64 `json:"barrier"`

	legs  []connection // the relaxation, or the one to be reversed, from each stop to the next
	plain *Route       // the same in the aligned model, for a rotated one
}

// Cheapest is the route of least action between the critical points with order parameters from and to.
func (g *Graph) Cheapest(from, to []float64) (*Route, error) {
	routes, err := g.Routes(from, to, 1)
	if err != nil {
		return nil, err
	}
	return &routes[0], nil
}

// Limit is the T → ∞ limit of the least action between two critical points: the sum of the ascents on the cheapest
// route, which descends for free. It is as good as the connections that were found (see Routes); a missing one makes it
// too high.
func (g *Graph) Limit(from, to []float64) (float64, error) {
	r, err := g.Cheapest(from, to)
	if err != nil {
		return 0, err
	}
	return r.Action, nil
}

// CountRoutes is the number of routes of least action.
func (g *Graph) CountRoutes(from, to []float64) (int, error) {
	routes, err := g.Routes(from, to, 1<<20)
	return len(routes), err
}

// Routes lists routes of least action between critical points, at most limit of them: different routes can tie by
// symmetry. They go over critical points of any index, joined by relaxations that were followed from each along its
// descending directions, freely and in the subspaces that the symmetries of both ends keep; of routes with the same
// action, those with the fewest stops count.
func (g *Graph) Routes(from, to []float64, limit int) ([]Route, error) {
	return g.routes(from, to, limit, g.l.units)
}

// routes goes over critical points of at most the given index.
func (g *Graph) routes(from, to []float64, limit, index int) ([]Route, error) {
	if g.l.aligned != nil {
		return g.turnedRoutes(from, to, limit, index)
	}
	start, err := g.l.nearbyCritical(from)
	if err != nil {
		return nil, err
	}
	end, err := g.l.nearbyCritical(to)
	if err != nil {
		return nil, err
	}
	w := g.network
	w.mu.Lock()
	defer w.mu.Unlock()
	a, b := w.find(start), w.find(end)
	if a < 0 || b < 0 {
		return nil, fmt.Errorf("the states %v and %v are not both among the critical points that the search found",
			from, to)
	}
	t, toGo, err := w.survey(a, b, g.passLimit(start, end), index)
	if err != nil {
		return nil, err
	}
	if math.IsInf(toGo[a], 1) {
		return nil, fmt.Errorf("no relaxations join the states %v and %v, as far as the search found them", from, to)
	}
	var routes []Route
	t.walk(a, b, toGo, limit, func(nodes []int) { routes = append(routes, w.route(nodes)) })
	return routes, nil
}

// turnedRoutes takes the routes of a rotated model from the aligned one.
func (g *Graph) turnedRoutes(from, to []float64, limit, index int) ([]Route, error) {
	aligned, err := g.l.aligned.Graph()
	if err != nil {
		return nil, err
	}
	routes, err := aligned.routes(from, to, limit, index)
	for i := range routes {
		plain := routes[i]
		r := Route{Action: plain.Action, Barrier: plain.Barrier, plain: &plain}
		for _, p := range plain.Stops {
			r.Stops = append(r.Stops, g.l.copyOf(p, turn(g.l.rotation, p.H)))
		}
		routes[i] = r
	}
	return routes, err
}

// route describes the way over some nodes.
func (w *network) route(nodes []int) Route {
	var stops []CriticalPoint
	var legs []connection
	for i, node := range nodes {
		stops = append(stops, w.point(node))
		if i > 0 {
			high, low := nodes[i-1], node
			if w.energy(low) > w.energy(high) {
				high, low = low, high
			}
			c, _ := w.relaxation(high, low)
			legs = append(legs, c)
		}
	}
	r := makeRoute(stops)
	r.legs = legs
	return r
}

func makeRoute(stops []CriticalPoint) Route {
	r := Route{Stops: stops}
	for i := 1; i < len(stops); i++ {
		r.Action += math.Max(0, stops[i].F-stops[i-1].F)
		r.Barrier = math.Max(r.Barrier, stops[i].F-stops[0].F)
	}
	return r
}

// travel is the part of a network up to a level, with its connections written out for all copies.
type travel struct {
	w        *network
	down, up [][]int
}

// travel takes the points up to a level of the free energy and up to an index.
func (w *network) travel(level float64, index int) *travel {
	t := &travel{w, make([][]int, len(w.kind)), make([][]int, len(w.kind))}
	for node := range t.down {
		if w.energy(node) > level || w.set.Points[w.kind[node]].Index > index {
			continue
		}
		t.down[node] = w.below(node)
		for _, low := range t.down[node] {
			t.up[low] = append(t.up[low], node)
		}
	}
	return t
}

// leg is a toll on every leg, far below any difference of action that matters, so that the fewest legs win.
const leg = 1e-11

// climb is what it costs to go from one node to a neighbour.
func (t *travel) climb(from, to int) float64 {
	return leg + math.Max(0, t.w.energy(to)-t.w.energy(from))
}

// costTo is the least cost from every node to b: Dijkstra's algorithm against the arrows.
func (t *travel) costTo(b int) []float64 {
	cost := make([]float64, len(t.down))
	for i := range cost {
		cost[i] = math.Inf(1)
	}
	cost[b] = 0
	done := make([]bool, len(t.down))
	queue := &frontier{{b, 0}}
	for queue.Len() > 0 {
		at := heap.Pop(queue).(waypoint).node
		if done[at] {
			continue
		}
		done[at] = true
		for _, list := range [2][]int{t.down[at], t.up[at]} {
			for _, before := range list {
				if c := cost[at] + t.climb(before, at); c < cost[before] {
					cost[before] = c
					heap.Push(queue, waypoint{before, c})
				}
			}
		}
	}
	return cost
}

// walk visits the cheapest ways from a to b, at most limit of them.
func (t *travel) walk(a, b int, toGo []float64, limit int, visit func(nodes []int)) {
	count := 0
	var step func(nodes []int)
	step = func(nodes []int) {
		at := nodes[len(nodes)-1]
		if count >= limit {
			return
		}
		if at == b {
			count++
			visit(nodes)
			return
		}
		for _, list := range [2][]int{t.up[at], t.down[at]} {
			for _, next := range list {
				if t.climb(at, next)+toGo[next] < toGo[at]+leg/10 {
					step(append(nodes[:len(nodes):len(nodes)], next))
				}
			}
		}
	}
	step([]int{a})
}

// frontier is the queue of Dijkstra's algorithm, nearest first.
type frontier []waypoint

type waypoint struct {
	node int
	cost float64
}

func (f frontier) Len() int           { return len(f) }
func (f frontier) Less(i, j int) bool { return f[i].cost < f[j].cost }
func (f frontier) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)        { *f = append(*f, x.(waypoint)) }
func (f *frontier) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}
