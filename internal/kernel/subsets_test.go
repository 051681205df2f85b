package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// whole are random whole numbers of all sizes: sums wrap around alike.
func whole(r *rand.Rand, n int) []int32 {
	x := make([]int32, n)
	for i := range x {
		x[i] = int32(r.Uint32()) >> r.IntN(31)
	}
	return x
}

func TestSubsets(t *testing.T) {
	r := source(1)
	rows := whole(r, 64*tile)
	for asked := 1; asked <= wordGroups; asked++ {
		tables, twin := whole(r, wordGroups*subsetTable), make([]int32, wordGroups*subsetTable)
		groups := subsetSums(tables, rows, asked)
		if groups < asked {
			t.Fatalf("%d groups asked for, %d made", asked, groups)
		}
		subsetSumsGo(twin, rows, groups)
		for g := range groups {
			n := tile << groupSize(g)
			if !slices.Equal(tables[g*subsetTable:][:n], twin[g*subsetTable:][:n]) {
				t.Fatalf("%d groups: table %d differs from the twin's", groups, g)
			}
		}
		for _, chains := range []int{1, 2, 3, 7, 100, 999} {
			const stride = 3
			words := make([]uint64, chains*stride)
			for i := range words {
				words[i] = r.Uint64()
			}
			acc := whole(r, chains*tile)
			want := slices.Clone(acc)
			for _, base := range [][]int32{nil, whole(r, tile)} {
				addSubsets(acc, base, tables, words, stride, chains, groups)
				addSubsetsGo(want, base, twin, words, stride, chains, groups)
				if !slices.Equal(acc, want) {
					t.Fatalf("%d groups, %d chains: sums differ from the twin's", groups, chains)
				}
			}
		}
	}
}

func TestAddRows(t *testing.T) {
	r := source(2)
	weights := whole(r, 50*tile)
	for chains := range 100 {
		counts := make([][2]uint32, chains)
		var rows []uint32
		for c := range counts {
			counts[c] = [2]uint32{uint32(r.IntN(5)), uint32(r.IntN(4))}
			for range 4 * (counts[c][0] + counts[c][1]) {
				rows = append(rows, uint32(r.IntN(50)*rowBytes))
			}
		}
		rows = append(rows, 0) // never empty, so that it has an address
		acc := whole(r, chains*tile)
		want := slices.Clone(acc)
		addRows(acc, weights, rows, counts)
		addRowsGo(want, weights, rows, counts)
		if !slices.Equal(acc, want) {
			t.Fatalf("%d chains: sums differ from the twin's", chains)
		}
	}
}
