package main

import (
	"fmt"
	"strconv"
	"strings"

	"instanton/dataset"
	"instanton/mixing"
	"instanton/rbm"
	"instanton/unit"
)

// places returns the modes, and the configurations in each from which runs can start.
func (f *mixFlags) places(m *rbm.RBM, d *dataset.Dataset) (mixing.Modes, []*unit.States, error) {
	modes, from, err := f.findModes(m, d)
	if err != nil {
		return nil, nil, err
	}
	in := make([][]int, len(modes.Names()))
	for k := range from.Len {
		if mode, deep := modes.Of(from, k); deep {
			in[mode] = append(in[mode], k)
		}
	}
	places := make([]*unit.States, len(in))
	for a, rows := range in {
		if len(rows) > f.runs {
			rows = rows[:f.runs]
		}
		places[a] = unit.NewStates(from.Spec, len(rows))
		for k, row := range rows {
			places[a].CopyRow(k, from, row)
		}
	}
	return modes, places, nil
}

// findModes reads --modes; the configurations are those in which the modes are known.
func (f *mixFlags) findModes(m *rbm.RBM, d *dataset.Dataset) (mixing.Modes, *unit.States, error) {
	kind := f.modes
	switch {
	case kind != "":
	case m.Patterns != nil:
		kind = "patterns"
	case d != nil && d.Labels != nil:
		kind = "labels"
	default:
		kind = "cluster:2"
	}
	if kind == "patterns" {
		modes, err := mixing.Patterns(m)
		if err != nil {
			return nil, nil, usage(fmt.Errorf("--modes patterns: %w", err))
		}
		return modes, m.PatternsAndOpposites(), nil
	}
	if d == nil && f.modes != "" {
		return nil, nil, usage(fmt.Errorf("--modes %s are those of data: give DATA", f.modes))
	}
	if d == nil {
		return nil, nil, usage(fmt.Errorf("the model stores no patterns to start from: give DATA with " +
			"configurations in its modes"))
	}
	if kind == "labels" {
		modes, err := mixing.Labels(d, m.Visible.Spec())
		return modes, d.States, usage(err)
	}
	if text, ok := strings.CutPrefix(kind, "cluster:"); ok {
		if k, err := strconv.Atoi(text); err == nil && k >= 2 && k <= mixing.MaxClusters {
			modes, err := mixing.Clusters(d.States, k, f.seed)
			return modes, d.States, err
		}
	}
	return nil, nil, usage(fmt.Errorf("--modes %s: expected patterns, labels or cluster:K with K from 2 to %d", f.modes,
		mixing.MaxClusters))
}
