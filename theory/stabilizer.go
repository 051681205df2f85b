package theory

import (
	"fmt"
	"math"
	"strings"
)

// symmetryGroup holds a group of signed permutations as a chain of stabilisers: every element is one and only one
// product u_{M−1} ∘ … ∘ u_1 ∘ u_0 with u_k from transversal k, whose elements keep the units before k and carry unit k
// to each place it can go.
type symmetryGroup struct {
	generators  []signedPermutation
	transversal [][]signedPermutation // the identity first
}

func newSymmetryGroup(units int, generators []signedPermutation) *symmetryGroup {
	g := &symmetryGroup{generators: generators, transversal: make([][]signedPermutation, units)}
	for k := range g.transversal {
		g.transversal[k] = []signedPermutation{identity(units)}
	}
	for _, u := range generators {
		for k := range units {
			if u.from[k] != k || u.sign[k] != 1 {
				g.transversal[k] = append(g.transversal[k], u)
				break
			}
		}
	}
	return g
}

// order is the number of elements.
func (g *symmetryGroup) order() float64 {
	n := 1.0
	for _, list := range g.transversal {
		n *= float64(len(list))
	}
	return n
}

// after is the symmetry that applies h first and then g.
func (g signedPermutation) after(h signedPermutation) signedPermutation {
	r := signedPermutation{make([]int, len(g.from)), make([]float64, len(g.from))}
	for mu, from := range g.from {
		r.from[mu], r.sign[mu] = h.from[from], g.sign[mu]*h.sign[from]
	}
	return r
}

// keeping generates the subgroup that maps each of the points to itself: for every unit, one element that keeps the
// units before it and carries it to each place it can go.
func (g *symmetryGroup) keeping(points ...[]float64) []signedPermutation {
	units := len(g.transversal)
	fits := func(u signedPermutation, k int) bool {
		for _, x := range points {
			if math.Abs(u.sign[k]*x[u.from[k]]-x[k]) > 1e-7 {
				return false
			}
		}
		return true
	}
	var complete func(u signedPermutation, k int) (signedPermutation, bool)
	complete = func(u signedPermutation, k int) (signedPermutation, bool) {
		if k == units {
			return u, true
		}
		for _, next := range g.transversal[k] {
			if v := next.after(u); fits(v, k) {
				if whole, ok := complete(v, k+1); ok {
					return whole, true
				}
			}
		}
		return u, false
	}
	var list []signedPermutation
	for k := range units {
		for _, u := range g.transversal[k][1:] {
			if !fits(u, k) {
				continue
			}
			if whole, ok := complete(u, k+1); ok {
				list = append(list, whole)
			}
		}
	}
	return list
}

// ties describe the points that a group of signed permutations keeps: hidden values are equal up to sign within a group
// of units, and zero where the group reverses a unit.
type ties struct {
	leader []int
	sign   []float64 // relative to the leader, 0 for units that must be zero
}

// tiesOf finds the ties by following every generator from unit to unit.
func tiesOf(units int, generators []signedPermutation) ties {
	t := ties{make([]int, units), make([]float64, units)}
	for mu := range units {
		t.leader[mu], t.sign[mu] = mu, 1
	}
	zero := make([]bool, units) // by leader
	for _, g := range generators {
		for mu, from := range g.from { // h_μ = s h_from
			a, b := t.leader[mu], t.leader[from]
			relative := t.sign[mu] * g.sign[mu] * t.sign[from] // h_a = relative · h_b
			if a == b {
				zero[a] = zero[a] || relative < 0
				continue
			}
			for nu := range units {
				if t.leader[nu] == b {
					t.leader[nu], t.sign[nu] = a, t.sign[nu]*relative
				}
			}
			zero[a] = zero[a] || zero[b]
		}
	}
	for mu := range units {
		if zero[t.leader[mu]] {
			t.sign[mu] = 0
		}
	}
	return t
}

// project moves h to the nearest point that the group keeps.
func (t ties) project(h []float64) {
	for mu, leader := range t.leader {
		if leader != mu {
			continue
		}
		sum, n := 0.0, 0.0
		for nu, l := range t.leader {
			if l == mu {
				sum += t.sign[nu] * h[nu]
				n++
			}
		}
		for nu, l := range t.leader {
			if l == mu {
				h[nu] = t.sign[nu]*sum/n + 0 // no −0
			}
		}
	}
}

func (t ties) String() string {
	var text strings.Builder
	for mu, l := range t.leader {
		fmt.Fprintf(&text, "%d:%+.0f,", l, t.sign[mu])
	}
	return text.String()
}
