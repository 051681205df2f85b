package theory

import (
	"fmt"
	"math"
	"sort"

	"instanton/internal/vec"
)

// Graph is the minimum-energy graph of a landscape: its nodes are the minima of f, its edges the saddles of index 1,
// each of which joins the two minima to which it relaxes. All symmetric copies are present.
type Graph struct {
	Minima   []CriticalPoint
	Passes   []Pass
	Critical *CriticalSet // the critical points the graph was made from

	l       *Landscape
	edges   [][]int  // passes at each minimum
	network *network // all critical points
}

// Pass is a saddle of index 1 between two minima, A and B by their positions in the Graph.
type Pass struct {
	Saddle CriticalPoint
	A, B   int
}

// Graph computes the minimum-energy graph, once for each Landscape.
func (l *Landscape) Graph() (*Graph, error) {
	l.graphOnce.Do(func() { l.graph, l.graphErr = l.buildGraph() })
	return l.graph, l.graphErr
}

func (l *Landscape) buildGraph() (*Graph, error) {
	set, err := l.CriticalPoints()
	if err != nil {
		return nil, err
	}
	if l.aligned != nil {
		return l.turnedGraph(set)
	}
	g := &Graph{l: l, Critical: set, network: newNetwork(l, set)}
	for i, p := range set.Points {
		if p.Index == 0 {
			for _, h := range set.all[i] {
				g.Minima = append(g.Minima, l.copyOf(p, h))
			}
		}
	}
	g.edges = make([][]int, len(g.Minima))
	for _, p := range set.Points {
		if p.Index != 1 || p.oneSided {
			continue
		}
		down, err := g.descend(p.H)
		if err != nil {
			return nil, err
		}
		for _, list := range orbit([][]float64{p.H, down[0], down[1]}, set.symmetry, 100000) {
			a, b := g.minimum(list[1]), g.minimum(list[2])
			if a < 0 || b < 0 || g.hasPass(list[0]) {
				continue
			}
			k := len(g.Passes)
			g.Passes = append(g.Passes, Pass{l.copyOf(p, list[0]), a, b})
			g.edges[a] = append(g.edges[a], k)
			if b != a {
				g.edges[b] = append(g.edges[b], k)
			}
		}
	}
	return g, nil
}

// turnedGraph takes the graph from the aligned model.
func (l *Landscape) turnedGraph(set *CriticalSet) (*Graph, error) {
	aligned, err := l.aligned.Graph()
	if err != nil {
		return nil, err
	}
	g := &Graph{l: l, Critical: set, edges: aligned.edges, network: aligned.network}
	for _, p := range aligned.Minima {
		g.Minima = append(g.Minima, l.copyOf(p, turn(l.rotation, p.H)))
	}
	for _, p := range aligned.Passes {
		p.Saddle = l.copyOf(p.Saddle, turn(l.rotation, p.Saddle.H))
		g.Passes = append(g.Passes, p)
	}
	return g, nil
}

// copyOf is a symmetric copy of a critical point, at hidden values h.
func (l *Landscape) copyOf(p CriticalPoint, h []float64) CriticalPoint {
	p.H, p.M = h, l.cleanOrder(h)
	return p
}

// descend relaxes from both sides of a saddle to the hidden values of the minima below it.
func (g *Graph) descend(saddle []float64) (ends [2][]float64, err error) {
	_, _, direction := g.l.index(saddle)
	for side, sign := range []float64{1, -1} {
		k := g.relaxFrom(saddle, direction, sign)
		if k < 0 {
			return ends, fmt.Errorf("the descent from the saddle %v did not reach a known minimum", g.l.Order(saddle))
		}
		ends[side] = g.Minima[k].H
	}
	return ends, nil
}

// relaxFrom is the minimum reached by relaxation from a little off a point, −1 if none is.
func (g *Graph) relaxFrom(point, direction []float64, sign float64) int {
	h := make([]float64, len(point))
	for mu := range h {
		lo, hi := g.l.hidden[mu].Domain()
		h[mu] = math.Min(math.Max(point[mu]+sign*1e-4*direction[mu], lo), hi)
	}
	for range 200000 {
		h = g.l.relaxField(h)
		if k := g.minimumWithin(h, 2e-5); k >= 0 {
			return k
		}
	}
	return -1
}

func (g *Graph) minimum(h []float64) int { return g.minimumWithin(h, 1e-5) }

func (g *Graph) minimumWithin(h []float64, reach float64) int {
	for k, p := range g.Minima {
		if math.Abs(p.H[0]-h[0]) < reach && vec.Distance(p.H, h) < reach {
			return k
		}
	}
	return -1
}

func (g *Graph) hasPass(h []float64) bool {
	for _, p := range g.Passes {
		if vec.Distance(p.Saddle.H, h) < 1e-5 {
			return true
		}
	}
	return false
}

// Barriers lists the distinct ascents from minima over their passes, lowest first: f(saddle) − f(minimum).
func (g *Graph) Barriers() []float64 {
	var all []float64
	for _, p := range g.Passes {
		all = append(all, p.Saddle.F-g.Minima[p.A].F, p.Saddle.F-g.Minima[p.B].F)
	}
	sort.Float64s(all)
	var distinct []float64
	for _, b := range all {
		if n := len(distinct); n == 0 || b-distinct[n-1] > 1e-9 {
			distinct = append(distinct, b)
		}
	}
	return distinct
}
