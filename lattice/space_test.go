package lattice

import (
	"strings"
	"sync"
	"testing"
)

// space is enumerated once for all tests.
var space = sync.OnceValue(Enumerate)

var all = sync.OnceValue(func() *Competitors { return space().All() })

// index returns the index of a named structure.
func index(t testing.TB, name string) int {
	t.Helper()
	i, err := ParseIndex(name)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func TestEnumerate(t *testing.T) {
	s := space()
	if s.Len() != NumStructures {
		t.Fatalf("%d structures, want %d", s.Len(), NumStructures)
	}
	start := map[uint8]int{}
	sameReversed := 0
	for k, w := range s.structures {
		start[w[0]]++
		if k > 0 && strings.Compare(string(s.structures[k-1][:]), string(w[:])) >= 0 {
			t.Fatalf("structure %d does not come after the one before", k)
		}
		if r := w.Reversed(); r == w {
			sameReversed++
		} else if _, ok := s.Index(r); !ok {
			t.Fatalf("the reverse of structure %d is not among the structures", k)
		}
	}
	if classes := (s.Len() + sameReversed) / 2; classes != 51704 {
		t.Errorf("%d structures up to reversal, want 51704", classes)
	}
	// Only the identity preserves a walk through all sites, so each structure stands for 48 walks.
	for from, want := range map[uint8]int{site(0, 0, 0): 8 * 392628, site(0, 1, 1): 6 * 303264} {
		if n := 48 * start[from]; n != want {
			t.Errorf("%d walks start at an image of site %d, want %d", n, from, want)
		}
	}
}

// Counting walks without using symmetry gives the same number.
func TestEnumerateAgainstPlainCount(t *testing.T) {
	var count func(n int, at uint8, visited uint32) int
	count = func(n int, at uint8, visited uint32) (walks int) {
		if visited |= 1 << at; n == Length {
			return 1
		}
		for free := neighbours[at] &^ visited; free != 0; {
			walks += count(n+1, next(&free), visited)
		}
		return walks
	}
	if n := count(1, site(0, 1, 1), 0); n != 303264 {
		t.Errorf("%d walks from a face centre, want 303264", n)
	}
	if n := count(1, site(0, 0, 1), 0); n != 0 {
		t.Errorf("%d walks from the middle of an edge, want none", n)
	}
}

func TestNamedStructures(t *testing.T) {
	for _, c := range []struct {
		name  string
		index int
		walk  string
	}{
		{"A", 20706, "000 001 002 012 022 122 112 212 222 221 121 120 220 210 211 201 200 100 110 010 020 021 011 " +
			"111 101 102 202"},
		{"B", 65336, "000 001 011 111 211 221 222 122 112 212 202 201 200 100 101 102 002 012 022 021 020 010 110 " +
			"210 220 120 121"},
		{"C", 67108, ""}, {"D", 90260, ""}, {"G", 19457, ""},
	} {
		i := index(t, c.name)
		if i != c.index || Name(i) != c.name {
			t.Errorf("structure %s has index %d and the name %s, want %d", c.name, i, Name(i), c.index)
		}
		if walk := space().At(i).String(); c.walk != "" && walk != c.walk {
			t.Errorf("structure %s is\n%s, want\n%s", c.name, walk, c.walk)
		}
	}
}

func TestIndexOfImages(t *testing.T) {
	for k := 0; k < space().Len(); k += 997 {
		for _, g := range symmetries {
			var image Structure
			for i, at := range space().At(k) {
				image[i] = g[at]
			}
			if got, ok := space().Index(image); !ok || got != k {
				t.Fatalf("an image of structure %d has index %d (%v)", k, got, ok)
			}
		}
	}
}

func TestParseIndex(t *testing.T) {
	for text, want := range map[string]int{"A": 20706, "b": 65336, "0": 0, "103345": 103345} {
		if got, err := ParseIndex(text); err != nil || got != want {
			t.Errorf("structure %q is %d (%v), want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "E", "-1", "103346", "1.5", "99999999999999999999"} {
		if _, err := ParseIndex(text); err == nil || !strings.Contains(err.Error(), "from 0 to 103345") {
			t.Errorf("structure %q: %v", text, err)
		}
	}
}
