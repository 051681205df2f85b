package dataset_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"instanton/dataset"
	"instanton/unit"
)

func TestReadFASTA(t *testing.T) {
	for _, c := range []struct {
		name, text string
		options    dataset.FASTAOptions
		want       []string
		alphabet   string
	}{
		{"no gaps", ">a\nACDW\n>b\nYYYY\n", dataset.FASTAOptions{}, []string{"ACDW", "YYYY"}, dataset.Protein},
		{"gaps", ">a\nAC-W\n>b\nYYYY\n", dataset.FASTAOptions{}, []string{"AC-W", "YYYY"}, dataset.ProteinGap},
		{"gap last", ">a\nAC-W", dataset.FASTAOptions{Alphabet: dataset.ProteinGapLast}, []string{"AC-W"},
			dataset.ProteinGapLast},
		{"lines, blanks, Windows", "\n\n>a\r\nAC\r\n DW\r\n\r\n>b\r\nYY YY", dataset.FASTAOptions{},
			[]string{"ACDW", "YYYY"}, dataset.Protein},
		{"mark in front", "\ufeff>a\nACDW\n", dataset.FASTAOptions{}, []string{"ACDW"}, dataset.Protein},
		{"comments", "#A3M#\n; old\n>a\n;note\nACDW\n", dataset.FASTAOptions{}, []string{"ACDW"}, dataset.Protein},
		{"a2m", ">a\nAC..DW\n>b\nACgkD-\n", dataset.FASTAOptions{}, []string{"ACDW", "ACD-"}, dataset.ProteinGap},
		{"a3m", ">a\nACDW\n>b\nAgkC-Wy\n", dataset.FASTAOptions{}, []string{"ACDW", "AC-W"}, dataset.ProteinGap},
		{"inserts kept", ">a\nACDW\n>b\nac.w\n", dataset.FASTAOptions{KeepInserts: true}, []string{"ACDW", "AC-W"},
			dataset.ProteinGap},
		{"dna", ">a\nACGT\n", dataset.FASTAOptions{}, []string{"ACGT"}, dataset.DNA},
		{"dna with gaps", ">a\nACGT-\n", dataset.FASTAOptions{}, []string{"ACGT-"}, dataset.DNAGap},
		{"rna", ">a\nACGU\n", dataset.FASTAOptions{}, []string{"ACGU"}, dataset.RNA},
		{"few letters are no dna", ">a\nAAAC\n", dataset.FASTAOptions{}, []string{"AAAC"}, dataset.Protein},
		{"unknown as gap", ">a\nACXW\n>b\nBCDW\n", dataset.FASTAOptions{Unknown: dataset.UnknownAsGap},
			[]string{"AC-W", "-CDW"}, dataset.ProteinGap},
		{"unknown dropped", ">a\nACXW\n>b\nACDW\n>c\nZZZZ\n>d\nCCCC",
			dataset.FASTAOptions{Unknown: dataset.DropUnknown}, []string{"ACDW", "CCCC"}, dataset.Protein},
		{"any base", ">a\nACGTN\n", dataset.FASTAOptions{Unknown: dataset.UnknownAsGap}, []string{"ACGT-"},
			dataset.DNAGap},
	} {
		d := read(t, c.text, c.options)
		if got := sequences(d); !slices.Equal(got, c.want) || d.Alphabet != c.alphabet || len(d.Names) != len(c.want) {
			t.Errorf("%s: %q in alphabet %q, want %q in %q", c.name, got, d.Alphabet, c.want, c.alphabet)
		}
		if err := d.Check(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestReadFASTANamesAndClasses(t *testing.T) {
	d := read(t, ">P1/3-7  a  protein\nAC\n>\nDE\n", dataset.FASTAOptions{})
	if !slices.Equal(d.Names, []string{"P1/3-7 a protein", ""}) || d.Labels != nil {
		t.Errorf("names %q, labels %v", d.Names, d.Labels)
	}
	d = read(t, ">x class=B\nAC\n>class=A\nDE\n>z class=B\nAA", dataset.FASTAOptions{})
	if !slices.Equal(d.Names, []string{"x", "", "z"}) || !slices.Equal(d.Labels, []int{1, 0, 1}) ||
		!slices.Equal(d.LabelNames, []string{"A", "B"}) {
		t.Errorf("names %q, labels %v of %v", d.Names, d.Labels, d.LabelNames)
	}
	d = read(t, ">x class=3\nAC\n>y class=1\nDE\n", dataset.FASTAOptions{})
	if !slices.Equal(d.Labels, []int{3, 1}) || d.LabelNames != nil {
		t.Errorf("labels %v of %v", d.Labels, d.LabelNames)
	}
	d = read(t, ">x class=B\nAC\n>y\nDE\n", dataset.FASTAOptions{})
	if d.Labels != nil || d.Names[0] != "x class=B" {
		t.Errorf("one class among two: names %q, labels %v", d.Names, d.Labels)
	}
}

func TestReadFASTARefuses(t *testing.T) {
	for _, c := range []struct {
		text    string
		options dataset.FASTAOptions
		want    string
	}{
		{"", dataset.FASTAOptions{}, "there is no record"},
		{"\n\n", dataset.FASTAOptions{}, "there is no record"},
		{"ACDE\n", dataset.FASTAOptions{}, `line 1 starts with "ACDE"`},
		{">a\n>b\nAC\n", dataset.FASTAOptions{}, `record 1 ("a") has no sequence`},
		{">a\nAC\n>b", dataset.FASTAOptions{}, `record 2 ("b") has no sequence`},
		{">a\nACD\n>b\nAC\n", dataset.FASTAOptions{},
			`record 2 ("b") ends after column 2: expected 3 columns as in record 1`},
		{">a\nACD\n>\nACDE\n", dataset.FASTAOptions{}, `record 2 goes on after column 3: expected 3 columns`},
		{">a\nACD\n>b\nACd\n", dataset.FASTAOptions{}, "lower case and '.' are insert states"},
		{">a\nacd\n", dataset.FASTAOptions{}, "unless they are kept"},
		{">a\nACD\n>b\nAXB\n", dataset.FASTAOptions{},
			`record 2 ("b"), column 2: 'X' is not in the alphabet "ACDEFGHIKLMNPQRSTVWY"`},
		{">a\nA-D\n", dataset.FASTAOptions{Alphabet: dataset.Protein},
			`record 1 ("a"), column 2: '-' is not in the alphabet`},
		{">a\ngkAXD\n", dataset.FASTAOptions{}, "column 4: 'X'"}, // columns as counted in the file
		{">a\nA5D\n", dataset.FASTAOptions{}, `record 1 ("a"), column 2: '5' is no letter of a sequence`},
		{">a\nAC\nD\xe9\n", dataset.FASTAOptions{}, "column 4: 'é' is no letter"},
		{">a\nAXD\n", dataset.FASTAOptions{Unknown: dataset.DropUnknown}, "all 1 records have letters outside"},
		{">a\nAXD\n", dataset.FASTAOptions{Unknown: dataset.UnknownAsGap, Alphabet: dataset.Protein}, "has no gap"},
		{">a\nAC\n", dataset.FASTAOptions{Alphabet: "AA"}, "twice"},
		{">" + strings.Repeat("x", 1<<17) + "\nAC\n", dataset.FASTAOptions{}, "the header of record 1 is longer than"},
	} {
		_, err := dataset.ReadFASTA(strings.NewReader(c.text), c.options)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.30q: error %v, want %q", c.text, err, c.want)
		}
	}
}

// Writing and reading returns the same set, plain or gzipped, whatever the alphabet.
func TestFASTARoundTrip(t *testing.T) {
	for _, alphabet := range []string{dataset.Protein, dataset.ProteinGap, dataset.ProteinGapLast, dataset.RNAGap,
		"HP"} {
		d := &dataset.Dataset{
			States:   related(unit.Spec{Type: unit.Potts, N: 70, Q: len(alphabet)}, 40, 0.5),
			Alphabet: alphabet, Labels: make([]int, 40), LabelNames: []string{"fold A", "fold B"},
		}
		for k := range d.Labels {
			d.Labels[k] = k % 2
		}
		for _, name := range []string{"x.fasta", "x.fa.gz"} {
			path := filepath.Join(t.TempDir(), name)
			if err := d.Save(path, false); err != nil {
				t.Fatal(err)
			}
			got, err := dataset.ReadUnits(path, d.States.Spec, alphabet)
			if err != nil {
				t.Fatal(err)
			}
			if !got.States.Equal(d.States) || got.Alphabet != alphabet || !slices.Equal(got.Labels, d.Labels) ||
				got.LabelNames[1] != "fold_B" || got.Names[0] != "1" {
				t.Errorf("%s in %q came back as %+v", name, alphabet, got)
			}
		}
	}
}

func TestWriteFASTARefuses(t *testing.T) {
	d, err := dataset.BarsAndStripes(3, unit.Spin)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := dataset.WriteFASTA(&b, d); err == nil || !strings.Contains(err.Error(), "has no alphabet") ||
		b.Len() > 0 {
		t.Errorf("spins as FASTA: error %v", err)
	}
}

// The alphabet of the model determines the codes, whatever the file says.
func TestReadAsForAModel(t *testing.T) {
	dir := t.TempDir()
	fasta := filepath.Join(dir, "x.fa")
	if err := os.WriteFile(fasta, []byte(">a\nACDW\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(dir, "x.npz")
	if err := read(t, ">a\nACDW\n", dataset.FASTAOptions{Alphabet: dataset.ProteinGap}).Save(archive,
		false); err != nil {
		t.Fatal(err)
	}
	gapped := unit.Spec{Type: unit.Potts, N: 4, Q: 21}
	for _, path := range []string{fasta, archive} {
		for alphabet, want := range map[string]uint8{dataset.ProteinGap: 1, dataset.ProteinGapLast: 0, "": 1} {
			s, err := dataset.ReadAs(path, gapped, alphabet)
			if err != nil {
				t.Fatal(err)
			}
			if s.Codes[0] != want {
				t.Errorf("%s for alphabet %q: A has code %d, want %d", path, alphabet, s.Codes[0], want)
			}
		}
	}
	if _, err := dataset.ReadAs(fasta, unit.Spec{Type: unit.Potts, N: 5, Q: 20}); err == nil ||
		!strings.Contains(err.Error(), "expected 5 units") {
		t.Errorf("a model of 5 sites: error %v", err)
	}
	if _, err := dataset.ReadAs(archive, unit.Spec{Type: unit.Potts, N: 4, Q: 4}, "ACGT"); err == nil ||
		!strings.Contains(err.Error(), `does not fit a model with the alphabet "ACGT"`) {
		t.Errorf("a model of DNA: error %v", err)
	}
}

func packed(t testing.TB, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// An alignment of 50,000 sequences of 300 columns.
func BenchmarkReadFASTA(b *testing.B) {
	d := &dataset.Dataset{States: related(unit.Spec{Type: unit.Potts, N: 300, Q: 21}, 50000, 0.5),
		Alphabet: dataset.ProteinGap}
	text := bytesOf(b, func(w *bytes.Buffer) error { return dataset.WriteFASTA(w, d) })
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := dataset.ReadFASTA(bytes.NewReader(text), dataset.FASTAOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
