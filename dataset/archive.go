package dataset

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"instanton/internal/meta"
	"instanton/internal/npy"
	"instanton/internal/statearray"
	"instanton/unit"
)

var header = meta.Header{Format: "instanton-data", Version: 1}

// namesFile is the member with the names of the configurations, one per line.
const namesFile = "names.txt"

type fileMeta struct {
	meta.Header
	Name       string            `json:"name"`
	Visible    unit.Spec         `json:"visible"`
	Alphabet   string            `json:"alphabet,omitempty"`
	LabelNames []string          `json:"label_names,omitempty"`
	Shape      []int             `json:"shape,omitempty"`
	Info       map[string]string `json:"info,omitempty"`
	Sources    []Source          `json:"sources,omitempty"`
}

// writeArchive writes a .npz archive with the arrays v (sample, unit), labels and weights.
func writeArchive(w io.Writer, d *Dataset) error {
	about, err := meta.Member(fileMeta{header, d.Name, d.States.Spec, d.Alphabet, d.LabelNames, d.Shape, d.Info,
		d.Sources})
	if err != nil {
		return err
	}
	members := []npy.Member{about, statearray.Member("v", d.States)}
	if d.Labels != nil {
		labels := make([]int64, len(d.Labels))
		for k, l := range d.Labels {
			labels[k] = int64(l)
		}
		members = append(members, npy.ArrayMember("labels", npy.New(labels)))
	}
	if d.Weights != nil {
		members = append(members, npy.ArrayMember("weights", npy.New(d.Weights)))
	}
	if d.Names != nil {
		var b strings.Builder
		for _, name := range d.Names {
			b.WriteString(oneLine(name) + "\n")
		}
		members = append(members, npy.FileMember(namesFile, []byte(b.String())))
	}
	return npy.WriteArchive(w, members...)
}

// checkHeader rejects files of this project that hold something else or are newer than this program. Other files need
// no meta.json.
func checkHeader(a *npy.Archive) error {
	switch h := meta.ReadHeader(a); h.Format {
	case "", header.Format, samplesFormat:
		if h.Format != "" && h.Version != header.Version {
			return fmt.Errorf("meta.json has version %d of format %q: this program reads version %d", h.Version,
				h.Format, header.Version)
		}
		return nil
	default:
		return fmt.Errorf("meta.json has format %q: expected data or samples", h.Format)
	}
}

// samplesFormat is the format of package samples.
const samplesFormat = "instanton-samples"

// describe fills in what accompanies the configurations in an archive. It returns the shape of the layer, with type
// zero if the archive does not say.
func (d *Dataset) describe(a *npy.Archive) (spec unit.Spec, err error) {
	if meta.ReadHeader(a).Format == header.Format {
		var m fileMeta
		if err := meta.Read(a, header, &m); err != nil {
			return spec, err
		}
		spec = m.Visible
		d.Name, d.Alphabet, d.LabelNames = m.Name, m.Alphabet, m.LabelNames
		d.Shape, d.Info, d.Sources = m.Shape, m.Info, m.Sources
	}
	if a.Has("labels") {
		if d.Labels, err = readLabels(a); err != nil {
			return spec, err
		}
	}
	if a.Has("weights") {
		if d.Weights, err = vectorOf(a, "weights"); err != nil {
			return spec, err
		}
	}
	if slices.Contains(a.Files(), namesFile) {
		text, err := a.File(namesFile)
		if err != nil {
			return spec, err
		}
		d.Names = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
	return spec, nil
}

func readLabels(a *npy.Archive) ([]int, error) {
	values, err := vectorOf(a, "labels")
	if err != nil {
		return nil, err
	}
	labels := make([]int, len(values))
	for k, x := range values {
		if x != float64(int(x)) || x < 0 {
			return nil, fmt.Errorf("label %d is %g: expected a whole number that is not negative", k, x)
		}
		labels[k] = int(x)
	}
	return labels, nil
}

// vectorOf returns the numbers of an array in order.
func vectorOf(a *npy.Archive, name string) ([]float64, error) {
	array, err := a.Array(name)
	if err != nil {
		return nil, err
	}
	return array.Float64s()
}
