package dynamics

import (
	"slices"
	"testing"

	"instanton/rbm"
	"instanton/unit"
)

// A trace gives back the very numbers that were read from configurations.
func TestTraceIsExact(t *testing.T) {
	b := NewBlocks([]rbm.Block{{Size: 49}, {Size: 0}, {Size: 7}})
	v := unit.NewStates(unit.Spec{Type: unit.Spin, N: 56}, 50)
	x := Trace{blocks: b}
	var want [][]float64
	for k := range v.Len {
		for i := range v.N {
			if (i*i+k*i)%5 < 2 {
				v.Set(k, i, 1)
			}
		}
		m := make([]float64, 3)
		b.Read(m, v, k)
		x.Add(m)
		want = append(want, m)
	}
	back := Trace{blocks: b}
	back.append(&x, true)
	back.append(&x, false)
	rows, turned := x.Rows(), back.Rows()
	if len(rows) != 50 || len(turned) != 100 {
		t.Fatalf("%d and %d rows, want 50 and 100", len(rows), len(turned))
	}
	for k := range want {
		if !slices.Equal(rows[k], want[k]) || !slices.Equal(turned[49-k], want[k]) ||
			!slices.Equal(turned[50+k], want[k]) {
			t.Errorf("step %d: %v, %v, %v, want %v", k, rows[k], turned[49-k], turned[50+k], want[k])
		}
	}
}
