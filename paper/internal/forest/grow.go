package forest

import (
	"math/rand/v2"

	"instanton/internal/rng"
)

// grower grows trees by CART on one table, one at a time.
type grower struct {
	*table
	Options
	random   *rand.Rand
	features []int32 // in an order that every node shuffles on
	draws    []int32 // the bootstrap, sorted by example and so by class
	aside    []int32
	t        tree
}

func newGrower(t *table, o Options) *grower {
	n := len(t.order)
	return &grower{table: t, Options: o, features: make([]int32, len(t.columns)), draws: make([]int32, 0, n),
		aside: make([]int32, n)}
}

// grow is tree number k and the set of examples in its bootstrap.
func (g *grower) grow(k uint32) (tree, []uint64) {
	g.random = rng.New(g.Seed, rng.Forest, k, 0).Rand()
	for i := range g.features {
		g.features[i] = int32(i)
	}
	g.t = tree{}
	bag := g.bootstrap()
	counts := make([]int, len(g.first)-1)
	c := 0
	for _, s := range g.draws {
		for int(s) >= g.first[c+1] {
			c++
		}
		counts[c]++
	}
	g.split(g.draws, counts, 0)
	return g.t, bag
}

// bootstrap draws as many examples as there are, with replacement.
func (g *grower) bootstrap() (bag []uint64) {
	n := len(g.order)
	times := make([]int32, n)
	for range n {
		times[g.random.IntN(n)]++
	}
	bag = make([]uint64, (n+63)/64)
	g.draws = g.draws[:0]
	for s, m := range times {
		if m > 0 {
			bag[s>>6] |= 1 << (s & 63)
		}
		for range m {
			g.draws = append(g.draws, int32(s))
		}
	}
	return bag
}

// split grows the subtree of some draws, of which counts are in each class, and returns its
// root. The draws of a class stay next to each other, here and in the children.
func (g *grower) split(draws []int32, counts []int, depth int) int32 {
	at := int32(len(g.t.nodes))
	g.t.nodes = append(g.t.nodes, node{feature: leaf})
	feature, ones := int32(leaf), []int(nil)
	if depth < g.MaxDepth && !pure(counts, len(draws)) {
		feature, ones = g.best(draws, counts)
	}
	if feature == leaf {
		g.t.nodes[at].next[0] = int32(len(g.t.shares) / len(counts))
		for _, k := range counts {
			g.t.shares = append(g.t.shares, float64(k)/float64(len(draws)))
		}
		return at
	}
	middle := partition(draws, g.aside, g.columns[feature])
	zeros := make([]int, len(counts))
	for c := range zeros {
		zeros[c] = counts[c] - ones[c]
	}
	zero := g.split(draws[:middle], zeros, depth+1)
	one := g.split(draws[middle:], ones, depth+1)
	g.t.nodes[at] = node{feature, [2]int32{zero, one}}
	return at
}

func pure(counts []int, all int) bool {
	for _, k := range counts {
		if k > 0 {
			return k == all
		}
	}
	return true
}

// best tries features in random order, as many as asked for and on until one splits the
// draws at all, and returns the one that leaves the smallest Gini impurity, with the draws
// of each class in which it is set. Least impurity is largest Σ_sides Σ_c n_c²/n. A split
// that gains nothing is taken, too: the gain may come below it (exclusive or).
func (g *grower) best(draws []int32, counts []int) (feature int32, ones []int) {
	feature = leaf
	var top float64
	trial := make([]int, len(counts))
	ones = make([]int, len(counts))
	for tried := range g.features {
		if tried >= g.Features && feature != leaf {
			break
		}
		pick := tried + g.random.IntN(len(g.features)-tried)
		g.features[tried], g.features[pick] = g.features[pick], g.features[tried]
		column := g.columns[g.features[tried]]
		from, set := 0, 0
		for c, k := range counts {
			trial[c] = count(column, draws[from:from+k])
			from, set = from+k, set+trial[c]
		}
		clear := len(draws) - set
		if min(set, clear) < g.MinLeaf {
			continue
		}
		var one, zero float64
		for c, k := range counts {
			one += float64(trial[c]) * float64(trial[c])
			zero += float64(k-trial[c]) * float64(k-trial[c])
		}
		if score := one/float64(set) + zero/float64(clear); score > top {
			feature, top = g.features[tried], score
			ones, trial = trial, ones
		}
	}
	return feature, ones
}

// count is the number of draws in which the feature is set.
func count(column []uint64, draws []int32) int {
	var sum uint64
	for _, s := range draws {
		sum += column[uint32(s)>>6] >> (uint32(s) & 63) & 1
	}
	return int(sum)
}

// partition moves the draws in which the feature is not set to the front, keeping the order
// on both sides, and returns their number.
func partition(draws, aside []int32, column []uint64) int {
	zeros, ones := 0, 0
	for _, s := range draws {
		if column[uint32(s)>>6]>>(uint32(s)&63)&1 == 0 {
			draws[zeros] = s
			zeros++
		} else {
			aside[ones] = s
			ones++
		}
	}
	copy(draws[zeros:], aside[:ones])
	return zeros
}
