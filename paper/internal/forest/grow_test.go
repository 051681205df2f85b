package forest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"instanton/internal/rng"
)

// gini is 1 − Σ p², by definition.
func gini(labels []int) float64 {
	counts := map[int]float64{}
	for _, l := range labels {
		counts[l]++
	}
	sum := 1.0
	for _, k := range counts {
		sum -= k * k / float64(len(labels)*len(labels))
	}
	return sum
}

// The split of a node is that of the smallest impurity, found by trying all.
func TestBestSplit(t *testing.T) {
	for seed := range uint64(50) {
		x, labels := examples(40, 9, seed, func(x []float64, r *rand.Rand) int {
			return min(int(x[3]+x[5])+r.IntN(2),
				2)
		})
		table := newTable(x, labels, 3)
		o := Options{Features: 9, MinLeaf: 3, MaxDepth: 1, Seed: seed}
		g := newGrower(table, o)
		g.grow(0)
		draws := slices.Clone(g.draws)
		slices.Sort(draws)
		impurity := func(feature int) float64 {
			var side [2][]int
			for _, s := range draws {
				k := table.order[s]
				bit := int(x.Value(k, feature))
				side[bit] = append(side[bit], labels[k])
			}
			if min(len(side[0]), len(side[1])) < o.MinLeaf {
				return math.Inf(1)
			}
			n := float64(len(draws))
			return float64(len(side[0]))/n*gini(side[0]) + float64(len(side[1]))/n*gini(side[1])
		}
		least := math.Inf(1)
		for i := range 9 {
			least = min(least, impurity(i))
		}
		root := g.t.nodes[0]
		if root.feature == leaf || impurity(int(root.feature)) > least+1e-12 {
			t.Errorf("seed %d: split by feature %d, where the least impurity is %g", seed, root.feature, least)
		}
	}
}

// A bootstrap has as many draws as examples, sorted, and leaves out about 1/e of them.
func TestBootstrap(t *testing.T) {
	const n = 5000
	x, labels := examples(n, 2, 1, func(x []float64, _ *rand.Rand) int { return int(x[0]) })
	g := newGrower(newTable(x, labels, 2), Options{})
	g.random = rng.New(1, rng.Forest, 0, 0).Rand()
	bag := g.bootstrap()
	if len(g.draws) != n || !slices.IsSorted(g.draws) {
		t.Fatalf("%d draws, sorted %t", len(g.draws), slices.IsSorted(g.draws))
	}
	out := 0.0
	for s := range n {
		in := bag[s>>6]>>(s&63)&1 == 1
		if _, found := slices.BinarySearch(g.draws, int32(s)); found != in {
			t.Fatalf("example %d is drawn: %t, in the bag: %t", s, found, in)
		}
		if !in {
			out++
		}
	}
	// The number of empty boxes has variance below n(e⁻¹ − 2e⁻²); five of its roots.
	if want, tol := n/math.E, 5*math.Sqrt(n*(1/math.E-2/(math.E*math.E))); math.Abs(out-want) > tol {
		t.Errorf("%g examples are left out, want %g ± %g", out, want, tol)
	}
}

// Partition keeps the order on both sides.
func TestPartition(t *testing.T) {
	draws := []int32{0, 1, 1, 2, 3, 5, 5, 64, 65}
	column := []uint64{1<<1 | 1<<5, 1}
	middle := partition(draws, make([]int32, 9), column)
	if want := []int32{0, 2, 3, 65, 1, 1, 5, 5, 64}; middle != 4 || !slices.Equal(draws, want) {
		t.Errorf("%v with %d in front, want %v", draws, middle, want)
	}
}
