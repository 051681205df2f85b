package paper

import (
	"fmt"
	"slices"
	"strings"

	"instanton/paper/verdict"
)

// Find returns figures by their names, in the order of the paper; "all" alone stands for every one.
func Find(names []string) ([]verdict.Figure, error) {
	all := All()
	if slices.Contains(names, "all") {
		if len(names) > 1 {
			return nil, fmt.Errorf("all stands for every figure: give it alone, or names without it")
		}
		return all, nil
	}
	var found []verdict.Figure
	var known []string
	for _, f := range all {
		known = append(known, f.Name)
		if slices.Contains(names, f.Name) {
			found = append(found, f)
		}
	}
	for _, n := range names {
		if slices.Contains(known, n) {
			continue
		}
		return nil, &UnknownError{Name: n, Near: nearestName(n, known), Known: known}
	}
	return found, nil
}

// UnknownError says that no figure has a name.
type UnknownError struct {
	Name  string
	Near  string // the name that is likely meant, if any
	Known []string
}

func (e *UnknownError) Error() string {
	if e.Near != "" {
		return fmt.Sprintf("unknown figure %q: did you mean %s?", e.Name, e.Near)
	}
	return fmt.Sprintf("unknown figure %q: expected all, or some of %s", e.Name, strings.Join(e.Known, ", "))
}

// Words within so many changes of letters are taken for misspelt, and parts of names of so many letters for names.
const (
	mostChanges = 2
	leastPart   = 3
)

// nearestName is the name that is likely meant, empty where none is near.
func nearestName(word string, names []string) string {
	word = strings.ReplaceAll(strings.ToLower(word), "_", "-")
	best, least := "", mostChanges+1
	for _, n := range names {
		if d := changes(word, n); d < least {
			best, least = n, d
		}
	}
	for _, n := range names {
		if best == "" && len(word) >= leastPart && strings.Contains(n, word) {
			best = n
		}
	}
	return best
}

// changes is the Levenshtein distance: letters to put in, take out or replace.
func changes(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := diagonal
			if a[i] != b[j] {
				next = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
