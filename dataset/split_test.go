package dataset_test

import (
	"slices"
	"strings"
	"testing"

	"instanton/dataset"
	"instanton/unit"
)

// families makes sets of near-identical sequences: copies of random ones with one letter changed.
func families(t *testing.T, count, members int) *dataset.Dataset {
	t.Helper()
	s := unit.NewStates(unit.Spec{Type: unit.Potts, N: 40, Q: 21}, count*members)
	d := &dataset.Dataset{Name: "families", States: s, Alphabet: dataset.ProteinGap}
	for k := range s.Len {
		family, member := k%count, k/count
		for i := range s.N {
			s.Set(k, i, float64((family*(i+3)*(i+7)+i*i*5+family)%21))
		}
		s.Set(k, member%s.N, float64((member+family)%21))
		d.Labels = append(d.Labels, family)
	}
	return d
}

// TestSplit: every row is in one part, the sizes are those asked for, and the seed decides.
func TestSplit(t *testing.T) {
	d := families(t, 10, 10)
	parts, err := d.Split([]float64{0.8, 0.1, 0.1}, 0, 3)
	if err != nil {
		t.Fatal(err)
	}
	if len(parts[0]) != 80 || len(parts[1]) != 10 || len(parts[2]) != 10 {
		t.Errorf("parts of %d, %d and %d rows", len(parts[0]), len(parts[1]), len(parts[2]))
	}
	all := slices.Sorted(slices.Values(slices.Concat(parts...)))
	for k, row := range all {
		if row != k {
			t.Fatalf("rows %v", all)
		}
	}
	again, _ := d.Split([]float64{0.8, 0.1, 0.1}, 0, 3)
	other, _ := d.Split([]float64{0.8, 0.1, 0.1}, 0, 4)
	if !slices.Equal(parts[1], again[1]) || slices.Equal(parts[1], other[1]) {
		t.Error("the seed does not decide")
	}
}

// TestSplitKeepsFamilies: by identity no row has a close relative in another part; a random split has many.
func TestSplitKeepsFamilies(t *testing.T) {
	d := families(t, 10, 10)
	leaks := func(identity float64) (n int) {
		parts, err := d.Split([]float64{0.7, 0.3}, identity, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(parts[0]) != 70 {
			t.Errorf("identity %g: %d rows in the first part, want 70", identity, len(parts[0]))
		}
		for _, a := range parts[0] {
			for _, b := range parts[1] {
				if d.States.Hamming(a, d.States, b) <= 8 { // identity 0.8 of 40 units
					n++
				}
			}
		}
		return n
	}
	if n := leaks(0.8); n != 0 {
		t.Errorf("%d pairs of relatives in different parts", n)
	}
	if leaks(0) == 0 {
		t.Error("a random split separates no relatives: the test shows nothing")
	}
	for _, fractions := range [][]float64{nil, {1}, {0.5, 0.6}, {0.5, -0.1, 0.6}} {
		if _, err := d.Split(fractions, 0, 1); err == nil {
			t.Errorf("parts %v were accepted", fractions)
		}
	}
}

func TestRowsAreRecorded(t *testing.T) {
	d := families(t, 3, 3)
	p := d.PickRecorded([]int{0, 1, 2, 4, 7, 8})
	if p.Info["rows"] != "1-3,5,8-9" || p.States.Len != 6 {
		t.Errorf("rows %q of %d", p.Info["rows"], p.States.Len)
	}
}

func TestFilter(t *testing.T) {
	spec := unit.Spec{Type: unit.Potts, N: 4, Q: 5}
	d := &dataset.Dataset{Name: "small", Alphabet: "-ACGT", States: unit.NewStates(spec, 5),
		Labels: []int{0, 1, 0, 1, 2}, LabelNames: []string{"x", "y", "z"}}
	for k, row := range []string{"ACGT", "ACG-", "AC--", "ACGT", "TTTT"} {
		for i := range 4 {
			d.States.Set(k, i, float64(strings.IndexByte(d.Alphabet, row[i])))
		}
	}
	for _, c := range []struct {
		filter dataset.Filter
		want   []int
	}{
		{dataset.Filter{}, []int{0, 1, 2, 3, 4}},
		{dataset.Filter{Identity: 1}, []int{0, 1, 2, 4}},
		{dataset.Filter{Identity: 0.75}, []int{0, 2, 4}},
		{dataset.Filter{HasGaps: true}, []int{0, 3, 4}},
		{dataset.Filter{HasGaps: true, MaxGaps: 0.25}, []int{0, 1, 3, 4}},
		{dataset.Filter{MinLength: 3}, []int{0, 1, 3, 4}},
		{dataset.Filter{MaxLength: 3}, []int{1, 2}},
		{dataset.Filter{Labels: []string{"y", "2"}}, []int{1, 3, 4}},
		{dataset.Filter{Labels: []string{"x"}, MaxLength: 3, Identity: 0.5}, []int{2}},
	} {
		rows, err := c.filter.Rows(d)
		if err != nil || !slices.Equal(rows, c.want) {
			t.Errorf("%+v keeps %v, %v; want %v", c.filter, rows, err, c.want)
		}
	}
	if _, err := (dataset.Filter{Labels: []string{"w"}}).Rows(d); err == nil || !strings.Contains(err.Error(), `"w"`) {
		t.Errorf("an unknown label: %v", err)
	}
}

func TestMerge(t *testing.T) {
	a, b := families(t, 2, 2), families(t, 3, 1)
	m, err := dataset.Merge([]*dataset.Dataset{a, b}, []string{"a", "b"}, true)
	if err != nil || m.States.Len != 7 || !slices.Equal(m.Labels, []int{0, 0, 0, 0, 1, 1, 1}) ||
		!slices.Equal(m.LabelNames, []string{"a", "b"}) {
		t.Fatalf("merged by source: %+v, %v", m, err)
	}
	if m, err = dataset.Merge([]*dataset.Dataset{a, b}, []string{"a", "b"}, false); err != nil ||
		!slices.Equal(m.Labels, []int{0, 1, 0, 1, 0, 1, 2}) {
		t.Fatalf("merged by label: %+v, %v", m, err)
	}
	before := b.Letters(2)
	if err := b.Recode(dataset.ProteinGapLast); err != nil {
		t.Fatal(err)
	}
	m, err = dataset.Merge([]*dataset.Dataset{a, b}, []string{"a", "b"}, false)
	if err != nil || m.Letters(6) != before {
		t.Errorf("another alphabet: %q, %v; want %q", m.Letters(6), err, before)
	}
	other := &dataset.Dataset{Name: "other", States: unit.NewStates(unit.Spec{Type: unit.Spin, N: 40}, 1)}
	if _, err := dataset.Merge([]*dataset.Dataset{a, other}, []string{"a", "other"}, true); err == nil {
		t.Error("spins were merged with sequences")
	}
}
