package lattice

import (
	"bytes"
	"fmt"
	"strings"
)

// Length is the number of residues of a chain.
const Length = sites

// Structure is a walk through all sites of the cube: the site 9x+3y+z of each residue. The lexicographically smallest
// of its 48 images under the symmetries of the cube represents them all.
type Structure [Length]uint8

// Contact is a pair of residues I < J that touch and are not bonded. J−I is odd.
type Contact struct{ I, J int }

// NumContacts is the number of contacts of every structure: 54 edges of the cube minus 26 bonds.
const NumContacts = 28

// Site returns the coordinates of residue i, each 0, 1 or 2.
func (s Structure) Site(i int) (x, y, z int) {
	c := coordinates(s[i])
	return c[0], c[1], c[2]
}

// String writes the sites as digits xyz: "000 001 002 …".
func (s Structure) String() string {
	words := make([]string, Length)
	for i := range s {
		x, y, z := s.Site(i)
		words[i] = fmt.Sprintf("%d%d%d", x, y, z)
	}
	return strings.Join(words, " ")
}

// Contacts lists the 28 contacts in order.
func (s Structure) Contacts() []Contact {
	contacts := make([]Contact, 0, NumContacts)
	for i, set := range s.partners() {
		for set != 0 {
			if j := int(next(&set)); j > i {
				contacts = append(contacts, Contact{i, j})
			}
		}
	}
	return contacts
}

// partners returns, for each residue, the set of residues in contact with it.
func (s Structure) partners() (p [Length]uint32) {
	var residue [sites]uint8
	for i, at := range s {
		residue[at] = uint8(i)
	}
	for i, at := range s {
		for set := neighbours[at]; set != 0; {
			p[i] |= 1 << residue[next(&set)]
		}
		if i > 0 {
			p[i] &^= 1 << (i - 1)
		}
		if i < Length-1 {
			p[i] &^= 1 << (i + 1)
		}
	}
	return p
}

// Shared is the number of contacts that two structures have in common.
func Shared(a, b Structure) (n int) {
	p, q := a.partners(), b.partners()
	for i := range p {
		for set := p[i] & q[i] >> i << i; set != 0; n++ {
			next(&set)
		}
	}
	return n
}

// Reversed is the structure walked from the other end.
func (s Structure) Reversed() Structure {
	var r Structure
	for i, at := range s {
		r[Length-1-i] = at
	}
	return r.canonical()
}

// canonical is the smallest image of a walk under the symmetries of the cube.
func (s Structure) canonical() Structure {
	least := s
	for _, g := range symmetries[1:] {
		var image Structure
		for i, at := range s {
			image[i] = g[at]
		}
		if bytes.Compare(image[:], least[:]) < 0 {
			least = image
		}
	}
	return least
}
