package theory

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"instanton/internal/vec"
)

// maxRoutes bounds the routes looked at, maxShapes the shapes that are tried.
const maxRoutes, maxShapes = 512, 12

// routeStarts are the infinitely long paths along the routes of least action, over all critical points and over saddles
// of index one alone, cut to the number of steps, one for every shape of route. Symmetries keep the scalar products
// between the stops, so routes with the same products have the same shape; the one whose units flip in the first order
// alphabetically stands for it. There are none if the graph is not known.
func (l *Landscape) routeStarts(from, to []float64, steps int) []pathStart {
	graph, err := l.Graph()
	if err != nil {
		return nil
	}
	routes, _ := graph.Routes(l.Order(from), l.Order(to), maxRoutes)
	passes, _ := graph.routes(l.Order(from), l.Order(to), maxRoutes, 1)
	// routes over passes that are among the cheapest have come already
	if len(passes) > 0 && (len(routes) == 0 || passes[0].Action > routes[0].Action+1e-10 ||
		len(passes[0].Stops) != len(routes[0].Stops)) {
		routes = append(routes, passes...)
	}
	var starts []pathStart
	var orders [][]int
	shapes := map[string]int{}
	for i := range routes {
		r := &routes[i]
		if len(r.Stops) < 2 {
			continue
		}
		h := l.cut(*r, steps)
		if h == nil {
			continue
		}
		order := flipOrder(h, from, to)
		k, known := shapes[r.shape()]
		if !known {
			shapes[r.shape()] = len(starts)
			starts, orders = append(starts, pathStart{h: h, route: r, copies: 1}), append(orders, order)
			continue
		}
		starts[k].copies++
		if slices.Compare(order, orders[k]) < 0 {
			starts[k].h, starts[k].route, orders[k] = h, r, order
		}
	}
	return starts[:min(len(starts), maxShapes)]
}

// shape is the scalar products of the stops, rounded.
func (r Route) shape() string {
	var text strings.Builder
	for i, a := range r.Stops {
		for _, b := range r.Stops[i:] {
			fmt.Fprintf(&text, "%d,", int64(math.Round(1e5*vec.Dot(a.H, b.H))))
		}
	}
	return text.String()
}

func flipOrder(flat, from, to []float64) []int {
	p, m := Path{}, len(from)
	fields := [][]float64{from}
	for t := 0; t < len(flat); t += m {
		fields = append(fields, flat[t:t+m])
	}
	p.findFlips(append(fields, to))
	return p.Order
}

// patience is the share of a long path's time that each stop of a route takes, and the decay time of the action's
// excess over its limit. Paths approach every stop exponentially, at a rate κ given by the largest multiplier of the
// relaxation map, and the cost of hurrying past a stop falls as exp(−κ·time): time is shared in proportion to 1/κ, half
// for the ends, and the decay time is the sum of the 1/κ (for Curie–Weiss, DecayTime).
func (l *Landscape) patience(r Route) (share []float64, decay float64) {
	share = make([]float64, len(r.Stops))
	for i, stop := range r.Stops {
		_, multiplier, _ := l.index(stop.H)
		if multiplier == 1 {
			return nil, 0
		}
		share[i] = 1 / math.Abs(math.Log(math.Max(multiplier, 1e-6)))
		if i == 0 || i == len(r.Stops)-1 {
			share[i] /= 2
		}
		decay += share[i]
	}
	for i := range share {
		share[i] /= decay
	}
	return share, decay
}

// cut follows a route by climbing and descending legs, in a given number of steps; nil if a stop is degenerate.
func (l *Landscape) cut(r Route, steps int) []float64 {
	if r.plain != nil {
		plain := l.aligned.cut(*r.plain, steps)
		var turned []float64
		for t := 0; t < len(plain); t += l.units {
			turned = append(turned, turn(l.rotation, plain[t:t+l.units])...)
		}
		return turned
	}
	share, _ := l.patience(r)
	if share == nil {
		return nil
	}
	last := len(share) - 1
	half := func(i int) float64 { // the part of a stop's time that belongs to one of its legs
		if i == 0 || i == last {
			return share[i]
		}
		return share[i] / 2
	}
	var start []float64
	elapsed := 0.0
	for i := 1; i <= last; i++ {
		high, low := i, i-1
		if r.Stops[i].F < r.Stops[i-1].F {
			high, low = i-1, i
		}
		elapsed += half(i-1) + half(i)
		n := int(math.Round(float64(steps)*elapsed)) - len(start)/l.units
		near := int(math.Round(float64(n) * half(high) / (half(high) + half(low))))
		path := l.descent(r.Stops[high].H, r.Stops[low].H, r.legs[i-1], near, n-near)
		if high == i { // climbing is descending backwards
			slices.Reverse(path)
		}
		start = append(start, flatten(path)...)
	}
	return start
}

// solveRoute finds the optimal path along a route. A path much longer than the decay time is found by lengthening a
// shorter one little by little, by copies of the stops where it waits: how long to wait at each stop depends on
// prefactors that the shorter path has right, and that Newton's method corrects slowly in a long one, because there
// they change the action by exponentially little.
func (l *Landscape) solveRoute(from, to []float64, p PathProblem, r Route) (*Path, error) {
	share, decay := l.patience(r)
	if share == nil {
		return nil, fmt.Errorf("a stop of the route is degenerate")
	}
	q := p
	q.MaxSteps = min(p.MaxSteps, 250)
	q.Steps = min(p.Steps, int(4*decay)+len(r.Stops), 50)
	path, err := l.solvePath(newAction(l, from, to, q.Steps), q, l.cut(r, q.Steps))
	growth, tries := 0.3, 0
	for err == nil && len(path.H) < p.Steps {
		q.Steps = min(p.Steps, len(path.H)+int(growth*float64(len(path.H)))+1)
		longer, failed := l.solvePath(newAction(l, from, to, q.Steps), q, l.lengthen(path, r, share,
			q.Steps-len(path.H)))
		switch tries++; {
		case failed == nil:
			path, growth = longer, math.Min(0.3, 1.5*growth)
		case tries > 60 || q.Steps == len(path.H)+1:
			return nil, failed
		default: // shorter steps change less at a time
			growth /= 3
		}
	}
	return path, err
}

// lengthen inserts extra steps where the path is nearest to each stop, in the given shares.
func (l *Landscape) lengthen(path *Path, r Route, share []float64, extra int) []float64 {
	var longer []float64
	t, shared, given := 0, 0.0, 0 // t hidden values copied so far
	for i, stop := range r.Stops {
		at := t
		if i == len(r.Stops)-1 {
			at = len(path.H)
		} else if i > 0 {
			nearest := math.Inf(1)
			for k := t; k < len(path.H); k++ {
				if d := vec.Distance(path.H[k], stop.H); d < nearest {
					at, nearest = k, d
				}
			}
		}
		for ; t < at; t++ {
			longer = append(longer, path.H[t]...)
		}
		shared += share[i]
		for ; given < int(math.Round(float64(extra)*shared)); given++ {
			longer = append(longer, stop.H...)
		}
	}
	return longer
}

// descent is a relaxation from one critical point to another, by a number of steps in the half near the higher and in
// the half near the lower. Before the start of the connection it is taken to move along the descending directions, each
// at its own rate.
func (l *Landscape) descent(high, low []float64, c connection, near, far int) [][]float64 {
	path, middle := l.trace(high, low, c, far)
	for len(path) < middle+far {
		path = append(path, low)
	}
	path = path[:middle+far]
	if middle >= near {
		return path[middle-near:]
	}
	directions, multipliers := l.unstable(high)
	var before [][]float64
	for k := near - middle; k > 0; k-- {
		h := append([]float64(nil), high...)
		for j, v := range directions {
			size := vec.Dot(v, c.start) / vec.Dot(v, v) * math.Exp(-float64(k)*math.Log(multipliers[j]))
			for mu := range h {
				h[mu] += size * v[mu]
			}
		}
		l.clipToDomain(h)
		before = append(before, h)
	}
	return append(before, path...)
}

// trace follows a connection from its start to where it is nearer to the lower point, from the step middle on, and some
// steps further.
func (l *Landscape) trace(high, low []float64, c connection, further int) (path [][]float64, middle int) {
	isNear := func(h []float64) bool { return vec.Distance(h, low) < vec.Distance(h, high) }
	if c.orbit != nil {
		for middle = 0; middle < len(c.orbit) && !isNear(c.orbit[middle]); middle++ {
		}
		return slices.Clone(c.orbit), middle
	}
	graph, err := l.Graph()
	if err != nil {
		return nil, 0
	}
	t := tiesOf(l.units, graph.network.group.keeping(high, low))
	h := add(high, c.start)
	l.clipToDomain(h)
	middle = -1
	for len(path) < 20000 {
		path = append(path, h)
		if middle < 0 && isNear(h) {
			middle = len(path) - 1
		}
		if middle >= 0 && len(path) > middle+further {
			return path, middle
		}
		h = l.relaxField(h)
		t.project(h)
	}
	return path, len(path)
}
