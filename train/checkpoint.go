package train

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"instanton/internal/meta"
	"instanton/internal/npy"
	"instanton/internal/statearray"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// A checkpoint is a .npz with everything that the next update depends on: the parameters
// under their names in a model file, the optimiser's memory, the running averages, the
// chains and the counters. Random numbers are numbered by these counters.

var checkpointHeader = meta.Header{Format: "instanton-checkpoint", Version: 1}

type checkpointMeta struct {
	meta.Header
	Visible unit.Spec `json:"visible"`
	Hidden  unit.Spec `json:"hidden"`
	Updates int       `json:"updates"`
	Sweep   uint64    `json:"sweep"`
	Seed    uint64    `json:"seed"`
	// Seconds of work so far, which the owner keeps; nothing depends on it.
	Seconds float64 `json:"seconds"`
}

// Checkpoint writes down everything that the next update depends on, and along with it the
// seconds of work so far, which the caller counts. Equal trainings write equal bytes.
func (t *Trainer) Checkpoint(w io.Writer, seconds float64) error {
	about, err := meta.Member(checkpointMeta{
		Header: checkpointHeader, Visible: t.model.Visible.Spec(), Hidden: t.model.Hidden.Spec(),
		Updates: t.updates, Sweep: t.chains.Sweep, Seed: t.chains.Seed, Seconds: seconds,
	})
	if err != nil {
		return err
	}
	members := []npy.Member{about}
	for _, a := range t.arrays() {
		members = append(members, npy.ArrayMember(a.name, npy.New(a.data, a.shape...)))
	}
	members = append(members,
		npy.ArrayMember("chains.v", statearray.FromStates(t.chains.V)),
		npy.ArrayMember("chains.proposed", npy.New(t.chains.Proposed)),
		npy.ArrayMember("chains.accepted", npy.New(t.chains.Accepted)))
	return npy.WriteArchive(w, members...)
}

// checkpointArray is a part of the state that is float64.
type checkpointArray struct {
	name  string
	shape []int
	data  []float64
}

// arrays lists the float64 parts of the state, in place.
func (t *Trainer) arrays() []checkpointArray {
	m := t.model
	list := []checkpointArray{{"W", []int{m.Visible.Spec().Width(), m.Hidden.Spec().Width()}, m.W}}
	for side, l := range map[string]rbm.Layer{"v.": m.Visible, "h.": m.Hidden} {
		for _, p := range l.Params() {
			list = append(list, checkpointArray{side + p.Name, p.Shape, p.Data})
		}
	}
	add := func(name string, x []float64) { list = append(list, checkpointArray{name, []int{len(x)}, x}) }
	for name, x := range t.ascent.steps.Memory() {
		add("optimizer."+name, x)
	}
	add("running.mean", t.coords.lambda)
	add("running.variance", t.coords.spread)
	// Equal states give equal bytes.
	slices.SortFunc(list[1:], func(a, b checkpointArray) int { return cmp.Compare(a.name, b.name) })
	return list
}

// Restore takes up a checkpoint, of the given size, that a trainer with the same options
// and data wrote. It returns the seconds kept with it.
func (t *Trainer) Restore(r io.ReaderAt, size int64) (seconds float64, err error) {
	a, err := npy.ReadArchiveFrom(r, size)
	if err != nil {
		return 0, err
	}
	var about checkpointMeta
	if err := meta.Read(a, checkpointHeader, &about); err != nil {
		return 0, err
	}
	if about.Visible != t.model.Visible.Spec() || about.Hidden != t.model.Hidden.Spec() {
		return 0, fmt.Errorf("the checkpoint is of a model of %s with %s: expected %s with %s",
			about.Visible, about.Hidden, t.model.Visible.Spec(), t.model.Hidden.Spec())
	}
	if about.Seed != t.chains.Seed || about.Updates < 0 || about.Updates > t.Total() {
		return 0, fmt.Errorf("the checkpoint is of update %d with seed %d: expected at most %d with seed %d",
			about.Updates, about.Seed, t.Total(), t.chains.Seed)
	}
	for _, s := range t.arrays() {
		x, err := a.Array(s.name)
		if err != nil {
			return 0, err
		}
		data, err := x.Float64s()
		if err != nil || !slices.Equal(x.Shape, s.shape) {
			return 0, fmt.Errorf("the array %q has shape %v: expected numbers of shape %v", s.name, x.Shape, s.shape)
		}
		copy(s.data, data)
	}
	if err := t.restoreChains(a); err != nil {
		return 0, err
	}
	t.chains.Sweep, t.updates = about.Sweep, about.Updates
	t.ascent.weightNorm = vec.Norm(t.model.W)
	return about.Seconds, t.checkRestored()
}

func (t *Trainer) restoreChains(a *npy.Archive) error {
	x, err := a.Array("chains.v")
	if err != nil {
		return err
	}
	v, err := statearray.ToStates(t.chains.V.Spec, x)
	if err != nil {
		return fmt.Errorf("chains.v: %w", err)
	}
	if v.Len != t.chains.V.Len {
		return fmt.Errorf("the checkpoint has %d chains: expected %d", v.Len, t.chains.V.Len)
	}
	t.chains.V = v
	for name, to := range map[string][]uint64{
		"chains.proposed": t.chains.Proposed, "chains.accepted": t.chains.Accepted,
	} {
		x, err := a.Array(name)
		if err != nil {
			return err
		}
		counts, ok := x.Data.([]uint64)
		if !ok || len(counts) != len(to) {
			return fmt.Errorf("the array %q has shape %v: expected %d counts", name, x.Shape, len(to))
		}
		copy(to, counts)
	}
	return nil
}
