package dataset

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"instanton/internal/npy"
	"instanton/internal/statearray"
	"instanton/unit"
)

// Read reads configurations from a data set, a sample file, an alignment (FASTA, Stockholm, Clustal or PHYLIP), a table
// in text, or any array whose last dimension is the units: a .npy file, or the array v of a .npz archive. All may be
// gzipped, and "-" is standard input. If the file does not say what the units are, the values decide.
func Read(path string) (*Dataset, error) {
	return ReadWith(path, FASTAOptions{})
}

// ReadWith is Read with options for FASTA.
func ReadWith(path string, o FASTAOptions) (*Dataset, error) {
	c, err := load(path, o)
	if err != nil {
		return nil, err
	}
	d, err := c.dataset()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return d, nil
}

// ReadUnits is Read for known units, such as those of a model. If the letters of the states are given and the file
// also has letters, the states are put into the given order.
func ReadUnits(path string, spec unit.Spec, letters ...string) (*Dataset, error) {
	d, _, err := readUnits(path, spec, letters)
	return d, err
}

// ReadAs returns only the configurations of ReadUnits.
func ReadAs(path string, spec unit.Spec, letters ...string) (*unit.States, error) {
	d, err := ReadUnits(path, spec, letters...)
	if err != nil {
		return nil, err
	}
	return d.States, nil
}

// ReadStart reads configurations to start chains from: the last draw of each chain if the file has an array (chain,
// draw, unit), otherwise all configurations.
func ReadStart(path string, spec unit.Spec, letters ...string) (*unit.States, error) {
	d, shape, err := readUnits(path, spec, letters)
	if err != nil || len(shape) != 3 {
		return d.states(), err
	}
	chains, draws := shape[0], shape[1]
	last := unit.NewStates(spec, chains)
	for k := range chains {
		last.CopyRow(k, d.States, k*draws+draws-1)
	}
	return last, nil
}

func (d *Dataset) states() *unit.States {
	if d == nil {
		return nil
	}
	return d.States
}

// readUnits also returns the shape of the array of configurations.
func readUnits(path string, spec unit.Spec, letters []string) (*Dataset, []int, error) {
	f, err := open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return f.units(path, spec, letters)
}

func (f *file) units(path string, spec unit.Spec, letters []string) (*Dataset, []int, error) {
	alphabet := strings.Join(letters, "")
	o := FASTAOptions{Alphabet: alphabet}
	if alphabet == "" {
		o.Alphabet = usual(spec.Q)
	}
	c, err := f.load(path, o)
	if err != nil {
		return nil, nil, err
	}
	if alphabet != "" && c.about.Alphabet != "" && c.about.Alphabet != alphabet {
		if err := c.recode(alphabet); err != nil {
			return nil, nil, fmt.Errorf("%s does not fit a model with the alphabet %q: %w", path, alphabet, err)
		}
	}
	d := c.about
	if d.States, err = statearray.ToStates(spec, c.array); err != nil {
		return nil, nil, fmt.Errorf("%s does not fit a model with visible units %s: %w", path, spec, err)
	}
	if d.States.Len == 0 {
		return nil, nil, fmt.Errorf("%s holds no configurations", path)
	}
	if spec.Type != unit.Potts || spec.Q != len(d.Alphabet) {
		d.Alphabet = "" // its letters do not name these states
	}
	if err := d.Check(); err != nil {
		return nil, nil, inFile(path, err)
	}
	return &d, c.array.Shape, nil
}

// content is what a file holds, before the units are determined.
type content struct {
	about Dataset   // what accompanies the configurations; no states
	spec  unit.Spec // as the file says; type zero if it does not
	array npy.Array // the configurations
}

// dataset determines the units from what the file says, otherwise from the values.
func (c *content) dataset() (*Dataset, error) {
	d, spec := c.about, c.spec
	var err error
	if spec.Type == 0 {
		if spec, err = statearray.Detect(c.array); err != nil {
			return nil, err
		}
	}
	if d.States, err = statearray.ToStates(spec, c.array); err != nil {
		return nil, err
	}
	return &d, d.Check()
}

// recode puts the states of sequences into the order of another alphabet.
func (c *content) recode(alphabet string) error {
	d, err := c.dataset()
	if err != nil {
		return err
	}
	if err := d.Recode(alphabet); err != nil {
		return err
	}
	c.about.Alphabet, c.spec, c.array.Data = alphabet, d.States.Spec, statearray.FromStates(d.States).Data
	return nil
}

// load reads a file of any format.
func load(path string, o FASTAOptions) (*content, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.load(path, o)
}

func (f *file) load(path string, o FASTAOptions) (*content, error) {
	c := &content{}
	var err error
	switch f.format {
	case archiveFile:
		err = c.fromArchive(f, path)
	case arrayFile:
		c.array, err = npy.Read(f, f.size)
	case fastaFile:
		err = c.fromFASTA(f, o)
	case tableFile:
		err = c.fromTable(f)
	}
	if err != nil {
		return nil, inFile(path, err)
	}
	if c.about.Name == "" {
		c.about.Name = filepath.Base(displayName(path))
	}
	return c, nil
}

// inFile prefixes an error with the path unless it already has it.
func inFile(path string, err error) error {
	path = displayName(path)
	if strings.Contains(err.Error(), path) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

func (c *content) fromArchive(f *file, path string) error {
	a, err := f.archive(path)
	if err != nil {
		return err
	}
	if !a.Has("v") {
		return fmt.Errorf("there is no array %q among %v: expected configurations by units", "v", a.Arrays())
	}
	if err := checkHeader(a); err != nil {
		return err
	}
	if c.array, err = a.Array("v"); err != nil {
		return err
	}
	c.spec, err = c.about.describe(a)
	return err
}

// archive reads a .npz file, as a whole if it is gzipped or comes from a pipe.
func (f *file) archive(path string) (*npy.Archive, error) {
	if f.size >= 0 {
		return npy.ReadArchive(path)
	}
	b, err := io.ReadAll(io.LimitReader(f, npy.MaxArchiveBytes))
	if err != nil {
		return nil, err
	}
	return npy.ReadArchiveFrom(bytes.NewReader(b), int64(len(b)))
}

func (c *content) fromFASTA(f *file, o FASTAOptions) error {
	d, err := readFASTA(f.Reader, o, f.room())
	if err != nil {
		return err
	}
	c.about, c.spec, c.array = *d, d.States.Spec, statearray.FromStates(d.States)
	c.about.States = nil
	return nil
}

func (c *content) fromTable(f *file) error {
	t, err := readTable(f.Reader, f.room()/2) // a value and a separator take two bytes
	if err != nil {
		return err
	}
	c.array = t.array()
	c.about.Labels, c.about.LabelNames, c.about.Weights = t.labels, t.labelNames, t.weights
	return nil
}
