// Package samples reads and writes sample files: the draws of chains, how they were made, and the state from which an
// interrupted run can be resumed.
//
// Fill a File with the chains and the record of package sampler and call Save, whether the run is finished or not.
// Resume reads an unfinished run to continue it. Read reads the draws of any sample file, or any numpy array (chain,
// draw, unit), for analysis.
package samples

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"instanton/internal/atomicfile"
	"instanton/internal/meta"
	"instanton/internal/npy"
	"instanton/internal/statearray"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// A sample file is a .npz archive with the array v (chain, draw, unit), possibly h, the state from which the chains
// can be continued, and meta.json. See docs/formats.md.

var header = meta.Header{Format: "instanton-samples", Version: 1}

// File is a run of chains, finished or interrupted.
type File struct {
	Chains *sampler.Chains
	Record *sampler.Record
	About  Recipe

	// What the configurations mean, as in a data set; see Describe.
	Alphabet string
	Shape    []int
}

// Describe takes over from the info of a model what the data that it was trained on say of the visible units: the
// letters of their states, or the rows and columns of images. What does not fit the units is left out.
func (f *File) Describe(info map[string]string) {
	spec := f.Chains.V.Spec
	if letters := info["alphabet"]; spec.Type == unit.Potts && len(letters) == spec.Q {
		f.Alphabet = letters
	}
	var rows, columns int
	if n, _ := fmt.Sscanf(info["shape"], "%d,%d", &rows, &columns); n == 2 && rows > 0 && columns > 0 &&
		spec.N%rows == 0 && spec.N/rows == columns {
		f.Shape = []int{rows, columns}
	}
}

// Recipe says how samples were made: two runs with the same recipe have the same bits.
type Recipe struct {
	Sampler string  `json:"sampler"`
	Moves   string  `json:"moves,omitempty"` // details that the name of the sampler does not give
	Beta    float64 `json:"beta"`
	Seed    uint64  `json:"seed"`
	Init    string  `json:"init"` // "random", or the SHA-256 of the starting configurations
	Model   string  `json:"model_sha256"`
	Chains  int     `json:"chains"`
	Burn    int     `json:"burn"`
	Every   int     `json:"every"`
	Draws   int     `json:"draws"`
	Hidden  bool    `json:"hidden"`
}

// differs lists the settings in which two runs differ.
func (r Recipe) differs(o Recipe) string {
	var names []string
	a, b := reflect.ValueOf(r), reflect.ValueOf(o)
	for k := range a.NumField() {
		if !a.Field(k).Equal(b.Field(k)) {
			name, _, _ := strings.Cut(a.Type().Field(k).Tag.Get("json"), ",")
			names = append(names, fmt.Sprintf("%s (%v, not %v)", name, a.Field(k), b.Field(k)))
		}
	}
	return strings.Join(names, ", ")
}

type fileMeta struct {
	meta.Header
	Visible  unit.Spec  `json:"visible"`
	HiddenAs *unit.Spec `json:"hidden_units,omitempty"`
	Alphabet string     `json:"alphabet,omitempty"`
	Shape    []int      `json:"shape,omitempty"`
	Recipe   Recipe     `json:"run"`
	Sweep    uint64     `json:"sweep"` // sweeps done
	// Replicas are the units of each batch of replicas that the chains carry with them.
	Replicas []unit.Spec `json:"replicas,omitempty"`
	Complete bool        `json:"complete"`
}

// Complete reports whether the run is finished.
func (f *File) Complete() bool { return f.Chains.Sweep == uint64(f.Record.Sweeps()) }

// Save writes the file completely or not at all. An interrupted run keeps the draws it has.
func (f *File) Save(path string, force bool) error {
	return atomicfile.Write(path, force, f.write)
}

func (f *File) write(w io.Writer) error {
	c, r := f.Chains, f.Record
	done := r.Done(c.Sweep)
	m := fileMeta{Header: header, Visible: c.V.Spec, Recipe: f.About, Sweep: c.Sweep, Complete: f.Complete(),
		Alphabet: f.Alphabet, Shape: f.Shape}
	if r.H != nil {
		m.HiddenAs = &r.H.Spec
	}
	for _, s := range c.Replicas {
		m.Replicas = append(m.Replicas, s.Spec)
	}
	about, err := meta.Member(m)
	if err != nil {
		return err
	}
	shape := []int{c.V.Len, done}
	draws := func(s *unit.States) npy.Array {
		return statearray.FromStates(firstDraws(s, c.V.Len, r.Draws, done), shape...)
	}
	members := []npy.Member{about, npy.ArrayMember("v", draws(r.V))}
	if r.H != nil {
		members = append(members, npy.ArrayMember("h", draws(r.H)))
	}
	members = append(members,
		npy.ArrayMember("state.v", statearray.FromStates(c.V)),
		npy.ArrayMember("state.proposed", npy.New(c.Proposed)),
		npy.ArrayMember("state.accepted", npy.New(c.Accepted)))
	for k, s := range c.Replicas {
		members = append(members, npy.ArrayMember(replicaName(k), statearray.FromStates(s)))
	}
	if c.Tally != nil {
		members = append(members, npy.ArrayMember("state.tally", npy.New(c.Tally)))
	}
	return npy.WriteArchive(w, members...)
}

// replicaName is the array of the k-th batch of replicas.
func replicaName(k int) string { return fmt.Sprintf("state.replica%d", k) }

// firstDraws keeps the draws of each chain that have been made.
func firstDraws(s *unit.States, chains, draws, done int) *unit.States {
	if done == draws {
		return s
	}
	out := unit.NewStates(s.Spec, chains*done)
	for k := range chains {
		for d := range done {
			out.CopyRow(k*done+d, s, k*draws+d)
		}
	}
	return out
}

// Resume reads an interrupted run, to be continued with the same kernel. It returns an error if the file is something
// else, is finished, or was made in another way.
func Resume(path string, k sampler.Kernel, about Recipe) (*File, error) {
	a, err := npy.ReadArchive(path)
	if err != nil {
		return nil, err
	}
	f, err := resume(a, k, about)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

func resume(a *npy.Archive, k sampler.Kernel, about Recipe) (*File, error) {
	var m fileMeta
	if err := meta.Read(a, header, &m); err != nil {
		return nil, err
	}
	if m.Complete {
		return nil, fmt.Errorf("the run in this file is finished")
	}
	if m.Recipe != about {
		return nil, fmt.Errorf("it holds a run with another %s", m.Recipe.differs(about))
	}
	plan := sampler.Plan{Burn: about.Burn, Every: about.Every, Draws: about.Draws}
	if m.Sweep > uint64(plan.Sweeps()) {
		return nil, fmt.Errorf("the chains stand at sweep %d: expected at most %d", m.Sweep, plan.Sweeps())
	}
	c := &sampler.Chains{Seed: about.Seed, Sweep: m.Sweep}
	var err error
	if c.V, err = states(a, "state.v", k.Model().Visible.Spec(), about.Chains); err != nil {
		return nil, err
	}
	if c.Proposed, err = counts(a, "state.proposed", about.Chains); err != nil {
		return nil, err
	}
	if c.Accepted, err = counts(a, "state.accepted", about.Chains); err != nil {
		return nil, err
	}
	if err := restoreReplicas(a, c, m.Replicas, about.Chains); err != nil {
		return nil, err
	}
	if replicated, ok := k.(sampler.Replicated); ok {
		if err := replicated.Begin(c); err != nil {
			return nil, err
		}
	}
	r := sampler.NewRecord(k, c, plan, about.Hidden)
	done := plan.Done(m.Sweep)
	if err := restore(a, "v", k.Model().Visible, r.V, about, done); err != nil {
		return nil, err
	}
	if about.Hidden {
		if err := restore(a, "h", k.Model().Hidden, r.H, about, done); err != nil {
			return nil, err
		}
	}
	return &File{Chains: c, Record: r, About: about}, nil
}

// states reads an array of n configurations of a layer.
func states(a *npy.Archive, name string, spec unit.Spec, n int) (*unit.States, error) {
	x, err := a.Array(name)
	if err != nil {
		return nil, err
	}
	s, err := statearray.ToStates(spec, x)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if s.Len != n {
		return nil, fmt.Errorf("%s has %d configurations: expected %d", name, s.Len, n)
	}
	return s, nil
}

// counts reads one uint64 per chain.
func counts(a *npy.Archive, name string, n int) ([]uint64, error) {
	x, err := a.Array(name)
	if err != nil {
		return nil, err
	}
	data, ok := x.Data.([]uint64)
	if !ok || len(data) != n {
		return nil, fmt.Errorf("%s has type %s and %d entries: expected <u8 and %d", name, x.Dtype(), len(data), n)
	}
	return data, nil
}

// restoreReplicas reads the replicas that the chains carry with them, and what was counted.
func restoreReplicas(a *npy.Archive, c *sampler.Chains, specs []unit.Spec, n int) error {
	for k, spec := range specs {
		if err := spec.Check(); err != nil {
			return fmt.Errorf("%s: %w", replicaName(k), err)
		}
		s, err := states(a, replicaName(k), spec, n)
		if err != nil {
			return err
		}
		c.Replicas = append(c.Replicas, s)
	}
	if !a.Has("state.tally") {
		return nil
	}
	x, err := a.Array("state.tally")
	if err != nil {
		return err
	}
	data, ok := x.Data.([]uint64)
	if !ok {
		return fmt.Errorf("state.tally has type %s: expected <u8", x.Dtype())
	}
	c.Tally = data
	return nil
}

// restore puts the draws that have been made back in their places.
func restore(a *npy.Archive, name string, l rbm.Layer, to *unit.States, about Recipe, done int) error {
	if done == 0 {
		return nil
	}
	s, err := states(a, name, l.Spec(), about.Chains*done)
	if err != nil {
		return err
	}
	for k := range about.Chains {
		for d := range done {
			to.CopyRow(k*about.Draws+d, s, k*done+d)
		}
	}
	return nil
}
