package forest

import (
	"math/bits"

	"instanton/unit"
)

// table holds the examples feature by feature, sorted by class: bit s of a column is the
// feature in the s-th example of that order.
type table struct {
	columns [][]uint64
	first   []int // of each class, and the number of examples
	order   []int // the s-th example's number among those given
}

func newTable(x *unit.States, labels []int, classes int) *table {
	t := &table{columns: make([][]uint64, x.N), first: make([]int, classes+1)}
	for _, l := range labels {
		t.first[l+1]++
	}
	for c := range classes {
		t.first[c+1] += t.first[c]
	}
	t.order = make([]int, x.Len)
	place := append([]int(nil), t.first...)
	for k, l := range labels {
		t.order[place[l]] = k
		place[l]++
	}
	words := (x.Len + 63) / 64
	flat := make([]uint64, x.N*words)
	for i := range t.columns {
		t.columns[i] = flat[i*words : (i+1)*words]
	}
	for s, k := range t.order {
		for w, word := range x.BitRow(k) {
			for ; word != 0; word &= word - 1 {
				if i := w*64 + bits.TrailingZeros64(word); i < x.N {
					t.columns[i][s>>6] |= 1 << (s & 63)
				}
			}
		}
	}
	return t
}
