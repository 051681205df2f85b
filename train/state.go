package train

import (
	"fmt"
	"slices"

	"instanton/internal/meta"
	"instanton/internal/npy"
	"instanton/internal/statearray"
	"instanton/rbm"
	"instanton/unit"
)

// A checkpoint is a .npz with everything that the next update depends on: the parameters
// under their names in a model file, the optimiser's memory, the running averages, the
// chains and the counters. Random numbers are numbered by these counters.

var stateHeader = meta.Header{Format: "instanton-checkpoint", Version: 1}

type stateMeta struct {
	meta.Header
	Visible unit.Spec `json:"visible"`
	Hidden  unit.Spec `json:"hidden"`
	Updates int       `json:"updates"`
	Sweep   uint64    `json:"sweep"`
	Seed    uint64    `json:"seed"`
	// Seconds of work so far, which the owner keeps; nothing depends on it.
	Seconds float64 `json:"seconds"`
}

// State is the checkpoint as members of an archive; seconds are kept along.
func (t *Trainer) State(seconds float64) ([]npy.Member, error) {
	about, err := meta.Member(stateMeta{stateHeader, t.model.Visible.Spec(), t.model.Hidden.Spec(), t.updates, t.chains.Sweep, t.chains.Seed, seconds})
	if err != nil {
		return nil, err
	}
	members := []npy.Member{about}
	for _, a := range t.arrays() {
		members = append(members, npy.ArrayMember(a.name, npy.New(a.data, a.shape...)))
	}
	return append(members,
		npy.ArrayMember("chains.v", statearray.FromStates(t.chains.V)),
		npy.ArrayMember("chains.proposed", npy.New(t.chains.Proposed)),
		npy.ArrayMember("chains.accepted", npy.New(t.chains.Accepted))), nil
}

// stateArray is a part of the state that is float64.
type stateArray struct {
	name  string
	shape []int
	data  []float64
}

// arrays lists the float64 parts of the state, in place.
func (t *Trainer) arrays() []stateArray {
	m := t.model
	list := []stateArray{{"W", []int{m.Visible.Spec().Width(), m.Hidden.Spec().Width()}, m.W}}
	for side, l := range map[string]rbm.Layer{"v.": m.Visible, "h.": m.Hidden} {
		for _, p := range l.Params() {
			list = append(list, stateArray{side + p.Name, p.Shape, p.Data})
		}
	}
	for name, x := range map[string][]float64{
		"optimizer.u": t.ascent.u, "optimizer.s": t.ascent.s,
		"running.mean": t.coords.lambda, "running.variance": t.coords.spread,
	} {
		if x != nil {
			list = append(list, stateArray{name, []int{len(x)}, x})
		}
	}
	slices.SortFunc(list[1:], func(a, b stateArray) int { // equal states give equal bytes
		if a.name < b.name {
			return -1
		}
		return 1
	})
	return list
}

// Restore takes up the state of a checkpoint that a trainer with the same settings and
// data wrote, and returns the seconds kept with it.
func (t *Trainer) Restore(a *npy.Archive) (seconds float64, err error) {
	var about stateMeta
	if err := meta.Read(a, stateHeader, &about); err != nil {
		return 0, err
	}
	if about.Visible != t.model.Visible.Spec() || about.Hidden != t.model.Hidden.Spec() {
		return 0, fmt.Errorf("the checkpoint is of a model of %s with %s: expected %s with %s",
			about.Visible, about.Hidden, t.model.Visible.Spec(), t.model.Hidden.Spec())
	}
	if about.Seed != t.chains.Seed || about.Updates < 0 || about.Updates > t.Total() {
		return 0, fmt.Errorf("the checkpoint is of update %d with seed %d: expected at most %d with seed %d", about.Updates, about.Seed, t.Total(), t.chains.Seed)
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
	t.wNorm = norm(t.model.W)
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
	for name, to := range map[string][]uint64{"chains.proposed": t.chains.Proposed, "chains.accepted": t.chains.Accepted} {
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
