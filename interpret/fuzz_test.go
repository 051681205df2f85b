package interpret_test

import (
	"strings"
	"testing"

	"instanton/interpret"
)

// Whatever a file holds, reading it ends with contacts or an error.
func FuzzStructure(f *testing.F) {
	f.Add(tinyPDB)
	f.Add(tinyMMCIF)
	f.Add("HETATM    1  CA  MSE A   5")
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := interpret.ReadStructure(strings.NewReader(text), "", 1, 8); err == nil {
			for p := range c {
				if p[0] >= p[1] {
					t.Errorf("the contact %v is not in order", p)
				}
			}
		}
	})
}

func FuzzContacts(f *testing.F) {
	f.Add("i j\n1 2\n3,4,7.5\n")
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := interpret.ReadContacts(strings.NewReader(text), 1, 8); err == nil {
			for p := range c {
				if p[0] >= p[1] {
					t.Errorf("the contact %v is not in order", p)
				}
			}
		}
	})
}

func FuzzMeasurements(f *testing.F) {
	f.Add("mutant,score\nA1C,0.5\n")
	f.Fuzz(func(t *testing.T, text string) {
		if all, err := interpret.ReadMeasurements(strings.NewReader(text), ""); err == nil && len(all) == 0 {
			t.Error("neither measurements nor an error")
		}
	})
}
