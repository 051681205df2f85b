package dataset

import (
	"compress/gzip"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"instanton/internal/atomicfile"
	"instanton/internal/npy"
	"instanton/internal/statearray"
)

var fastaEndings = []string{".fasta", ".fa", ".faa", ".fas", ".afa", ".fna"}

// CheckName returns an error if Save knows no format for a file of this name.
func CheckName(path string) error {
	_, err := writerFor(path)
	return err
}

// Save writes the set, completely or not at all, in the format given by the name: .npz, which keeps everything; .npy,
// for the configurations alone; .csv; or .fasta, for sequences. The last two may be followed by .gz.
func (d *Dataset) Save(path string, force bool) error {
	write, err := writerFor(path)
	if err != nil {
		return err
	}
	if err := d.Check(); err != nil {
		return fmt.Errorf("%s was not written: %w", path, err)
	}
	return atomicfile.Write(path, force, func(w io.Writer) error { return write(w, d) })
}

func writerFor(path string) (func(io.Writer, *Dataset) error, error) {
	name, packed := strings.CutSuffix(strings.ToLower(path), ".gz")
	switch ending := filepath.Ext(name); {
	case ending == ".npz" && !packed:
		return writeArchive, nil
	case ending == ".npy" && !packed:
		return func(w io.Writer, d *Dataset) error { return npy.WriteMember(w, statearray.Member("v", d.States)) }, nil
	case ending == ".csv":
		return packing(packed, WriteCSV), nil
	case slices.Contains(fastaEndings, ending):
		return packing(packed, WriteFASTA), nil
	}
	return nil, fmt.Errorf("output %q: expected a name that ends in .npz, .npy, .csv or .fasta, the last two "+
		"optionally with .gz", path)
}

// packing adds gzip to a writer.
func packing(packed bool, write func(io.Writer, *Dataset) error) func(io.Writer, *Dataset) error {
	if !packed {
		return write
	}
	return func(w io.Writer, d *Dataset) error {
		z := gzip.NewWriter(w)
		if err := write(z, d); err != nil {
			return err
		}
		return z.Close()
	}
}
