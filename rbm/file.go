package rbm

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"instanton/internal/atomicfile"
	"instanton/internal/meta"
	"instanton/internal/npy"
	"instanton/internal/statearray"
	"instanton/unit"
)

// A model file is a .npz archive that numpy.load opens: W (visible width × hidden width), the parameters of both layers
// as v.NAME and h.NAME, patterns if there are any, and meta.json. See docs/formats.md.

var modelHeader = meta.Header{Format: "instanton-model", Version: 1}

type modelMeta struct {
	meta.Header
	Visible unit.Spec         `json:"visible"`
	Hidden  unit.Spec         `json:"hidden"`
	Info    map[string]string `json:"info,omitempty"`
}

// Save writes the model file whole or not at all; without force it refuses to replace a file.
func (m *RBM) Save(path string, force bool) error {
	return atomicfile.Write(path, force, m.Write)
}

// Write writes the model file to w. Equal models give equal bytes.
func (m *RBM) Write(w io.Writer) error {
	if err := m.Validate(); err != nil {
		return fmt.Errorf("refusing to write the model: %w", err)
	}
	about, err := meta.Member(modelMeta{modelHeader, m.Visible.Spec(), m.Hidden.Spec(), m.Info})
	if err != nil {
		return err
	}
	weights := npy.New(m.W, m.Visible.Spec().Width(), m.Hidden.Spec().Width())
	members := []npy.Member{about, npy.ArrayMember("W", weights)}
	for _, p := range m.namedParams() {
		members = append(members, npy.ArrayMember(p.Name, npy.New(p.Data, p.Shape...)))
	}
	if m.Patterns != nil {
		members = append(members, npy.ArrayMember("patterns", statearray.FromStates(m.Patterns)))
	}
	return npy.WriteArchive(w, members...)
}

// namedParams lists the parameters of both layers by their names in the file.
func (m *RBM) namedParams() []Param {
	var all []Param
	for _, p := range m.Visible.Params() {
		p.Name = "v." + p.Name
		all = append(all, p)
	}
	for _, p := range m.Hidden.Params() {
		p.Name = "h." + p.Name
		all = append(all, p)
	}
	return all
}

// Fingerprint is the SHA-256 of the model file, in hexadecimal.
func (m *RBM) Fingerprint() (string, error) {
	h := sha256.New()
	if err := m.Write(h); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Load reads a model file and checks it.
func Load(path string) (*RBM, error) {
	a, err := npy.ReadArchive(path)
	if err != nil {
		return nil, err
	}
	m, err := fromArchive(a)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// Read reads a model file of the given size.
func Read(r io.ReaderAt, size int64) (*RBM, error) {
	a, err := npy.ReadArchiveFrom(r, size)
	if err != nil {
		return nil, err
	}
	return fromArchive(a)
}

func fromArchive(a *npy.Archive) (*RBM, error) {
	var about modelMeta
	if err := meta.Read(a, modelHeader, &about); err != nil {
		return nil, err
	}
	if !a.Has("W") {
		return nil, fmt.Errorf("there is no array %q: expected the weights", "W")
	}
	// The weights have been read, so false sizes cannot ask for more memory.
	w, err := a.Array("W")
	if err != nil {
		return nil, err
	}
	want := []int{about.Visible.Width(), about.Hidden.Width()}
	if !fits(w.Shape, want, about) {
		return nil, fmt.Errorf("the weights W have shape %v: expected %v for %s with %s",
			w.Shape, want, about.Visible, about.Hidden)
	}
	m, err := New(about.Visible, about.Hidden)
	if err != nil {
		return nil, err
	}
	m.Info = about.Info
	if m.W, err = w.Float64s(); err != nil {
		return nil, fmt.Errorf("weights W: %w", err)
	}
	known := []string{"W", "patterns"}
	for _, p := range m.namedParams() {
		if err := fill(a, p); err != nil {
			return nil, err
		}
		known = append(known, p.Name)
	}
	for _, name := range a.Arrays() {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("there is an array %q that a model of %s with %s does not have: expected %v",
				name, about.Visible, about.Hidden, known)
		}
	}
	if a.Has("patterns") {
		p, err := a.Array("patterns")
		if err != nil {
			return nil, err
		}
		if m.Patterns, err = statearray.ToStates(about.Visible, p); err != nil {
			return nil, fmt.Errorf("patterns: %w", err)
		}
	}
	return m, m.Validate()
}

// fits accepts W as a matrix, or with the states of Potts units as dimensions of their own.
func fits(shape, want []int, about modelMeta) bool {
	if slices.Equal(shape, want) {
		return true
	}
	var long []int
	for _, s := range []unit.Spec{about.Visible, about.Hidden} {
		long = append(long, s.N)
		if s.Type == unit.Potts {
			long = append(long, s.Q)
		}
	}
	return slices.Equal(shape, long)
}

// fill reads one parameter of a layer.
func fill(a *npy.Archive, p Param) error {
	if !a.Has(p.Name) {
		return fmt.Errorf("there is no array %q: expected one of shape %v", p.Name, p.Shape)
	}
	x, err := a.Array(p.Name)
	if err != nil {
		return err
	}
	if !slices.Equal(x.Shape, p.Shape) {
		return fmt.Errorf("%s has shape %v: expected %v", p.Name, x.Shape, p.Shape)
	}
	data, err := x.Float64s()
	if err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	copy(p.Data, data)
	return nil
}
