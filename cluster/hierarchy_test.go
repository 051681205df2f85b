package cluster

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// points returns the distances between points in the plane.
func points(n int) [][]float64 {
	x := make([][2]float64, n)
	for k := range x {
		x[k] = [2]float64{float64((k*k*7 + 3*k) % 23), float64((k*11 + 5) % 17)}
	}
	d := make([][]float64, n)
	for a := range d {
		d[a] = make([]float64, n)
		for b := range d[a] {
			d[a][b] = math.Hypot(x[a][0]-x[b][0], x[a][1]-x[b][1])
		}
	}
	return d
}

// Reference values from scipy.cluster.hierarchy (scipy 1.10.1): linkage, fcluster by maxclust, leaves_list.
func TestAgainstScipy(t *testing.T) {
	for _, c := range []struct {
		linkage Linkage
		merges  []Merge
		three   [][]int
		order   []int
	}{
		{Average, []Merge{
			{1, 4, 1.4142135623731, 2}, {0, 3, 3.16227766016838, 2}, {2, 5, 5.09901951359278, 2},
			{8, 10, 6.55959725455766, 4},
			{7, 11, 10.5355200663993, 5}, {6, 12, 12.4233753186046, 6}, {9, 13, 13.4093226009446, 8}},
			[][]int{{0, 3}, {1, 2, 4, 5, 7}, {6}}, []int{0, 3, 6, 7, 1, 4, 2, 5}},
		{Complete, []Merge{
			{1, 4, 1.4142135623731, 2}, {0, 3, 3.16227766016838, 2}, {2, 5, 5.09901951359278, 2},
			{8, 10, 8.06225774829855, 4},
			{6, 7, 11.1803398874989, 2}, {11, 12, 14.7648230602334, 6}, {9, 13, 21.0237960416286, 8}},
			[][]int{{0, 3}, {1, 2, 4, 5}, {6, 7}}, []int{0, 3, 1, 4, 2, 5, 6, 7}},
	} {
		tree, err := Hierarchy(points(8), c.linkage, 0)
		if err != nil {
			t.Fatal(err)
		}
		for k, m := range tree.Merges {
			want := c.merges[k]
			if m.A != want.A || m.B != want.B || m.Size != want.Size ||
				math.Abs(m.Height-want.Height) > 1e-13*want.Height {
				t.Errorf("linkage %d, merge %d: %+v, want %+v", c.linkage, k, m, want)
			}
		}
		if got := tree.Into(3); !reflect.DeepEqual(got, c.three) {
			t.Errorf("linkage %d: three groups %v, want %v", c.linkage, got, c.three)
		}
		if got := tree.Order(); !reflect.DeepEqual(got, c.order) {
			t.Errorf("linkage %d: order %v, want %v", c.linkage, got, c.order)
		}
		if got, want := tree.Below(tree.Merges[2].Height), tree.Into(5); !reflect.DeepEqual(got, want) {
			t.Errorf("linkage %d: below the third merge %v, want %v", c.linkage, got, want)
		}
	}
}

// By definition, every merge joins the two nearest groups within the bound, at the distance computed from their
// members.
func TestHierarchyByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for trial := range 40 {
		n := 2 + r.IntN(14)
		d := make([][]float64, n)
		for a := range d {
			d[a] = make([]float64, n)
			for b := range a {
				d[a][b] = r.Float64()
				d[b][a] = d[a][b]
			}
		}
		linkage, most := Linkage(trial%2), []int{0, 3, 5}[trial%3]
		between := func(a, b []int) float64 {
			var sum, top float64
			for _, i := range a {
				for _, j := range b {
					sum += d[i][j]
					top = max(top, d[i][j])
				}
			}
			if linkage == Average {
				return sum / float64(len(a)*len(b))
			}
			return top
		}
		tree, err := Hierarchy(d, linkage, most)
		if err != nil {
			t.Fatal(err)
		}
		for k := range len(tree.Merges) + 1 {
			groups := tree.after(k)
			least := math.Inf(1)
			for i, a := range groups {
				for _, b := range groups[:i] {
					if most == 0 || len(a)+len(b) <= most {
						least = min(least, between(a, b))
					}
				}
			}
			if k == len(tree.Merges) {
				if !math.IsInf(least, 1) {
					t.Errorf("trial %d: groups %v could be joined", trial, groups)
				}
				break
			}
			if got := tree.Merges[k].Height; math.Abs(got-least) > 1e-12 {
				t.Errorf("trial %d: merge %d at %g, want %g", trial, k, got, least)
			}
		}
	}
}

func TestHierarchyEdges(t *testing.T) {
	tree, err := Hierarchy(nil, Average, 0)
	if err != nil || len(tree.Into(1)) != 0 {
		t.Errorf("no points: %v, %v", tree, err)
	}
	tree, err = Hierarchy([][]float64{{0}}, Complete, 0)
	if err != nil || !reflect.DeepEqual(tree.Into(1), [][]int{{0}}) {
		t.Errorf("one point: %v, %v", tree, err)
	}
	tree, err = Hierarchy(points(5), Average, 1)
	if err != nil || len(tree.Merges) != 0 || len(tree.Into(2)) != 5 {
		t.Errorf("groups of one: %v, %v", tree, err)
	}
	for _, c := range []struct {
		d    [][]float64
		want string
	}{
		{[][]float64{{0, 1}}, "row 0 of the distances has 2 numbers: expected 1"},
		{[][]float64{{0, 1}, {2, 0}}, "the same both ways"},
		{[][]float64{{0, math.NaN()}, {1, 0}}, "the distance between 0 and 1 is NaN"},
		{[][]float64{{0, -1}, {-1, 0}}, "is -1: expected a number that is not negative"},
	} {
		if _, err := Hierarchy(c.d, Average, 0); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
