package cluster

import (
	"fmt"
	"math"
	"slices"

	"instanton/internal/special"
)

// Linkage defines the distance between two groups.
type Linkage int

const (
	Average  Linkage = iota // the mean distance between their members (UPGMA)
	Complete                // the largest distance between their members
)

// Merge joins two groups. The leaves are groups 0 to n−1, and merge k creates group n+k, as in the rows of scipy's
// linkage matrix.
type Merge struct {
	A, B   int // A < B
	Height float64
	Size   int // number of leaves
}

// Tree is the history of a clustering, nearest groups first: heights never decrease.
type Tree struct {
	Leaves int
	Merges []Merge
}

// Hierarchy repeatedly joins the nearest groups until one is left, or until no two of them make a group of at most the
// given number of leaves (0: no bound). Distances must be symmetric and nonnegative; among equal distances, that
// between the groups with the smallest leaves counts as smaller.
func Hierarchy(distance [][]float64, linkage Linkage, most int) (*Tree, error) {
	if err := check(distance); err != nil {
		return nil, err
	}
	n := len(distance)
	if most <= 0 {
		most = n
	}
	g := &groups{linkage: linkage, most: most, near: make([]int, n)}
	for a := range n {
		g.d = append(g.d, slices.Clone(distance[a]))
		g.size, g.id = append(g.size, 1), append(g.id, a)
	}
	if most < 2 {
		return &Tree{Leaves: n}, nil
	}
	for a := range n {
		g.look(a)
	}
	t := &Tree{Leaves: n}
	for {
		a, b := g.nearest()
		if b < 0 {
			return t, nil
		}
		m := Merge{A: min(g.id[a], g.id[b]), B: max(g.id[a], g.id[b]), Height: g.d[a][b], Size: g.size[a] + g.size[b]}
		g.join(a, b)
		g.id[a] = n + len(t.Merges)
		t.Merges = append(t.Merges, m)
	}
}

func check(d [][]float64) error {
	for a, row := range d {
		if len(row) != len(d) {
			return fmt.Errorf("row %d of the distances has %d numbers: expected %d", a, len(row), len(d))
		}
		for b, x := range row {
			if a != b && (!(x >= 0 && special.Finite(x)) || x != d[b][a]) {
				return fmt.Errorf("the distance between %d and %d is %g: expected a number that is not negative, "+
					"the same both ways", a, b, x)
			}
		}
	}
	return nil
}

// groups are the groups that remain. A group is stored at the index of its first leaf; size is 0 at all other indices.
type groups struct {
	linkage Linkage
	most    int
	d       [][]float64 // +∞ where two groups may not be joined
	size    []int
	id      []int
	near    []int // nearest of the groups after each; −1 for none
}

// look finds the nearest of the groups after a.
func (g *groups) look(a int) {
	g.near[a] = -1
	best := math.Inf(1)
	for b := a + 1; b < len(g.d); b++ {
		if g.size[b] > 0 && g.d[a][b] < best {
			g.near[a], best = b, g.d[a][b]
		}
	}
}

// nearest returns the two groups to join; b < 0 if there are none.
func (g *groups) nearest() (a, b int) {
	best := math.Inf(1)
	b = -1
	for c, near := range g.near {
		if g.size[c] > 0 && near >= 0 && g.d[c][near] < best {
			a, b, best = c, near, g.d[c][near]
		}
	}
	return a, b
}

// join merges group b into group a < b, with the distances of Lance and Williams.
func (g *groups) join(a, b int) {
	u, w := float64(g.size[a]), float64(g.size[b])
	g.size[a] += g.size[b]
	g.size[b] = 0
	for c := range g.d {
		if g.size[c] == 0 || c == a {
			continue
		}
		x := max(g.d[a][c], g.d[b][c])
		if g.linkage == Average {
			x = (u*g.d[a][c] + w*g.d[b][c]) / (u + w)
		}
		if g.size[a]+g.size[c] > g.most {
			x = math.Inf(1) // for good, since groups only grow
		}
		g.d[a][c], g.d[c][a] = x, x
	}
	g.look(a)
	for c := range g.d {
		if g.size[c] == 0 || c == a {
			continue
		}
		switch near := g.near[c]; {
		case near == a || near == b:
			g.look(c)
		case c < a && near >= 0 && g.d[c][a] < g.d[c][near]:
			g.near[c] = a
		}
	}
}

// Below returns the groups formed by all merges up to a height: each in ascending order, sorted by their first leaves.
func (t *Tree) Below(height float64) [][]int {
	k := 0
	for k < len(t.Merges) && t.Merges[k].Height <= height {
		k++
	}
	return t.after(k)
}

// Into returns k groups, or as close to k as the tree allows.
func (t *Tree) Into(k int) [][]int {
	return t.after(max(0, min(t.Leaves-k, len(t.Merges))))
}

// after returns the groups that exist after the first k merges.
func (t *Tree) after(k int) [][]int {
	members := make([][]int, t.Leaves+k)
	for a := range t.Leaves {
		members[a] = []int{a}
	}
	for j, m := range t.Merges[:k] {
		members[t.Leaves+j] = append(members[m.A], members[m.B]...)
		members[m.A], members[m.B] = nil, nil
	}
	var out [][]int
	for _, group := range members {
		if group != nil {
			slices.Sort(group)
			out = append(out, group)
		}
	}
	slices.SortFunc(out, func(a, b []int) int { return a[0] - b[0] })
	return out
}

// Order lists the leaves in an order in which the lines of a dendrogram do not cross: those of the first group of a
// merge come before those of the second.
func (t *Tree) Order() []int {
	members := make([][]int, t.Leaves, t.Leaves+len(t.Merges))
	for a := range members {
		members[a] = []int{a}
	}
	for _, m := range t.Merges {
		members = append(members, slices.Concat(members[m.A], members[m.B]))
		members[m.A], members[m.B] = nil, nil
	}
	return slices.Concat(members...)
}
