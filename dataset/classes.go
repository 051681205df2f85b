package dataset

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// classesFromNames takes the class from the end of each name, if every name has one.
func (d *Dataset) classesFromNames() {
	classes := make([]string, len(d.Names))
	for k, name := range d.Names {
		at := strings.LastIndex(" "+name, " "+classKey)
		if at < 0 || strings.Contains(name[at+len(classKey):], " ") || len(name) == at+len(classKey) {
			return
		}
		classes[k] = name[at+len(classKey):]
	}
	for k, name := range d.Names {
		d.Names[k] = strings.TrimSpace(strings.TrimSuffix(name, classKey+classes[k]))
	}
	d.Labels, d.LabelNames = number(classes)
}

// number numbers the classes in the order of their names; names that are nonnegative integers are their own numbers.
func number(classes []string) (labels []int, names []string) {
	index := map[string]int{}
	top := 0
	whole := true
	for _, c := range classes {
		index[c] = 0
		x, err := strconv.Atoi(c)
		whole = whole && err == nil && x >= 0 && x < 1<<20 && strconv.Itoa(x) == c
		top = max(top, x)
	}
	if whole {
		for x := range top + 1 {
			index[strconv.Itoa(x)] = x
		}
	} else {
		names = slices.Sorted(maps.Keys(index))
		for k, name := range names {
			index[name] = k
		}
	}
	labels = make([]int, len(classes))
	for k, c := range classes {
		labels[k] = index[c]
	}
	return labels, names
}
