package dataset

import (
	"fmt"
	"maps"
	"slices"

	"instanton/unit"
)

// Merge puts sets of configurations of the same units into one, in order. Sequences with different alphabets are
// recoded to that of the first. If bySource is set, or if no set has labels, the label of a configuration is the set
// that it comes from, named by names; otherwise labels of the same name are one class, and all sets must have them.
// Weights, names and the shape of images are kept if all sets have them.
func Merge(sets []*Dataset, names []string, bySource bool) (*Dataset, error) {
	if len(sets) == 0 || len(names) != len(sets) {
		return nil, fmt.Errorf("%d sets with %d names: expected one name each", len(sets), len(names))
	}
	first := sets[0]
	all := &Dataset{Name: "merged", Alphabet: first.Alphabet, Shape: first.Shape, Info: map[string]string{}}
	total, labels, weights, rows := 0, 0, true, true
	for k, d := range sets {
		if d.Alphabet != first.Alphabet && d.Alphabet != "" && first.Alphabet != "" {
			c := *d
			c.States = d.States.Clone()
			if err := c.Recode(first.Alphabet); err != nil {
				return nil, fmt.Errorf("%s: %w", names[k], err)
			}
			d = &c
			sets[k] = d
		}
		if d.States.Spec != first.States.Spec {
			return nil, fmt.Errorf("%s holds %s, but %s holds %s: expected the same units", names[k], d.States.Spec,
				names[0], first.States.Spec)
		}
		total += d.States.Len
		if d.Labels != nil {
			labels++
		}
		weights, rows = weights && d.Weights != nil, rows && d.Names != nil
		if !slices.Equal(d.Shape, first.Shape) {
			all.Shape = nil
		}
		if d.Alphabet != first.Alphabet {
			all.Alphabet = ""
		}
		all.Sources = append(all.Sources, d.Sources...)
	}
	if !bySource && labels > 0 && labels < len(sets) {
		return nil, fmt.Errorf("%d of %d sets have labels: expected all, or labels by source", labels, len(sets))
	}
	all.States = unit.NewStates(first.States.Spec, total)
	var classes []string
	at := 0
	for k, d := range sets {
		for j := range d.States.Len {
			all.States.CopyRow(at+j, d.States, j)
			if bySource || labels == 0 {
				classes = append(classes, names[k])
			} else {
				classes = append(classes, d.LabelName(d.Labels[j]))
			}
		}
		at += d.States.Len
		if weights {
			all.Weights = append(all.Weights, d.Weights...)
		}
		if rows {
			all.Names = append(all.Names, d.Names...)
		}
		maps.Copy(all.Info, d.Info)
	}
	delete(all.Info, "rows") // those of the last set
	all.Labels, all.LabelNames = number(classes)
	return all, all.Check()
}
