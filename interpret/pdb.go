package interpret

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
)

// readPDB reads the columns of ATOM records, and of HETATM records of selenomethionine.
func readPDB(r *bufio.Reader, s *chainAtoms) error {
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
			return fmt.Errorf("line %d: an atom record of %d columns: expected at least 54", number, len(line))
		}
		if !s.wants(strings.TrimSpace(line[21:22]), strings.TrimSpace(line[12:16]), strings.TrimSpace(line[16:17])) {
			continue
		}
		var a atom
		var err error
		if a.residue, err = strconv.Atoi(strings.TrimSpace(line[22:26])); err != nil {
			return fmt.Errorf("line %d: the residue number is %q: expected a whole number", number, line[22:26])
		}
		for x := range a.at {
			field := strings.TrimSpace(line[30+8*x : 38+8*x])
			if a.at[x], err = strconv.ParseFloat(field, 64); err != nil {
				return fmt.Errorf("line %d: a coordinate is %q: expected a number", number, field)
			}
		}
		s.atoms = append(s.atoms, a)
	}
	return lines.Err()
}
