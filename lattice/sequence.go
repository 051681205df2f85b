package lattice

import (
	"fmt"
	"strings"

	"instanton/unit"
)

// Alphabet lists the amino acids; a residue is an index into it. Chains have no gaps.
const Alphabet = "ACDEFGHIKLMNPQRSTVWY"

// Residues is the number of amino acids.
const Residues = len(Alphabet)

// Sequence is a chain of residues.
type Sequence [Length]uint8

// Spec is the layer of Potts units that holds a sequence.
var Spec = unit.Spec{Type: unit.Potts, N: Length, Q: Residues}

// ParseSequence reads 27 letters.
func ParseSequence(text string) (v Sequence, err error) {
	letters := []rune(text)
	if len(letters) != Length {
		return v, fmt.Errorf("sequence %q has %d letters: expected %d", shortened(text), len(letters), Length)
	}
	for i, r := range letters {
		a := strings.IndexRune(Alphabet, r)
		if a < 0 {
			return v, fmt.Errorf("sequence %q has %q at position %d: expected one of %s", text, r, i+1, Alphabet)
		}
		v[i] = uint8(a)
	}
	return v, nil
}

// String writes the letters.
func (v Sequence) String() string {
	letters := make([]byte, Length)
	for i, a := range v {
		letters[i] = Alphabet[a]
	}
	return string(letters)
}

// States returns sequences as configurations of Potts units.
func States(sequences []Sequence) *unit.States {
	s := unit.NewStates(Spec, len(sequences))
	for k, v := range sequences {
		copy(s.CodeRow(k), v[:])
	}
	return s
}

// Sequences is the inverse of States.
func Sequences(s *unit.States) ([]Sequence, error) {
	if s.Spec != Spec {
		return nil, fmt.Errorf("the configurations are %s: expected %s, chains of %d residues of %s", s.Spec, Spec,
			Length, Alphabet)
	}
	sequences := make([]Sequence, s.Len)
	for k := range sequences {
		copy(sequences[k][:], s.CodeRow(k))
	}
	return sequences, nil
}

func residueOf(letter byte) int { return strings.IndexByte(Alphabet, letter) }

// shortened keeps an error readable if a whole file was taken for a sequence.
func shortened(text string) string {
	if len(text) > 60 {
		return strings.ToValidUTF8(text[:57], "") + "…"
	}
	return text
}
