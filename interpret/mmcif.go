package interpret

import (
	"bufio"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// readMMCIF reads the loop of atom sites: the names of its columns, one per line, then one atom per line.
func readMMCIF(r *bufio.Reader, s *chainAtoms) error {
	const prefix = "_atom_site."
	var columns []string
	model := ""
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if name, found := strings.CutPrefix(line, prefix); found {
			columns = append(columns, name)
			continue
		}
		words := strings.Fields(line)
		if len(columns) == 0 || len(words) == 0 {
			continue
		}
		if words[0] != "ATOM" && words[0] != "HETATM" {
			break // the loop has ended
		}
		if len(words) < len(columns) {
			return fmt.Errorf("line %d has %d values: expected %d, one for each column of %s", number, len(words),
				len(columns), prefix)
		}
		get := func(names ...string) string {
			for _, name := range names {
				if k := slices.Index(columns, name); k >= 0 && words[k] != "." && words[k] != "?" {
					return strings.Trim(words[k], `"'`)
				}
			}
			return ""
		}
		if n := get("pdbx_PDB_model_num"); model == "" {
			model = n
		} else if n != model {
			break
		}
		if words[0] == "HETATM" && get("label_comp_id", "auth_comp_id") != "MSE" {
			continue
		}
		if !s.wants(get("auth_asym_id", "label_asym_id"), get("type_symbol", "label_atom_id"), get("label_alt_id")) {
			continue
		}
		var a atom
		var err error
		if a.residue, err = strconv.Atoi(get("auth_seq_id", "label_seq_id")); err != nil {
			return fmt.Errorf("line %d: the residue number is %q: expected a whole number", number,
				get("auth_seq_id", "label_seq_id"))
		}
		for x, name := range []string{"Cartn_x", "Cartn_y", "Cartn_z"} {
			if a.at[x], err = strconv.ParseFloat(get(name), 64); err != nil {
				return fmt.Errorf("line %d: %s is %q: expected a number", number, name, get(name))
			}
		}
		s.atoms = append(s.atoms, a)
	}
	return lines.Err()
}
