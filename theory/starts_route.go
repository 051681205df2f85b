package theory

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// maxRoutes bounds the routes looked at, maxShapes the shapes that are tried.
const maxRoutes, maxShapes = 512, 12

// routeStarts are the infinitely long paths along the routes of least action, cut to the number of steps, one for
// every shape of route. Symmetries keep the scalar products between the stops, so routes with the same products have the same
// shape; the one whose units flip in the first order alphabetically stands for it. There are none if the ends are not minima or
// the graph is not known.
func (l *Landscape) routeStarts(from, to []float64, steps int) []pathStart {
	graph, err := l.Graph()
	if err != nil {
		return nil
	}
	routes, err := graph.Routes(l.Order(from), l.Order(to), maxRoutes)
	if err != nil {
		return nil
	}
	var starts []pathStart
	var orders [][]int
	shapes := map[string]int{}
	for i := range routes {
		r := &routes[i]
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
			fmt.Fprintf(&text, "%d,", int64(math.Round(1e5*dot(a.H, b.H))))
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

// patience is the share of a long path's time that each stop of a route takes, and the decay time of the action's excess over its
// limit. Paths approach every stop exponentially, at a rate κ given by the largest multiplier of the relaxation map, and
// the cost of hurrying past a stop falls as exp(−κ·time): time is shared in proportion to 1/κ, half for the ends, and the
// decay time is the sum of the 1/κ (for Curie–Weiss, DecayTime).
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

// cut follows a route by climbing and descending legs, in a given number of steps.
func (l *Landscape) cut(r Route, steps int) []float64 {
	share, decay := l.patience(r)
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
		elapsed += half(i-1) + half(i)
		n := int(math.Round(float64(steps)*elapsed)) - len(start)/l.units
		saddle, minimum := i, i-1
		if i%2 == 0 {
			saddle, minimum = i-1, i
		}
		leg := l.descent(r.Stops[saddle].H, r.Stops[minimum].H, n, math.Exp(-float64(steps)/(2*decay)))
		if i%2 == 1 { // climbing is descending backwards
			slices.Reverse(leg)
		}
		start = append(start, flatten(leg)...)
	}
	return start
}

// solveRoute finds the optimal path along a route. A path much longer than the decay time is found by lengthening a shorter one
// little by little, by copies of the stops where it waits: how long to wait at each stop depends on prefactors that the
// shorter path has right, and that Newton's method corrects slowly in a long one, because there they change the action by
// exponentially little.
func (l *Landscape) solveRoute(from, to []float64, p PathProblem, r Route) (*Path, error) {
	share, decay := l.patience(r)
	if share == nil {
		return nil, fmt.Errorf("a stop of the route is degenerate")
	}
	q := p
	q.MaxSteps = min(p.MaxSteps, 250)
	q.Steps = min(p.Steps, int(4*decay)+len(r.Stops), 50)
	path, err := l.solvePath(newAction(l, from, to, q.Steps), q, l.cut(r, q.Steps))
	for err == nil && q.Steps < p.Steps {
		longer := min(p.Steps, int(1.3*float64(q.Steps))+1)
		start := l.lengthen(path, r, share, longer-q.Steps)
		q.Steps = longer
		path, err = l.solvePath(newAction(l, from, to, q.Steps), q, start)
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
				if d := distance(path.H[k], stop.H); d < nearest {
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

// descent is n steps of relaxation from a small distance off a saddle, on the side of the given minimum.
func (l *Landscape) descent(saddle, minimum []float64, n int, off float64) [][]float64 {
	_, _, direction := l.index(saddle)
	var best [][]float64
	nearest := math.Inf(1)
	for _, sign := range []float64{1, -1} {
		h := append([]float64(nil), saddle...)
		for mu := range h {
			h[mu] += sign * math.Max(off, 1e-12) * distance(saddle, minimum) * direction[mu]
		}
		var leg [][]float64
		for range n {
			h = l.relaxField(h)
			leg = append(leg, h)
		}
		if d := distance(h, minimum); d < nearest {
			best, nearest = leg, d
		}
	}
	return best
}
