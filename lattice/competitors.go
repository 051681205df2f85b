package lattice

import (
	"fmt"
	"slices"
)

// Competitors is a set of structures that share the probability of a sequence, arranged for fast sums over them.
//
// A contact joins an even and an odd residue, so the Boltzmann weight of a structure is a product over the 14 even
// residues of factors that depend only on the set of their partners. A residue has few such sets in all structures
// (3,232 for all even residues together), so few exponentials are needed.
type Competitors struct {
	space   *Space
	indices []int          // of the structures, in increasing order
	groups  [Length]groups // by residue
	rows    []uint16       // for each structure, its 14 entries in the factor table
	offset  [evens + 1]int // where the factors of each even residue start in that table
}

// evens is the number of even residues.
const evens = (Length + 1) / 2

// maxPartners is the largest number of contacts of a residue.
const maxPartners = 4

// maxFactors bounds the factor table, so that it can be indexed without checks.
const maxFactors = 1 << 12

// groups classifies structures by the partners of one residue.
type groups struct {
	sets [][maxPartners]uint8 // the partners; nobody in empty places
	of   []uint16             // the set of each structure, padded to whole strides
}

// nobody stands for a missing partner: a residue that contributes a factor of one.
const nobody = Length

// Competitors returns the set of structures with the given indices.
func (s *Space) Competitors(indices []int) (*Competitors, error) {
	if len(indices) == 0 {
		return nil, fmt.Errorf("there are no competing structures: expected at least one")
	}
	indices = slices.Sorted(slices.Values(indices))
	for k, i := range indices {
		if i < 0 || i >= s.Len() {
			return nil, fmt.Errorf("there is no structure %d: expected an index from 0 to %d", i, s.Len()-1)
		}
		if k > 0 && i == indices[k-1] {
			return nil, fmt.Errorf("structure %d competes twice: expected different ones", i)
		}
	}
	c := &Competitors{space: s, indices: indices}
	c.group()
	c.arrange()
	return c, nil
}

// All returns the set of all structures.
func (s *Space) All() *Competitors {
	indices := make([]int, s.Len())
	for i := range indices {
		indices[i] = i
	}
	c, err := s.Competitors(indices)
	if err != nil {
		panic(err) // the indices are valid by construction
	}
	return c
}

// group finds the partner sets of each residue.
func (c *Competitors) group() {
	var known [Length]map[uint32]uint16
	for i := range known {
		known[i] = map[uint32]uint16{}
		c.groups[i].of = make([]uint16, strides(len(c.indices)))
	}
	for k, index := range c.indices {
		for i, set := range c.space.structures[index].partners() {
			g := &c.groups[i]
			id, ok := known[i][set]
			if !ok {
				id = uint16(len(g.sets))
				known[i][set] = id
				g.sets = append(g.sets, members(set))
			}
			g.of[k] = id
		}
	}
}

// members lists the partners in a set.
func members(set uint32) (list [maxPartners]uint8) {
	for k := range list {
		list[k] = nobody
		if set != 0 {
			list[k] = next(&set)
		}
	}
	return list
}

// arrange lays out the factor table of the even residues.
func (c *Competitors) arrange() {
	for k := range evens {
		c.offset[k+1] = c.offset[k] + len(c.groups[2*k].sets)
	}
	c.rows = make([]uint16, evens*len(c.indices))
	for s := range c.indices {
		for k := range evens {
			c.rows[s*evens+k] = uint16(c.offset[k]) + c.groups[2*k].of[s]
		}
	}
}

// Len is the number of structures.
func (c *Competitors) Len() int { return len(c.indices) }

// Indices returns the indices of the structures, in increasing order.
func (c *Competitors) Indices() []int { return slices.Clone(c.indices) }

// With returns the set with one more structure, if it is not already in it.
func (c *Competitors) With(index int) (*Competitors, error) {
	if _, ok := c.place(index); ok {
		return c, nil
	}
	return c.space.Competitors(append(c.Indices(), index))
}

// place finds the position of a structure in the set.
func (c *Competitors) place(index int) (int, bool) { return slices.BinarySearch(c.indices, index) }
