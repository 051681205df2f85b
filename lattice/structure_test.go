package lattice

import "testing"

func TestContacts(t *testing.T) {
	pairs := map[Contact]bool{}
	maps := map[[Length]uint32]bool{}
	least, most := Length, 0
	for k, s := range space().structures {
		contacts := s.Contacts()
		if len(contacts) != NumContacts {
			t.Fatalf("structure %d has %d contacts", k, len(contacts))
		}
		var degree [Length]int
		for _, c := range contacts {
			if c.J-c.I < 3 || (c.J-c.I)%2 == 0 {
				t.Fatalf("structure %d has the contact %v", k, c)
			}
			pairs[c] = true
			degree[c.I]++
			degree[c.J]++
		}
		for _, d := range degree {
			least, most = min(least, d), max(most, d)
		}
		maps[s.partners()] = true
	}
	if len(pairs) != 156 || least != 1 || most != maxPartners {
		t.Errorf("%d pairs ever touch and residues have %d to %d contacts, want 156 and 1 to 4", len(pairs), least,
			most)
	}
	if len(maps) != NumStructures {
		t.Errorf("there are %d contact maps of %d structures", len(maps), NumStructures)
	}
}

// Contacts follow from the geometry alone.
func TestContactsAreNeighbours(t *testing.T) {
	for _, name := range []string{"A", "B", "C"} {
		s := space().At(index(t, name))
		k := 0
		contacts := s.Contacts()
		for i := range Length {
			for j := i + 2; j < Length; j++ {
				distance := 0
				for c, p := range coordinates(s[i]) {
					q := coordinates(s[j])[c]
					distance += (p - q) * (p - q)
				}
				if distance != 1 {
					continue
				}
				if k >= len(contacts) || contacts[k] != (Contact{i, j}) {
					t.Fatalf("%s: residues %d and %d touch, contacts are %v", name, i, j, contacts)
				}
				k++
			}
		}
		if k != len(contacts) {
			t.Errorf("%s: %d pairs touch, want %d", name, k, len(contacts))
		}
	}
}

func TestShared(t *testing.T) {
	a, b := space().At(index(t, "A")), space().At(index(t, "B"))
	if n := Shared(a, b); n != 2 {
		t.Errorf("A and B share %d contacts, want 2", n)
	}
	if n := Shared(a, a); n != NumContacts {
		t.Errorf("A shares %d contacts with itself", n)
	}
}
