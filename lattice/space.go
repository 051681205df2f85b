package lattice

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// NumStructures is the number of compact walks up to the symmetries of the cube, as found by enumeration. A walk and
// its reverse count as two.
const NumStructures = 103346

// Space is the list of all structures in lexicographic order; the index of a structure is its position in the list.
type Space struct{ structures []Structure }

// Enumerate finds all structures.
//
// Walks start at the corner 000 or at the face centre 011: of the two sublattices of the cube, with 14 and 13 sites, a
// walk of 27 sites starts on the larger one, and the smallest image of each of its sites is one of these two.
// Neighbours are visited in increasing order, so structures come out sorted; a prefix is abandoned if a symmetry that
// preserves the walk so far maps its last site to a smaller one.
func Enumerate() *Space {
	e := &enumeration{found: make([]Structure, 0, NumStructures)}
	var all []uint8
	for g := range uint8(len(symmetries)) {
		all = append(all, g)
	}
	for _, start := range []uint8{site(0, 0, 0), site(0, 1, 1)} {
		e.step(0, start, 0, all)
	}
	return &Space{e.found}
}

type enumeration struct {
	walk  Structure
	kept  [Length][len(symmetries)]uint8 // the symmetries that preserve each prefix
	found []Structure
}

// step puts residue n on a site and continues from there, given the symmetries that preserve the walk so far.
func (e *enumeration) step(n int, at uint8, visited uint32, keep []uint8) {
	kept := e.kept[n][:0]
	for _, g := range keep {
		switch image := symmetries[g][at]; {
		case image < at:
			return
		case image == at:
			kept = append(kept, g)
		}
	}
	e.walk[n] = at
	visited |= 1 << at
	if n == Length-1 {
		e.found = append(e.found, e.walk)
		return
	}
	for free := neighbours[at] &^ visited; free != 0; {
		e.step(n+1, next(&free), visited, kept)
	}
}

// Len is the number of structures.
func (s *Space) Len() int { return len(s.structures) }

// At returns the structure with the given index.
func (s *Space) At(index int) Structure { return s.structures[index] }

// Index finds a walk among the structures, whichever of its images is given.
func (s *Space) Index(walk Structure) (index int, ok bool) {
	return slices.BinarySearchFunc(s.structures, walk.canonical(),
		func(a, b Structure) int { return bytes.Compare(a[:], b[:]) })
}

// Names of structures used in the literature, with their indices.
var names = []struct {
	name  string
	index int
}{{"A", 20706}, {"B", 65336}, {"C", 67108}, {"D", 90260}, {"G", 19457}}

// Name is the letter of a structure that has one, otherwise its index.
func Name(index int) string {
	for _, n := range names {
		if n.index == index {
			return n.name
		}
	}
	return strconv.Itoa(index)
}

// ParseIndex reads the letter (A, B, C, D or G) or the index of a structure.
func ParseIndex(text string) (int, error) {
	for _, n := range names {
		if strings.EqualFold(text, n.name) {
			return n.index, nil
		}
	}
	index, err := strconv.Atoi(text)
	if err != nil || index < 0 || index >= NumStructures {
		return 0, fmt.Errorf("structure %q: expected A, B, C, D, G or an index from 0 to %d", text, NumStructures-1)
	}
	return index, nil
}
