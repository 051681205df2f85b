package dataset

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"instanton/unit"
)

// Filter says which configurations to keep. The zero value keeps all.
type Filter struct {
	Identity  float64  // leave out those that agree with an earlier kept one in at least this fraction of the units
	MaxGaps   float64  // the largest fraction of gaps in a sequence, if HasGaps is set
	HasGaps   bool     // MaxGaps counts
	MinLength int      // the least number of letters that are not gaps
	MaxLength int      // the largest number; 0 for any
	Labels    []string // names or numbers of classes; empty for all
}

// Rows returns the configurations to keep, in order. Identity comes last: it compares those that the others keep.
func (f Filter) Rows(d *Dataset) ([]int, error) {
	gaps := f.HasGaps || f.MinLength > 0 || f.MaxLength > 0
	code := strings.IndexByte(d.Alphabet, gap)
	if gaps && (d.States.Type != unit.Potts || d.Alphabet == "") {
		return nil, fmt.Errorf("gaps and lengths of %s units without an alphabet: expected sequences", d.States.Spec)
	}
	classes, err := f.classes(d)
	if err != nil {
		return nil, err
	}
	var rows []int
	for k := range d.States.Len {
		if classes != nil && !classes[d.Labels[k]] {
			continue
		}
		if gaps {
			n := 0
			for _, a := range d.States.CodeRow(k) {
				if int(a) == code {
					n++
				}
			}
			length := d.States.N - n
			if f.HasGaps && float64(n) > f.MaxGaps*float64(d.States.N)+1e-9 || length < f.MinLength ||
				f.MaxLength > 0 && length > f.MaxLength {
				continue
			}
		}
		rows = append(rows, k)
	}
	if f.Identity == 0 || len(rows) == 0 {
		return rows, nil
	}
	some, err := Representatives(d.Pick(rows).States, f.Identity)
	if err != nil {
		return nil, err
	}
	return pick(rows, some), nil
}

// classes is the set of labels to keep, nil for all.
func (f Filter) classes(d *Dataset) (map[int]bool, error) {
	if len(f.Labels) == 0 {
		return nil, nil
	}
	if d.Labels == nil {
		return nil, fmt.Errorf("%s has no labels to choose by", d.Name)
	}
	known := map[string]int{}
	for _, c := range d.Labels {
		known[d.LabelName(c)] = c
		if _, taken := known[strconv.Itoa(c)]; !taken {
			known[strconv.Itoa(c)] = c
		}
	}
	keep := map[int]bool{}
	for _, name := range f.Labels {
		c, ok := known[name]
		if !ok {
			var names []string
			for _, c := range d.Labels {
				if n := d.LabelName(c); !slices.Contains(names, n) {
					names = append(names, n)
				}
			}
			slices.Sort(names)
			return nil, fmt.Errorf("there is no label %q among %q", name, names[:min(len(names), 30)])
		}
		keep[c] = true
	}
	return keep, nil
}
