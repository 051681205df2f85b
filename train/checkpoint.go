package train

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"instanton/batch"
	"instanton/internal/meta"
	"instanton/internal/npy"
	"instanton/internal/statearray"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// A checkpoint is a .npz file with everything that the next update depends on: the parameters under their names in a
// model file, the optimiser's memory, the running averages, the chains, the proposal of their jumps, and the counters,
// which also index the random numbers.

var checkpointHeader = meta.Header{Format: "instanton-checkpoint", Version: 1}

type checkpointMeta struct {
	meta.Header
	Visible unit.Spec `json:"visible"`
	Hidden  unit.Spec `json:"hidden"`
	Updates int       `json:"updates"`
	Sweep   uint64    `json:"sweep"`
	Seed    uint64    `json:"seed"`
	// Seconds of work so far, counted by the caller; nothing depends on it.
	Seconds float64 `json:"seconds"`
	// PopulationSweep counts the sweeps of the population that follows the training, if there is one.
	PopulationSweep uint64 `json:"population_sweep,omitempty"`
	// Jumps are those of the chains, if they jump or may begin to.
	Jumps *jumpsMeta `json:"jumps,omitempty"`
}

// Checkpoint writes everything that the next update depends on, and the seconds of work so far, which the caller
// counts. Equal trainings write equal bytes.
func (t *Trainer) Checkpoint(w io.Writer, seconds float64) (err error) {
	defer batch.Recover(&err)
	t.fetch()
	header := checkpointMeta{
		Header: checkpointHeader, Visible: t.model.Visible.Spec(), Hidden: t.model.Hidden.Spec(),
		Updates: t.updates, Sweep: t.chains.Sweep, Seed: t.chains.Seed, Seconds: seconds,
	}
	if t.population != nil {
		header.PopulationSweep = t.population.chains.Sweep
	}
	var jumping []npy.Member
	header.Jumps, jumping = t.chains.jumps.save()
	about, err := meta.Member(header)
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
	members = append(members, jumping...)
	if p := t.population; p != nil && !p.lost {
		for _, a := range p.arrays() {
			members = append(members, npy.ArrayMember(a.name, npy.New(a.data, a.shape...)))
		}
		members = append(members, npy.ArrayMember("population.chains", statearray.FromStates(p.chains.V)))
	}
	return npy.WriteArchive(w, members...)
}

// checkpointArray is a float64 array of the state.
type checkpointArray struct {
	name  string
	shape []int
	data  []float64
}

// arrays lists the float64 arrays of the state, which are not copied.
func (t *Trainer) arrays() []checkpointArray {
	list := parameterArrays(t.model)
	add := func(name string, x []float64) { list = append(list, checkpointArray{name, []int{len(x)}, x}) }
	for name, x := range t.ascent.steps.Memory() {
		add("optimizer."+name, x)
	}
	add("running.mean", t.coords.lambda)
	add("running.variance", t.coords.variance)
	sortArrays(list[1:])
	return list
}

// sortArrays makes equal states give equal bytes.
func sortArrays(list []checkpointArray) {
	slices.SortFunc(list, func(a, b checkpointArray) int { return cmp.Compare(a.name, b.name) })
}

// parameterArrays lists the parameters of a model, the weights first.
func parameterArrays(m *rbm.RBM) []checkpointArray {
	list := []checkpointArray{{"W", []int{m.Visible.Spec().Width(), m.Hidden.Spec().Width()}, m.W}}
	for side, l := range map[string]rbm.Layer{"v.": m.Visible, "h.": m.Hidden} {
		for _, p := range l.Params() {
			list = append(list, checkpointArray{side + p.Name, p.Shape, p.Data})
		}
	}
	return list
}

// Restore resumes from a checkpoint of the given size that a trainer with the same options and data wrote, and returns
// the seconds stored in it. After an error the trainer is as before.
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
	state := t.arrays()
	values := make(map[string][]float64, len(state))
	for _, s := range state {
		if values[s.name], err = readFloats(a, s.name, s.shape); err != nil {
			return 0, err
		}
	}
	model := t.model.Clone()
	for _, p := range parameterArrays(model) {
		copy(p.data, values[p.name])
	}
	if err := checkRestored(model); err != nil {
		return 0, err
	}
	v, proposed, accepted, err := t.readChains(a)
	if err != nil {
		return 0, err
	}
	takeJumps, err := t.chains.jumps.restore(t, a, about.Jumps)
	if err != nil {
		return 0, err
	}
	if err := t.population.restore(a, about.PopulationSweep); err != nil {
		return 0, err
	}
	takeJumps()
	for _, s := range state {
		copy(s.data, values[s.name])
	}
	t.chains.V.CopyFrom(v)
	copy(t.chains.Proposed, proposed)
	copy(t.chains.Accepted, accepted)
	t.chains.Sweep, t.updates = about.Sweep, about.Updates
	t.ascent.weightNorm = vec.Norm(t.model.W)
	if t.resident != nil {
		t.resident.loaded, t.resident.ahead = false, false
	}
	return about.Seconds, nil
}

func readFloats(a *npy.Archive, name string, shape []int) ([]float64, error) {
	x, err := a.Array(name)
	if err != nil {
		return nil, err
	}
	data, err := x.Float64s()
	if err != nil || !slices.Equal(x.Shape, shape) {
		return nil, fmt.Errorf("the array %q has shape %v: expected numbers of shape %v", name, x.Shape, shape)
	}
	return data, nil
}

// readChains reads configurations and counters for the chains of t.
func (t *Trainer) readChains(a *npy.Archive) (v *unit.States, proposed, accepted []uint64, err error) {
	x, err := a.Array("chains.v")
	if err != nil {
		return nil, nil, nil, err
	}
	if v, err = statearray.ToStates(t.chains.V.Spec, x); err != nil {
		return nil, nil, nil, fmt.Errorf("chains.v: %w", err)
	}
	if v.Len != t.chains.V.Len {
		return nil, nil, nil, fmt.Errorf("the checkpoint has %d chains: expected %d", v.Len, t.chains.V.Len)
	}
	if proposed, err = readCounts(a, "chains.proposed", v.Len); err != nil {
		return nil, nil, nil, err
	}
	accepted, err = readCounts(a, "chains.accepted", v.Len)
	return v, proposed, accepted, err
}

func readCounts(a *npy.Archive, name string, n int) ([]uint64, error) {
	x, err := a.Array(name)
	if err != nil {
		return nil, err
	}
	counts, ok := x.Data.([]uint64)
	if !ok || len(counts) != n {
		return nil, fmt.Errorf("the array %q has shape %v: expected %d counts", name, x.Shape, n)
	}
	return counts, nil
}
