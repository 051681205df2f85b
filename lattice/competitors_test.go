package lattice

import (
	"strings"
	"testing"
)

func TestFactorTableFits(t *testing.T) {
	c := all()
	if n := c.offset[evens]; n != 3232 {
		t.Errorf("%d factors, want 3232", n)
	}
	for i, g := range c.groups {
		if len(g.sets) < 176 || len(g.sets) > 560 || len(g.sets) > maxFactors {
			t.Errorf("residue %d has %d partner sets, want 176 to 560", i, len(g.sets))
		}
	}
}

func TestCompetitorsRefuse(t *testing.T) {
	for want, indices := range map[string][]int{
		"at least one":               nil,
		"there is no structure -1":   {4, -1},
		"from 0 to 103345":           {103346},
		"structure 7 competes twice": {7, 1, 7},
	} {
		if _, err := space().Competitors(indices); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", indices, err, want)
		}
	}
}

func TestWith(t *testing.T) {
	c := competitors(t, []int{5, 2})
	if same, err := c.With(2); err != nil || same != c {
		t.Errorf("a structure that competes already was added: %v", err)
	}
	more, err := c.With(3)
	if err != nil || more.Len() != 3 || more.Indices()[1] != 3 || c.Len() != 2 {
		t.Errorf("%v (%v), want 2, 3, 5", more.Indices(), err)
	}
}
