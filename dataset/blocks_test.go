package dataset_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"instanton/dataset"
	"instanton/unit"
)

// Blocks of any size hold what ReadUnits reads, from FASTA as from other formats.
func TestEachBlock(t *testing.T) {
	dir := t.TempDir()
	fasta := filepath.Join(dir, "a.fasta")
	var text strings.Builder
	for k := range 23 {
		fmt.Fprintf(&text, ">s%d class=%d\nAC%c%cW\n", k, k%2, dataset.Protein[k%20], dataset.Protein[7*k%20])
	}
	if err := os.WriteFile(fasta, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	spec := unit.Spec{Type: unit.Potts, N: 5, Q: 20}
	whole, err := dataset.ReadUnits(fasta, spec, dataset.Protein)
	if err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(dir, "a.npz")
	if err := whole.Save(archive, false); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{fasta, archive} {
		for _, rows := range []int{1, 7, 23, 100} {
			var names []string
			codes := []uint8{}
			err := dataset.EachBlock(path, spec, dataset.Protein, rows, func(d *dataset.Dataset) error {
				if d.States.Len > rows || d.Check() != nil {
					t.Errorf("a block of %d: %v", d.States.Len, d.Check())
				}
				names = append(names, d.Names...)
				for k := range d.States.Len {
					codes = append(codes, d.States.CodeRow(k)...)
				}
				return nil
			})
			if err != nil || !slices.Equal(names, whole.Names) || !slices.Equal(codes, whole.States.Codes) {
				t.Errorf("%s in blocks of %d: %v, names %v", path, rows, err, names)
			}
		}
	}
}

func TestEachBlockErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.fasta")
	spec := unit.Spec{Type: unit.Potts, N: 2, Q: 20}
	nothing := func(*dataset.Dataset) error { return nil }
	for text, want := range map[string]string{
		">a\nAC\n>b\nAC\n>c\nAXC\n":       `record 3 ("c") goes on after column 2`,
		">a\nAC\n>b\nAC\n>c\nAX\n":        `record 3 ("c"), column 2: 'X' is not in the alphabet`,
		">a\nAC\n>b\nAC\n>c\nA\n>d\nAC\n": `record 3 ("c") ends after column 1`,
		">a\nACD\n":                       "does not fit a model with visible units potts:2x20",
		">a\nAC\n>b\n":                    `record 2 ("b") has no sequence`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := dataset.EachBlock(path, spec, dataset.Protein, 1, nothing)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if err := os.WriteFile(path, []byte(">a\nAC\n>b\nAC\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	mine := errors.New("mine")
	if err := dataset.EachBlock(path, spec, "", 1, func(*dataset.Dataset) error { return mine }); err != mine {
		t.Errorf("the error of the caller came back as %v", err)
	}
}
