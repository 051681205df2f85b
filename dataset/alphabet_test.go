package dataset_test

import (
	"slices"
	"strings"
	"testing"

	"instanton/dataset"
	"instanton/unit"
)

func TestParseAlphabet(t *testing.T) {
	for text, want := range map[string]string{
		"protein":          "-ACDEFGHIKLMNPQRSTVWY",
		"protein-gap-last": "ACDEFGHIKLMNPQRSTVWY-",
		"dna-no-gap":       "ACGT",
		"HP":               "HP",
	} {
		if got, err := dataset.ParseAlphabet(text); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
	for _, bad := range []string{"", "A", "AA", "acgt", "AC.T", "protien", "A C"} {
		if _, err := dataset.ParseAlphabet(bad); err == nil || !strings.Contains(err.Error(), "expected") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

// read returns the data set of a valid FASTA text.
func read(t testing.TB, text string, o dataset.FASTAOptions) *dataset.Dataset {
	t.Helper()
	d, err := dataset.ReadFASTA(strings.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func sequences(d *dataset.Dataset) (letters []string) {
	for k := range d.States.Len {
		letters = append(letters, d.Letters(k))
	}
	return letters
}

// A new alphabet changes the codes, not the sequences.
func TestRecode(t *testing.T) {
	d := read(t, ">a\nAC-Y\n>b\nWWDK\n", dataset.FASTAOptions{})
	want := sequences(d)
	if d.States.Codes[2] != 0 || d.States.Q != 21 {
		t.Errorf("the gap has code %d of %d, want 0 of 21", d.States.Codes[2], d.States.Q)
	}
	if err := d.Recode(dataset.ProteinGapLast); err != nil {
		t.Fatal(err)
	}
	if got := sequences(d); !slices.Equal(got, want) || d.States.Codes[2] != 20 || d.States.Codes[0] != 0 {
		t.Errorf("sequences %v with codes %v", got, d.States.Codes)
	}
	before := slices.Clone(d.States.Codes)
	if err := d.Recode(dataset.Protein); err == nil ||
		!strings.Contains(err.Error(), "configuration 1 has '-' in column 3") {
		t.Errorf("an alphabet without gap: error %v", err)
	}
	if !slices.Equal(d.States.Codes, before) {
		t.Error("a refused alphabet changed the codes")
	}
	bare := &dataset.Dataset{States: unit.NewStates(unit.Spec{Type: unit.Potts, N: 3, Q: 2}, 1)}
	if err := bare.Recode("HP"); err != nil || bare.Letters(0) != "HHH" {
		t.Errorf("naming states: %v", err)
	}
	spins := &dataset.Dataset{States: unit.NewStates(unit.Spec{Type: unit.Spin, N: 3}, 1)}
	if spins.Recode("HP") == nil {
		t.Error("spins got letters")
	}
}
