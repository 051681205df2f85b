// Package dataset makes, reads and writes sets of configurations to train and test
// models on.
package dataset

import (
	"fmt"
	"io"
	"path/filepath"

	"instanton/internal/atomicfile"
	"instanton/internal/meta"
	"instanton/internal/npy"
	"instanton/unit"
)

// Dataset is a set of configurations with what is known of them.
type Dataset struct {
	Name   string
	States *unit.States

	Labels     []int             // class of each configuration, or nil
	LabelNames []string          // names of the classes
	Shape      []int             // rows and columns when configurations are images
	Info       map[string]string // how it was made
}

var header = meta.Header{Format: "instanton-data", Version: 1}

type fileMeta struct {
	meta.Header
	Name       string            `json:"name"`
	Visible    unit.Spec         `json:"visible"`
	LabelNames []string          `json:"label_names,omitempty"`
	Shape      []int             `json:"shape,omitempty"`
	Info       map[string]string `json:"info,omitempty"`
}

// Save writes a .npz with the arrays v (sample, unit) and labels, whole or not at all.
func (d *Dataset) Save(path string, force bool) error {
	return atomicfile.Write(path, force, func(w io.Writer) error {
		about, err := meta.Member(fileMeta{header, d.Name, d.States.Spec, d.LabelNames, d.Shape, d.Info})
		if err != nil {
			return err
		}
		members := []npy.Member{about, npy.ArrayMember("v", d.States.Array())}
		if d.Labels != nil {
			labels := make([]int64, len(d.Labels))
			for k, l := range d.Labels {
				labels[k] = int64(l)
			}
			members = append(members, npy.ArrayMember("labels", npy.New(labels)))
		}
		return npy.WriteArchive(w, members...)
	})
}

// Read reads configurations from a data set, a sample file or any array whose last
// dimension is the units: a .npy file, or the array v of a .npz. Where the file does not
// say what the units are, the values tell.
func Read(path string) (*Dataset, error) {
	a, array, err := open(path)
	if err != nil {
		return nil, err
	}
	d, err := read(a, array)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if d.Name == "" {
		d.Name = filepath.Base(path)
	}
	return d, nil
}

// ReadAs reads the configurations of a file as units of a given kind, as a model needs
// them.
func ReadAs(path string, spec unit.Spec) (*unit.States, error) {
	_, array, err := open(path)
	if err != nil {
		return nil, err
	}
	return as(path, spec, array)
}

func as(path string, spec unit.Spec, array npy.Array) (*unit.States, error) {
	s, err := unit.FromArray(spec, array)
	if err != nil {
		return nil, fmt.Errorf("%s does not fit a model with visible units %s: %w", path, spec, err)
	}
	if s.Len == 0 {
		return nil, fmt.Errorf("%s holds no configurations", path)
	}
	return s, nil
}

// ReadStart reads configurations to start chains from: of an array (chain, draw, unit)
// the last draw of each chain, else all of them.
func ReadStart(path string, spec unit.Spec) (*unit.States, error) {
	_, array, err := open(path)
	if err != nil {
		return nil, err
	}
	s, err := as(path, spec, array)
	if err != nil || len(array.Shape) != 3 {
		return s, err
	}
	chains, draws := array.Shape[0], array.Shape[1]
	last := unit.NewStates(spec, chains)
	for k := range chains {
		last.CopyRow(k, s, k*draws+draws-1)
	}
	return last, nil
}

// open reads the array of configurations, and the archive around it if there is one.
func open(path string) (*npy.Archive, npy.Array, error) {
	if filepath.Ext(path) == ".npy" {
		array, err := npy.ReadFile(path)
		return nil, array, err
	}
	a, err := npy.ReadArchive(path)
	if err != nil {
		return nil, npy.Array{}, err
	}
	if !a.Has("v") {
		return nil, npy.Array{}, fmt.Errorf("%s: there is no array %q among %v: expected configurations by units", path, "v", a.Arrays())
	}
	if err := checkHeader(a); err != nil {
		return nil, npy.Array{}, fmt.Errorf("%s: %w", path, err)
	}
	array, err := a.Array("v")
	return a, array, err
}

// checkHeader refuses files of ours that hold something else or are newer than this
// program. Other files need no meta.json.
func checkHeader(a *npy.Archive) error {
	switch h := meta.ReadHeader(a); h.Format {
	case "", header.Format, samplesFormat:
		if h.Format != "" && h.Version != header.Version {
			return fmt.Errorf("meta.json has version %d of format %q: this program reads version %d", h.Version, h.Format, header.Version)
		}
		return nil
	default:
		return fmt.Errorf("meta.json has format %q: expected data or samples", h.Format)
	}
}

// samplesFormat is what package sampler calls its files.
const samplesFormat = "instanton-samples"

func read(a *npy.Archive, array npy.Array) (*Dataset, error) {
	d := &Dataset{}
	var spec unit.Spec
	var err error
	if a != nil && meta.ReadHeader(a).Format == header.Format {
		var m fileMeta
		if err := meta.Read(a, header, &m); err != nil {
			return nil, err
		}
		spec = m.Visible
		d.Name, d.LabelNames, d.Shape, d.Info = m.Name, m.LabelNames, m.Shape, m.Info
	} else if spec, err = unit.Detect(array); err != nil {
		return nil, err
	}
	if d.States, err = unit.FromArray(spec, array); err != nil {
		return nil, err
	}
	if a == nil || !a.Has("labels") {
		return d, nil
	}
	labels, err := a.Array("labels")
	if err != nil {
		return nil, err
	}
	values, err := labels.Float64s()
	if err != nil {
		return nil, err
	}
	if len(values) != d.States.Len {
		return nil, fmt.Errorf("there are %d labels for %d configurations: expected one each", len(values), d.States.Len)
	}
	for k, x := range values {
		if x != float64(int(x)) || x < 0 {
			return nil, fmt.Errorf("label %d is %g: expected a whole number that is not negative", k, x)
		}
		d.Labels = append(d.Labels, int(x))
	}
	return d, nil
}
