package theory

import "instanton/internal/vec"

// edge follows the boundary between the relaxations that end in one node and those that end elsewhere, and files the
// saddle to which it leads. Two states on either side are relaxed together, and brought together again by bisection
// whenever they have come apart, so that the pair stays on the boundary for as long as it takes, however fast other
// relaxations leave it.
func (e *explorer) edge(end int, inside, outside []float64, t ties) {
	const apart, close = 1e-5, 1e-9
	x, y := add(e.point, inside), add(e.point, outside)
	e.w.l.clipToDomain(x)
	e.w.l.clipToDomain(y)
	narrow := func() {
		for vec.Distance(x, y) > close*(1+vec.Norm(x)) {
			if mid := scaled(add(x, y), 0.5); e.end(mid, t) == end {
				x = mid
			} else {
				y = mid
			}
		}
	}
	narrow()
	c := connection{to: -1, orbit: [][]float64{x}}
	for range 60 {
		moved := 0.0
		for step := 0; step < 200 && vec.Distance(x, y) < apart; step++ {
			next := e.relax(x, t)
			moved = vec.Distance(next, x)
			x, y = next, e.relax(y, t)
			c.orbit = append(c.orbit, x)
			if moved < 1e-4 && vec.Distance(x, e.point) > 1e-2 {
				break
			}
		}
		if moved < 1e-2 && vec.Distance(x, e.point) > 1e-2 {
			if c.to = e.node(x); c.to >= 0 {
				break
			}
		}
		narrow()
	}
	if c.to >= 0 {
		c.start = subtract(c.orbit[0], e.point)
		e.add(c)
	}
}
