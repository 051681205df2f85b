package interpret

import (
	"fmt"
	"strconv"
	"strings"

	"instanton/unit"
)

// Notation writes mutations in the usual way, A12C: letter of the wild type, position, letter of the mutant. Several
// mutations are joined by colons.
type Notation struct {
	Spec     unit.Spec
	Alphabet string // letters of the states; if empty, states are written as their values
	First    int    // position of the first site
}

// State names a state.
func (n Notation) State(a int) string {
	if n.Alphabet != "" {
		return n.Alphabet[a : a+1]
	}
	return strconv.FormatFloat(n.Spec.StateValue(a), 'g', -1, 64)
}

// Write writes mutations of a wild type.
func (n Notation) Write(wild []int, mutations ...Mutation) string {
	var b strings.Builder
	for k, u := range mutations {
		if k > 0 {
			b.WriteByte(':')
		}
		b.WriteString(n.State(wild[u.Site]) + strconv.Itoa(n.First+u.Site) + n.State(u.State))
	}
	return b.String()
}

// Parse reads mutations of a wild type, with colons, commas, slashes or plus signs between them. inside is false if
// the text is in order but a position or a letter is not among those of the model.
func (n Notation) Parse(wild []int, text string) (mutations []Mutation, inside bool, err error) {
	if n.Alphabet == "" {
		return nil, false, fmt.Errorf("mutant %q: the model has no alphabet to read it with", text)
	}
	inside = true
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(":,/+ ", r) })
	if len(words) == 0 {
		return nil, false, fmt.Errorf("mutant %q: expected mutations such as A12C", text)
	}
	for _, word := range words {
		last := len(word) - 1
		position := 0
		if last >= 2 {
			position, err = strconv.Atoi(word[1:last])
		}
		if last < 2 || err != nil {
			return nil, false, fmt.Errorf("mutation %q: expected a letter, a position and a letter, as in A12C", word)
		}
		site, state := position-n.First, strings.IndexByte(n.Alphabet, word[last])
		if site < 0 || site >= len(wild) || state < 0 {
			inside = false
			continue
		}
		if own := n.State(wild[site]); own != word[:1] {
			return nil, false, fmt.Errorf("mutation %q: the wild type has %s at position %d", word, own, position)
		}
		mutations = append(mutations, Mutation{site, state})
	}
	return mutations, inside, nil
}
