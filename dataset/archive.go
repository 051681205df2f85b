package dataset

import (
	"encoding/json"
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
	// Members are the names of all others, so that none is lost if a name is damaged; files before it have none.
	Members []string `json:"members,omitempty"`
}

// writeArchive writes a .npz archive with the arrays v (sample, unit), labels and weights.
func writeArchive(w io.Writer, d *Dataset) error {
	members := []npy.Member{statearray.Member("v", d.States)}
	names := []string{"v"}
	if d.Labels != nil {
		labels := make([]int64, len(d.Labels))
		for k, l := range d.Labels {
			labels[k] = int64(l)
		}
		members, names = append(members, npy.ArrayMember("labels", npy.New(labels))), append(names, "labels")
	}
	if d.Weights != nil {
		members, names = append(members, npy.ArrayMember("weights", npy.New(d.Weights))), append(names, "weights")
	}
	if d.Names != nil {
		var b strings.Builder
		for _, name := range d.Names {
			b.WriteString(oneLine(name) + "\n")
		}
		members, names = append(members, npy.FileMember(namesFile, []byte(b.String()))), append(names, namesFile)
	}
	about, err := meta.Member(fileMeta{header, d.Name, d.States.Spec, d.Alphabet, d.LabelNames, d.Shape, d.Info,
		d.Sources, names})
	if err != nil {
		return err
	}
	return npy.WriteArchive(w, append([]npy.Member{about}, members...)...)
}

// checkHeader rejects files of this project that hold something else or are newer than this program. Other files need
// no meta.json.
func checkHeader(a *npy.Archive) error {
	switch h := meta.ReadHeader(a); h.Format {
	case "":
		if other := a.Files(); len(other) > 0 { // numpy writes none
			return fmt.Errorf("the archive holds %q beside arrays, and no meta.json that says what it is: "+
				"expected one, or arrays alone", other)
		}
		return nil
	case header.Format, samplesFormat:
		if h.Version != header.Version {
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
		if err := checkMembers(a, m.Members); err != nil {
			return spec, err
		}
		spec = m.Visible
		d.Name, d.Alphabet, d.LabelNames = m.Name, m.Alphabet, m.LabelNames
		d.Shape, d.Info, d.Sources = m.Shape, m.Info, m.Sources
	}
	if meta.ReadHeader(a).Format == samplesFormat {
		if spec, err = d.describeSamples(a); err != nil {
			return spec, err
		}
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

// describeSamples reads what a sample file says of the units; package samples checks the rest.
func (d *Dataset) describeSamples(a *npy.Archive) (unit.Spec, error) {
	text, err := a.File(meta.Name)
	if err != nil {
		return unit.Spec{}, err
	}
	var m struct {
		Visible  unit.Spec `json:"visible"`
		Alphabet string    `json:"alphabet"`
		Shape    []int     `json:"shape"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return unit.Spec{}, fmt.Errorf("%s: %w", meta.Name, err)
	}
	d.Alphabet, d.Shape = m.Alphabet, m.Shape
	return m.Visible, nil
}

// checkMembers refuses an archive with other members than those that it was written with.
func checkMembers(a *npy.Archive, want []string) error {
	if want == nil {
		return nil
	}
	var have []string
	for _, name := range append(a.Arrays(), a.Files()...) {
		if name != meta.Name {
			have = append(have, name)
		}
	}
	for _, name := range want {
		if !slices.Contains(have, name) {
			return fmt.Errorf("%q is missing: meta.json lists %q, the file holds %q; it is damaged", name, want, have)
		}
	}
	for _, name := range have {
		if !slices.Contains(want, name) {
			return fmt.Errorf("%q is not among the members %q that meta.json lists: the file is damaged", name, want)
		}
	}
	return nil
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
