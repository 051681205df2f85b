package lattice

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParseChoice(t *testing.T) {
	for text, want := range map[string]Choice{
		"full":           {},
		"random:100:7":   {Count: 100, Seed: 7},
		"list.txt":       {File: "list.txt"},
		"./random:1:1":   {File: "./random:1:1"},
		"random:103346:": {}, "random:0:1": {}, "random:103347:1": {}, "random:5": {}, "random:5:-1": {}, "random": {},
		"": {},
	} {
		got, err := ParseChoice(text)
		if want == (Choice{}) && text != "full" {
			if err == nil {
				t.Errorf("%q was read as %v", text, got)
			}
			continue
		}
		if err != nil || got != want || got.String() != text {
			t.Errorf("%q was read as %v (%v), want %v", text, got, err, want)
		}
	}
}

func TestChoiceOf(t *testing.T) {
	of := func(text string) []int {
		t.Helper()
		c, err := ParseChoice(text)
		if err != nil {
			t.Fatal(err)
		}
		set, err := c.Of(space())
		if err != nil {
			t.Fatal(err)
		}
		return set.Indices()
	}
	one, other := of("random:1000:1"), of("random:1000:2")
	if len(one) != 1000 || !slices.Equal(one, of("random:1000:1")) || slices.Equal(one, other) {
		t.Errorf("random sets have %d and %d structures, or do not follow their seeds", len(one), len(other))
	}
	if len(of("full")) != NumStructures || len(of("random:103346:3")) != NumStructures {
		t.Error("all structures are not all")
	}
	path := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(path, []byte("\ufeff# some\n20706\n\n 5 # the fifth\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := of(path); !slices.Equal(got, []int{5, 20706}) {
		t.Errorf("the file gives %v", got)
	}
	if _, err := (Choice{File: path + "x"}).Of(space()); err == nil ||
		!strings.Contains(err.Error(), "expected full, random:N:SEED or a file") {
		t.Errorf("a missing file: %v", err)
	}
}

func TestReadIndicesRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "there are no indices",
		"# nothing\n":              "there are no indices",
		"1\n2\n1\n":                "structure 1 is on line 1 and again on line 3",
		"1\n103346\n":              `line 2 is "103346"`,
		"-1\n":                     `line 1 is "-1"`,
		"7 8\n":                    `line 1 is "7 8"`,
		"A\n":                      "expected the index of a structure",
		"1\n\x00\n":                "line 2",
		strings.Repeat("9", 70000): "token too long",
	} {
		if _, err := readIndices(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", shortened(text), err, want)
		}
	}
}

func FuzzReadIndices(f *testing.F) {
	f.Add("1\n2\n# three\n")
	f.Add("20706")
	f.Fuzz(func(t *testing.T, text string) {
		indices, err := readIndices(strings.NewReader(text))
		if err == nil && len(indices) == 0 {
			t.Error("an empty list was accepted")
		}
		for _, i := range indices {
			if err == nil && (i < 0 || i >= NumStructures) {
				t.Errorf("index %d was accepted", i)
			}
		}
	})
}

func FuzzParseChoice(f *testing.F) {
	f.Add("full")
	f.Add("random:10:2")
	f.Add("random::")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseChoice(text)
		if err != nil {
			return
		}
		if again, err := ParseChoice(c.String()); err != nil || again != c {
			t.Errorf("%q became %v, which is read as %v (%v)", text, c, again, err)
		}
	})
}
