package lattice

import (
	"strings"
	"testing"

	"instanton/unit"
)

func parse(t testing.TB, text string) Sequence {
	t.Helper()
	v, err := ParseSequence(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestParseSequence(t *testing.T) {
	const text = "EKAMPAMDPDMAHEHKKKIRAWMFEGE"
	if v := parse(t, text); v.String() != text {
		t.Errorf("%s came back as %s", text, v)
	}
	for bad, want := range map[string]string{
		text[:26]:                      "has 26 letters: expected 27",
		text + "A":                     "has 28 letters",
		"":                             "has 0 letters",
		"EKAMXAMDPDMAHEHKKKIRAWMFEGE":  `has 'X' at position 5`,
		"EKAM-AMDPDMAHEHKKKIRAWMFEGE":  `has '-' at position 5`,
		"EKAMéAMDPDMAHEHKKKIRAWMFEGE":  `has 'é' at position 5`,
		strings.ToLower(text):          `has 'e' at position 1`,
		strings.Repeat("ACGT\x00", 99): "has 495 letters",
	} {
		if _, err := ParseSequence(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", bad, err, want)
		}
	}
}

func FuzzParseSequence(f *testing.F) {
	f.Add("EKAMPAMDPDMAHEHKKKIRAWMFEGE")
	f.Add("\xff\xfe")
	f.Fuzz(func(t *testing.T, text string) {
		if v, err := ParseSequence(text); err == nil && v.String() != text {
			t.Errorf("%q came back as %q", text, v)
		}
	})
}

func TestStates(t *testing.T) {
	want := []Sequence{parse(t, "EKAMPAMDPDMAHEHKKKIRAWMFEGE"), parse(t, "PDRFIVQCLAQFEHFERDGDKDMRAEC")}
	got, err := Sequences(States(want))
	if err != nil || len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%v (%v), want %v", got, err, want)
	}
	if _, err := Sequences(unit.NewStates(unit.Spec{Type: unit.Potts, N: Length, Q: 21}, 1)); err == nil {
		t.Error("21 states were taken for residues")
	}
}
