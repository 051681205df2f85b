package interpret

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ReadPDB reads the atoms of one chain of a structure in the PDB format and returns the pairs of residues that have
// two heavy atoms closer than the cutoff, in Å. Residues are counted by their numbers in the file, the first site of
// the model being the residue with the number first. An empty name takes the first chain; of several models only the
// first counts, and of atoms in several places the first.
func ReadPDB(r io.Reader, chain string, first int, cutoff float64) (Contacts, error) {
	atoms, err := readAtoms(r, chain)
	if err != nil {
		return nil, err
	}
	contacts := Contacts{}
	for k, a := range atoms {
		for _, b := range atoms[:k] {
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

// readAtoms reads the columns of ATOM and HETATM records.
func readAtoms(r io.Reader, chain string) ([]atom, error) {
	var atoms []atom
	chains := map[string]bool{}
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		line := lines.Text()
		record := strings.TrimSpace(line[:min(6, len(line))])
		if record == "ENDMDL" {
			break
		}
		if record != "ATOM" && !(record == "HETATM" && len(line) >= 20 && line[17:20] == "MSE") {
			continue
		}
		if len(line) < 54 {
			return nil, fmt.Errorf("line %d: an atom record of %d columns: expected at least 54", number, len(line))
		}
		own := strings.TrimSpace(line[21:22])
		if chain == "" && len(atoms) == 0 {
			chain = own
		}
		chains[own] = true
		name, place := strings.TrimSpace(line[12:16]), line[16]
		hydrogen := strings.HasPrefix(strings.TrimLeft(name, "0123456789"), "H")
		if own != chain || hydrogen || place != ' ' && place != 'A' {
			continue
		}
		var a atom
		var err error
		if a.residue, err = strconv.Atoi(strings.TrimSpace(line[22:26])); err != nil {
			return nil, fmt.Errorf("line %d: the residue number is %q: expected a whole number", number, line[22:26])
		}
		for x := range a.at {
			field := strings.TrimSpace(line[30+8*x : 38+8*x])
			if a.at[x], err = strconv.ParseFloat(field, 64); err != nil {
				return nil, fmt.Errorf("line %d: a coordinate is %q: expected a number", number, field)
			}
		}
		atoms = append(atoms, a)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(atoms) == 0 {
		return nil, fmt.Errorf("there are no atoms of chain %q: expected one of %q", chain,
			slices.Sorted(maps.Keys(chains)))
	}
	return atoms, nil
}
