package theory

import (
	"math"
	"math/rand/v2"

	"instanton/internal/vec"
)

// explore finds the connections from the first point of a class.
func (w *network) explore(i int) []connection {
	p := w.set.all[i][0]
	e := &explorer{w: w, point: p, f: w.set.Points[i].F, keep: w.group.keeping(p), known: map[int]bool{},
		seen: map[string]bool{}}
	e.vectors, e.multiplier = w.l.unstable(p)
	e.within(tiesOf(w.l.units, nil), nil)
	done := map[int]bool{} // nodes equivalent to one that was aimed at
	for k := range w.set.Points {
		if w.set.Points[k].F > e.f-1e-10 {
			break
		}
		for c, q := range w.set.all[k] {
			node := w.first[k] + c
			if done[node] {
				continue
			}
			e.markOrbit(node, done)
			e.within(tiesOf(w.l.units, w.group.keeping(p, q)), q)
		}
	}
	return e.found
}

// explorer looks for the relaxations that leave one critical point.
type explorer struct {
	w          *network
	point      []float64
	f          float64
	keep       []signedPermutation // the symmetries that keep the point
	vectors    [][]float64         // the descending directions, steepest first
	multiplier []float64

	found []connection
	known map[int]bool    // nodes found
	seen  map[string]bool // subspaces searched
}

// markOrbit marks a node and all that the symmetries of the point make out of it.
func (e *explorer) markOrbit(node int, mark map[int]bool) {
	mark[node] = true
	for queue := []int{node}; len(queue) > 0; queue = queue[1:] {
		for _, g := range e.keep {
			if k := e.w.image(g, queue[0]); k >= 0 && !mark[k] {
				mark[k] = true
				queue = append(queue, k)
			}
		}
	}
}

// add files a connection, with all that the symmetries of the point make out of it.
func (e *explorer) add(c connection) {
	if c.to < 0 || e.known[c.to] || vec.MaxAbs(c.start) == 0 {
		return
	}
	e.known[c.to] = true
	e.found = append(e.found, c)
	for next := len(e.found) - 1; next < len(e.found); next++ {
		for _, g := range e.keep {
			if k := e.w.image(g, e.found[next].to); k >= 0 && !e.known[k] {
				e.known[k] = true
				e.found = append(e.found, e.found[next].carried(g, k))
			}
		}
	}
}

// within follows relaxations in the subspace of tied points, one of them towards the point aim.
func (e *explorer) within(t ties, aim []float64) {
	basis, multiplier := e.basis(t)
	d := len(basis)
	if d == 0 {
		return
	}
	starts := []func(a []float64) []float64{func(a []float64) []float64 { return staggered(basis, multiplier, a) }}
	if d > 1 {
		starts = append(starts, func(a []float64) []float64 { return even(basis, a) })
	}
	first := !e.seen[t.String()]
	e.seen[t.String()] = true
	for _, start := range starts {
		if aim != nil {
			a := make([]float64, d)
			for k, v := range basis {
				a[k] = vec.Dot(v, aim) - vec.Dot(v, e.point)
			}
			if size := vec.Norm(a); size > 1e-9 {
				e.try(start(scaled(a, 1/size)), t)
			}
		}
		switch {
		case !first:
		case d == 1:
			e.try(start([]float64{1}), t)
			e.try(start([]float64{-1}), t)
		case d == 2:
			e.circle(start, t)
		default:
			e.sphere(d, start, t)
		}
	}
}

// try follows the relaxation from an offset and files where it ends.
func (e *explorer) try(start []float64, t ties) int {
	node := e.end(add(e.point, start), t)
	e.add(connection{to: node, start: start})
	return node
}

// circle follows relaxations in all directions of a plane, and the boundaries between those with different ends.
func (e *explorer) circle(start func(a []float64) []float64, t ties) {
	const n = 16
	direction := func(k int) []float64 {
		angle := 2*math.Pi*float64(k)/n + 0.1
		return start([]float64{math.Cos(angle), math.Sin(angle)})
	}
	var ends [n + 1]int
	for k := range n {
		ends[k] = e.try(direction(k), t)
	}
	ends[n] = ends[0]
	tried := map[[2]int]int{}
	for k := range n {
		pair := [2]int{min(ends[k], ends[k+1]), max(ends[k], ends[k+1])}
		if ends[k] != ends[k+1] && tried[pair] < 2 {
			tried[pair]++
			e.edge(ends[k], direction(k), direction(k+1), t)
		}
	}
}

// sphere follows relaxations in many directions of a space of three dimensions or more, and in models of few
// symmetries, which lack subspaces in which to find saddles, some of the boundaries between those with different ends.
func (e *explorer) sphere(d int, start func(a []float64) []float64, t ties) {
	r := rand.New(rand.NewPCG(11, 12))
	var tried [][]float64
	var ends []int
	for k := range 8 * d {
		a := make([]float64, d)
		if k < 2*d {
			a[k/2] = float64(1 - 2*(k%2))
		} else {
			for j := range a {
				a[j] = r.NormFloat64()
			}
			a = scaled(a, 1/vec.Norm(a))
		}
		tried = append(tried, start(a))
		ends = append(ends, e.try(tried[k], t))
	}
	if !e.w.irregular {
		return
	}
	for k, edges := 1, 0; k < len(tried) && edges < 8; k++ {
		if ends[k] != ends[k-1] {
			edges++
			e.edge(ends[k-1], tried[k-1], tried[k], t)
		}
	}
}

// basis spans the descending directions that lie in the subspace.
func (e *explorer) basis(t ties) (basis [][]float64, multiplier []float64) {
	for k, v := range e.vectors {
		v = append([]float64(nil), v...)
		t.project(v)
		for range 2 {
			for _, b := range basis {
				s := vec.Dot(b, v)
				for mu := range v {
					v[mu] -= s * b[mu]
				}
			}
		}
		size := vec.Norm(v)
		if size < 1e-6 {
			continue
		}
		for mu := range v {
			v[mu] /= size
		}
		basis, multiplier = append(basis, v), append(multiplier, e.multiplier[k])
	}
	return basis, multiplier
}

// staggered is a start near the point from which relaxation leaves it with components a along the basis: those are
// scaled back by the same number of steps, each at its own rate, so that slow directions have their say.
func staggered(basis [][]float64, multiplier, a []float64) []float64 {
	slow, fast := math.Inf(1), 0.0
	for _, x := range multiplier {
		slow, fast = math.Min(slow, math.Log(x)), math.Max(fast, math.Log(x))
	}
	back := math.Min(math.Log(1e3)/slow, math.Log(1e9)/fast)
	components := make([]float64, len(a))
	for k := range a {
		components[k] = 0.3 * a[k] * math.Exp(-back*math.Log(multiplier[k]))
	}
	return combine(basis, components)
}

// even is a start near the point with components a, which relaxation leaves along the steepest of them.
func even(basis [][]float64, a []float64) []float64 { return combine(basis, scaled(a, 1e-3)) }

func combine(basis [][]float64, a []float64) []float64 {
	sum := make([]float64, len(basis[0]))
	for k, v := range basis {
		for mu := range sum {
			sum[mu] += a[k] * v[mu]
		}
	}
	return sum
}

func scaled(x []float64, factor float64) []float64 {
	y := make([]float64, len(x))
	for i := range y {
		y[i] = factor * x[i]
	}
	return y
}

// relax is one step of relaxation within the subspace.
func (e *explorer) relax(h []float64, t ties) []float64 {
	next := e.w.l.relaxField(h)
	t.project(next)
	return next
}

// end is the node in which the relaxation from h within the subspace ends, −1 if it is none that lies lower.
func (e *explorer) end(h []float64, t ties) int {
	h = append([]float64(nil), h...)
	e.w.l.clipToDomain(h)
	last, grown := math.Inf(1), false // grown: has left the point where it began
	for range 20000 {
		next := e.relax(h, t)
		moved := vec.Distance(next, h)
		grown = grown || moved > last
		last, h = moved, next
		if moved < 1e-13 || moved < 1e-8 && (grown || vec.Distance(h, e.point) > 1e-2) {
			break
		}
	}
	return e.node(h)
}

// node is the critical point right beside h, −1 if there is none that lies lower than the point.
func (e *explorer) node(h []float64) int {
	c, ok := e.w.l.newtonCritical(append([]float64(nil), h...))
	if !ok || vec.Distance(c, h) > 1e-3*(1+vec.Norm(h)) || e.w.l.HiddenEnergy(c) > e.f-1e-10 {
		return -1
	}
	return e.w.find(c)
}

// add is x + y.
func add(x, y []float64) []float64 {
	s := make([]float64, len(x))
	for i := range s {
		s[i] = x[i] + y[i]
	}
	return s
}

// subtract is x − y.
func subtract(x, y []float64) []float64 {
	d := make([]float64, len(x))
	for i := range d {
		d[i] = x[i] - y[i]
	}
	return d
}

// clipToDomain moves hidden values into the domains of their potentials.
func (l *Landscape) clipToDomain(h []float64) {
	for mu, v := range l.hidden {
		lo, hi := v.Domain()
		h[mu] = math.Min(math.Max(h[mu], lo), hi)
	}
}
