package dataset

import (
	"fmt"
	"path/filepath"

	"instanton/internal/npy"
	"instanton/internal/statearray"
	"instanton/unit"
)

// EachBlock reads what ReadUnits reads and passes it on in order, in blocks of the given number of configurations (the
// last may have fewer). An alignment in FASTA is never in memory as a whole, whatever its length; its labels are not
// read. A block is valid until do returns.
func EachBlock(path string, spec unit.Spec, letters string, rows int, do func(block *Dataset) error) error {
	f, err := open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	known := letters
	if known == "" {
		known = usual(spec.Q)
	}
	if f.format == fastaFile && known != "" && spec.Type == unit.Potts {
		return inBlocks(f, path, spec, known, rows, do)
	}
	d, _, err := f.units(path, spec, []string{letters})
	if err != nil {
		return err
	}
	return d.EachBlock(rows, do)
}

// EachBlock passes on the configurations in blocks, which share the memory of d.
func (d *Dataset) EachBlock(rows int, do func(block *Dataset) error) error {
	for lo := 0; lo < d.States.Len; lo += rows {
		if err := do(d.slice(lo, min(lo+rows, d.States.Len))); err != nil {
			return err
		}
	}
	return nil
}

// inBlocks passes on the records of an alignment.
func inBlocks(f *file, path string, spec unit.Spec, letters string, rows int, do func(block *Dataset) error) error {
	p := &fastaParser{block: rows}
	var failed error // of do, which is not about the file
	p.pass = func() error {
		if err := p.encode(letters, RefuseUnknown); err != nil {
			return err
		}
		states, err := statearray.ToStates(spec, npy.New(p.letters, len(p.names), p.width))
		if err != nil {
			return fmt.Errorf("it does not fit a model with visible units %s: %w", spec, err)
		}
		d := &Dataset{Name: filepath.Base(displayName(path)), States: states, Names: p.names, Alphabet: letters}
		d.classesFromNames() // takes them out of the names; their numbers would differ from block to block
		d.Labels, d.LabelNames = nil, nil
		failed = do(d)
		return failed
	}
	err := p.parse(f.Reader)
	if err == nil && len(p.names) > 0 {
		err = p.pass()
	}
	if failed != nil {
		return failed
	}
	if err != nil {
		return inFile(path, err)
	}
	return nil
}

// slice returns the configurations lo to hi−1, sharing memory with d.
func (d *Dataset) slice(lo, hi int) *Dataset {
	s := *d
	s.States = d.States.Slice(lo, hi)
	if d.Labels != nil {
		s.Labels = d.Labels[lo:hi]
	}
	if d.Weights != nil {
		s.Weights = d.Weights[lo:hi]
	}
	if d.Names != nil {
		s.Names = d.Names[lo:hi]
	}
	return &s
}
