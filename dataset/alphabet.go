package dataset

import (
	"fmt"
	"strings"

	"instanton/unit"
)

// Alphabets of sequences, with the letters in the order of their codes.
const (
	Protein        = "ACDEFGHIKLMNPQRSTVWY"
	ProteinGap     = "-" + Protein // gap first, as in rbms and adabmDCA
	ProteinGapLast = Protein + "-" // as in PGM
	DNA            = "ACGT"
	DNAGap         = "-" + DNA
	RNA            = "ACGU"
	RNAGap         = "-" + RNA
)

// gap is the letter for a deletion.
const gap = '-'

var alphabets = []struct{ name, letters string }{
	{"protein", ProteinGap}, {"protein-gap-last", ProteinGapLast}, {"protein-no-gap", Protein},
	{"dna", DNAGap}, {"dna-no-gap", DNA}, {"rna", RNAGap}, {"rna-no-gap", RNA},
}

// AlphabetNames lists the names that ParseAlphabet knows.
func AlphabetNames() (names []string) {
	for _, a := range alphabets {
		names = append(names, a.name)
	}
	return names
}

// ParseAlphabet reads the name of an alphabet, or its letters in order.
func ParseAlphabet(text string) (string, error) {
	for _, a := range alphabets {
		if text == a.name {
			return a.letters, nil
		}
	}
	if err := checkAlphabet(text); err != nil {
		return "", fmt.Errorf("%w, or one of %s", err, strings.Join(AlphabetNames(), ", "))
	}
	return text, nil
}

// checkAlphabet requires distinct characters that a FASTA file can hold: capital letters, gaps and stops.
func checkAlphabet(letters string) error {
	const expected = "expected 2 or more different capital letters, '-' or '*'"
	if len(letters) < 2 {
		return fmt.Errorf("alphabet %q: %s", letters, expected)
	}
	for i, c := range []byte(letters) {
		if (c < 'A' || c > 'Z') && c != gap && c != '*' {
			return fmt.Errorf("alphabet %q: %s", letters, expected)
		}
		if strings.IndexByte(letters[:i], c) >= 0 {
			return fmt.Errorf("alphabet %q has %q twice: %s", letters, c, expected)
		}
	}
	return nil
}

// usual is the alphabet that a number of states suggests, or empty.
func usual(q int) string {
	for _, letters := range []string{ProteinGap, Protein, DNAGap, DNA} {
		if len(letters) == q {
			return letters
		}
	}
	return ""
}

// Letters returns configuration k as a sequence.
func (d *Dataset) Letters(k int) string {
	b := make([]byte, d.States.N)
	for i, a := range d.States.CodeRow(k) {
		b[i] = d.Alphabet[a]
	}
	return string(b)
}

// Recode changes the alphabet of sequences in place: a letter keeps its meaning and gets another code. All letters
// that occur must be in the new alphabet. If there was no alphabet, the new one names the states as they are.
func (d *Dataset) Recode(alphabet string) error {
	if d.Alphabet == alphabet {
		return nil
	}
	if err := checkAlphabet(alphabet); err != nil {
		return err
	}
	if d.States.Type != unit.Potts || d.Alphabet == "" && d.States.Q > len(alphabet) {
		return fmt.Errorf("%s holds %s: expected Potts units with at most %d states for the alphabet %q", d.Name,
			d.States.Spec, len(alphabet), alphabet)
	}
	if d.Alphabet == "" {
		d.Alphabet, d.States.Q = alphabet, len(alphabet)
		return nil
	}
	if err := d.Check(); err != nil {
		return err
	}
	code := make([]int, len(d.Alphabet))
	for a, c := range []byte(d.Alphabet) {
		code[a] = strings.IndexByte(alphabet, c)
	}
	for j, a := range d.States.Codes {
		if code[a] < 0 {
			return fmt.Errorf("%s: configuration %d has %q in column %d: expected a letter of the alphabet %q", d.Name,
				j/d.States.N+1, d.Alphabet[a], j%d.States.N+1, alphabet)
		}
	}
	for j, a := range d.States.Codes {
		d.States.Codes[j] = uint8(code[a])
	}
	d.Alphabet, d.States.Q = alphabet, len(alphabet)
	return nil
}
