package theory

import (
	"fmt"
	"math"
	"sync"

	"instanton/internal/vec"
)

// network is the heteroclinic network of a landscape: it joins critical points of all indices by relaxations, from each
// point to those in which relaxations from next to it can end. Descending is free, and climbing, the reverse of a
// relaxation, costs the difference of the free energy (both in the limit of many steps), so the cheapest way over the
// network is the T → ∞ limit of the least action. Saddles of index one do not suffice: one climb over a point of higher
// index, or a walk along a ridge from saddle to saddle, can cost less than several climbs out of minima.
//
// Connections are found once for each point that no symmetry maps to another. A relaxation to a minimum starts from an
// open set of directions; one that ends in a saddle is exceptional unless a symmetry holds it there. Therefore
// relaxations are followed in the subspaces of points that share the symmetries of both ends (ties), where saddles can
// be attractive, and between starts with different ends the boundary is found by bisection, on which lie the saddles of
// index one of the subspace.
type network struct {
	l     *Landscape
	set   *CriticalSet
	group *symmetryGroup
	first []int // number of the first node of each class of points
	kind  []int // class of each node
	place map[string]int

	mu    sync.Mutex
	carry [][]signedPermutation // for each class, what carries its first point to each copy
	down  [][]connection        // from the first point of each class; nil until asked for

	// irregular models have too few symmetries to find saddles by them: not enough to carry every unit to every other
	// and back
	irregular bool
}

// connection is a relaxation that ends in node to and starts near the point, off by the vector start.
type connection struct {
	to    int
	start []float64
	orbit [][]float64 // the way, where other relaxations leave it so fast that it cannot be found again from its start
}

// carried is the image of a connection, which ends in node to.
func (c connection) carried(g signedPermutation, to int) connection {
	image := connection{to: to, start: g.apply(c.start)}
	for _, h := range c.orbit {
		image.orbit = append(image.orbit, g.apply(h))
	}
	return image
}

func newNetwork(l *Landscape, set *CriticalSet) *network {
	w := &network{l: l, set: set, group: newSymmetryGroup(l.units, set.symmetry), place: map[string]int{}}
	for i := range set.Points {
		w.first = append(w.first, len(w.kind))
		for _, h := range set.all[i] {
			w.place[pointKey(h)] = len(w.kind)
			w.kind = append(w.kind, i)
		}
	}
	w.carry = make([][]signedPermutation, len(set.Points))
	w.down = make([][]connection, len(set.Points))
	w.irregular = w.group.order() < 2*float64(l.units)
	return w
}

// at is the place of a node in hidden space.
func (w *network) at(node int) []float64 { return w.set.all[w.kind[node]][node-w.first[w.kind[node]]] }

// energy is the free energy of a node.
func (w *network) energy(node int) float64 { return w.set.Points[w.kind[node]].F }

// find is the node at hidden values h, −1 if there is none.
func (w *network) find(h []float64) int {
	e := w.l.HiddenEnergy(h)
	for i, p := range w.set.Points {
		if math.Abs(p.F-e) > 1e-8 {
			continue
		}
		for k, c := range w.set.all[i] {
			if math.Abs(c[0]-h[0]) < 1e-5 && vec.Distance(c, h) < 1e-5 {
				return w.first[i] + k
			}
		}
	}
	return -1
}

// point describes a node.
func (w *network) point(node int) CriticalPoint {
	return w.l.copyOf(w.set.Points[w.kind[node]], w.at(node))
}

// carrier is a symmetry that carries the first point of its class to a node, false if there is none among the copies.
func (w *network) carrier(node int) (signedPermutation, bool) {
	i := w.kind[node]
	if w.carry[i] == nil {
		list := make([]signedPermutation, len(w.set.all[i]))
		list[0] = identity(w.l.units)
		for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
			for _, g := range w.group.generators {
				if to := w.image(g, w.first[i]+queue[0]); to >= 0 && list[to-w.first[i]].from == nil {
					list[to-w.first[i]] = g.after(list[queue[0]])
					queue = append(queue, to-w.first[i])
				}
			}
		}
		w.carry[i] = list
	}
	g := w.carry[i][node-w.first[i]]
	return g, g.from != nil
}

// image is the node to which a symmetry carries another, −1 if it is not known.
func (w *network) image(g signedPermutation, node int) int {
	if to, ok := w.place[pointKey(g.apply(w.at(node)))]; ok {
		return to
	}
	return -1
}

// below lists the nodes to which a node relaxes: those of the first point of its class, carried over.
func (w *network) below(node int) []int {
	g, ok := w.carrier(node)
	if !ok {
		return nil
	}
	down := w.down[w.kind[node]]
	list := make([]int, 0, len(down))
	for _, c := range down {
		if to := w.image(g, c.to); to >= 0 {
			list = append(list, to)
		}
	}
	return list
}

// relaxation is the connection from one node to another, false if none is known.
func (w *network) relaxation(high, low int) (connection, bool) {
	if g, ok := w.carrier(high); ok {
		for _, c := range w.down[w.kind[high]] {
			if w.image(g, c.to) == low {
				return c.carried(g, low), true
			}
		}
	}
	return connection{}, false
}

// maxWebEdges bounds the connections of all copies together.
const maxWebEdges = 4_000_000

// survey finds the connections that the cheapest way from a to b can use, and its cost from every node. No stop on the
// way can lie higher above a than the whole way costs, since the sum of the ascents is at least the rise; so points are
// explored from low to high free energy, until the next is higher than the cheapest way known costs.
func (w *network) survey(a, b int, cost float64, index int) (*travel, []float64, error) {
	edges := 0
	for i, p := range w.set.Points {
		if p.F > w.energy(a)+cost+1e-9 {
			break
		}
		if p.Index == 0 || p.Index > index {
			continue
		}
		if w.down[i] == nil {
			w.down[i] = w.explore(i)
		}
		if edges += len(w.down[i]) * len(w.set.all[i]); edges > maxWebEdges {
			return nil, nil,
				fmt.Errorf("the critical points are joined by more than %d relaxations: too many to find the "+
					"cheapest way over them", maxWebEdges)
		}
		if p.Index > 1 && p.F > w.energy(a) && p.F > w.energy(b) {
			cost = math.Min(cost, w.travel(p.F, index).costTo(b)[a])
		}
	}
	t := w.travel(w.energy(a)+cost+1e-9, index)
	return t, t.costTo(b), nil
}
