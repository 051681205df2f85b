package lattice

import "math/bits"

// Sites of the cube, numbered 9x+3y+z.
const (
	side  = 3
	sites = side * side * side
)

func site(x, y, z int) uint8 { return uint8(9*x + 3*y + z) }

// coordinates is the inverse of site.
func coordinates(s uint8) [3]int { return [3]int{int(s) / 9, int(s) / 3 % 3, int(s) % 3} }

// neighbours[s] has a bit for every site adjacent to s.
var neighbours = func() (n [sites]uint32) {
	for a := range uint8(sites) {
		for b := range uint8(sites) {
			p, q := coordinates(a), coordinates(b)
			distance := 0
			for k := range p {
				distance += max(p[k]-q[k], q[k]-p[k])
			}
			if distance == 1 {
				n[a] |= 1 << b
			}
		}
	}
	return n
}()

// symmetries are the 48 rotations and reflections of the cube: symmetries[g][s] is where g takes site s. The first is
// the identity.
var symmetries = func() (g [48][sites]uint8) {
	k := 0
	for _, axes := range [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		for mirrored := range 8 {
			for s := range uint8(sites) {
				from := coordinates(s)
				var to [3]int
				for c, axis := range axes {
					to[c] = from[axis]
					if mirrored>>c&1 == 1 {
						to[c] = side - 1 - to[c]
					}
				}
				g[k][s] = site(to[0], to[1], to[2])
			}
			k++
		}
	}
	return g
}()

// next removes the lowest bit from a set of sites.
func next(set *uint32) uint8 {
	s := uint8(bits.TrailingZeros32(*set))
	*set &= *set - 1
	return s
}
