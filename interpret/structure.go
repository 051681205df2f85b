package interpret

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// ReadStructure reads the atoms of one chain of a structure, in the PDB or the mmCIF format, and returns the pairs of
// residues that have two heavy atoms closer than the cutoff, in Å. Residues are counted by their numbers in the file
// (those of the authors, in mmCIF), the first site of the model being the residue with the number first. An empty name
// takes the first chain; of several models only the first counts, and of atoms in several places the first.
func ReadStructure(r io.Reader, chain string, first int, cutoff float64) (Contacts, error) {
	in := bufio.NewReader(r)
	read := readPDB
	if head, _ := in.Peek(5); string(head) == "data_" {
		read = readMMCIF
	}
	s := &chainAtoms{chain: chain, chains: map[string]bool{}}
	if err := read(in, s); err != nil {
		return nil, err
	}
	if len(s.atoms) == 0 {
		return nil, fmt.Errorf("there are no atoms of chain %q: expected one of %q", s.chain,
			slices.Sorted(maps.Keys(s.chains)))
	}
	contacts := Contacts{}
	for k, a := range s.atoms {
		for _, b := range s.atoms[:k] {
			if a.residue == b.residue || contacts.Has(a.residue-first, b.residue-first) {
				continue
			}
			var square float64
			for x := range a.at {
				square += (a.at[x] - b.at[x]) * (a.at[x] - b.at[x])
			}
			if math.Sqrt(square) < cutoff {
				contacts.Add(a.residue-first, b.residue-first)
			}
		}
	}
	return contacts, nil
}

// atom is a heavy atom of a residue.
type atom struct {
	residue int
	at      [3]float64
}

// chainAtoms collects the atoms of one chain.
type chainAtoms struct {
	chain  string
	chains map[string]bool // all that occur
	atoms  []atom
}

// wants tells whether an atom counts, given its chain, its name and its alternative place.
func (s *chainAtoms) wants(chain, name, place string) bool {
	if s.chain == "" && len(s.chains) == 0 {
		s.chain = chain
	}
	s.chains[chain] = true
	hydrogen := strings.HasPrefix(strings.TrimLeft(name, "0123456789"), "H")
	return chain == s.chain && !hydrogen && (place == "" || place == "A")
}
