package dataset_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"instanton/dataset"
)

// One alignment in every format: names and letters are those of FASTA, plain and gzipped.
func TestAlignments(t *testing.T) {
	for name, text := range map[string]string{
		"fasta": ">one\nACDEF-GH\n>two\nAC-EFWGH\n>three\nACDEFWGY\n",
		"stockholm": "# STOCKHOLM 1.0\n#=GF ID family\n\none ACDE\ntwo AC-E\n#=GR two SS HHHH\nthree ACDE\n\n" +
			"one F-GH\ntwo FWGH\nthree FWGY\n//\n",
		"clustal": "CLUSTAL W (1.8) alignment\n\none    ACDE 4\ntwo    AC-E 3\nthree  ACDE 4\n       ** *\n\n" +
			"one    F-GH 7\ntwo    FWGH 7\nthree  FWGY 8\n",
		"phylip in blocks":            "3 8\none AC DE\ntwo AC-E\nthree ACDE\n\nF-GH\nFWGH\nFWGY\n",
		"phylip, one after another":   " 3 8\none ACDE\nF-GH\ntwo AC-E\nFWGH\nthree ACDE\nFWGY\n",
		"phylip with names of ten":    "3 8\none       ACDEF-GH\ntwo       AC-EFWGH\nthree     ACDEFWGY\n",
		"phylip, ten, without blanks": "3 8\none.......ACDEF-GH\ntwo.......AC-EFWGH\nthree.....ACDEFWGY\n",
	} {
		for _, content := range [][]byte{[]byte(text), packed(t, []byte(text))} {
			d, err := dataset.Read(put(t, "family", content))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			letters := []string{d.Letters(0), d.Letters(1), d.Letters(2)}
			for k := range d.Names {
				d.Names[k] = strings.TrimRight(d.Names[k], ".")
			}
			if !slices.Equal(d.Names, []string{"one", "two", "three"}) ||
				!slices.Equal(letters, []string{"ACDEF-GH", "AC-EFWGH", "ACDEFWGY"}) {
				t.Errorf("%s: read %q %q", name, d.Names, letters)
			}
		}
	}
}

func TestAlignmentsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"# STOCKHOLM 1.0\none ACDE\ntwo ACD\n//\n":      `"two" has 3 columns: expected 4 as in "one"`,
		"# STOCKHOLM 1.0\none ACDE and more\n//\n":      "line 2: expected a name and a part of its sequence",
		"# STOCKHOLM 1.0\n//\n":                         "no sequence",
		"# STOCKHOLM 1.0\none ACDE\ntwo AC.E\n//\n":     "insert states",
		"CLUSTAL W\n\none ACDE\ntwo ACDE\none AC\n":     `"two" has 4 columns: expected 6`,
		"2 4\none ACDE\ntwo ACD\n":                      "promises 2 sequences of 4 columns",
		"3 4\none ACDE\ntwo ACDE\n":                     "promises 3 sequences",
		"CLUSTAL W\n\n":                                 "no sequence",
		"# STOCKHOLM 1.0\none ACDE\ntwo AC9E\n//\n":     "no letter of a sequence",
		"2 4\n" + strings.Repeat("one ACDE\n", 3) + "x": "promises 2 sequences",
	} {
		_, err := dataset.Read(put(t, "family", []byte(text)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if d, err := dataset.Read(put(t, "table", []byte("0 2\n1 3\n"))); err != nil || d.States.Len != 2 {
		t.Errorf("a table was read as %+v, %v", d, err)
	}
}

// FuzzAlignment: what is read has no more letters than the file has bytes.
func FuzzAlignment(f *testing.F) {
	for _, text := range []string{
		"# STOCKHOLM 1.0\none ACDE\ntwo AC-E\n\none F\ntwo G\n//\n", "CLUSTAL\n\na AC 2\nb AC 2\n  **\n",
		"2 4\none ACDE\ntwo ACDE\n", "2 4\na AC\nDE\nb AC\nDE\n", "1 1\n          A\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		d, err := dataset.Read(put(t, "family", file))
		if err == nil && !bytes.HasPrefix(file, []byte("PK")) && !bytes.HasPrefix(file, []byte{0x1f, 0x8b}) &&
			d.States.Len*d.States.N > len(file) {
			t.Fatalf("read %d by %d from %d bytes", d.States.Len, d.States.N, len(file))
		}
	})
}
