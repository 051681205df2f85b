package lattice

import (
	"cmp"
	"math"
	"slices"
	"testing"
)

func TestBest(t *testing.T) {
	a := index(t, "A")
	v := parse(t, "EKALNPVDTECWKEYKKKMRPVMLDAR")
	best := all().Best(v, 5)
	if len(best) != 5 || best[0].Index != a || best[0].Energy != -95.71 ||
		math.Abs(best[0].Pnat-0.788313967286) > 1e-12 {
		t.Errorf("the best structures are %v, want A first", best)
	}
	for k, f := range best {
		if f.Energy != Energy(v, space().At(f.Index)) || math.Abs(f.Pnat-all().Pnat(f.Index, v)) > 1e-14 {
			t.Errorf("structure %d has %v", f.Index, f)
		}
		if k > 0 && (f.Energy < best[k-1].Energy || f.Energy == best[k-1].Energy && f.Index < best[k-1].Index) {
			t.Errorf("%v comes after %v", f, best[k-1])
		}
	}
	if n := len(competitors(t, []int{3, 4}).Best(v, 5)); n != 2 {
		t.Errorf("%d of 2 structures", n)
	}
}

// The best structures are the first of all structures sorted.
func TestBestIsTheStartOfTheWholeOrder(t *testing.T) {
	set := competitors(t, every(40))
	// The last two sequences have many equal energies.
	for _, text := range []string{"EKALNPVDTECWKEYKKKMRPVMLDAR", "AAAAAAAAAAAAAAAAAAAAAAAAAAK",
		"KLLLLLLLLLLLLLLLLLLLLLLLLLL"} {
		v := parse(t, text)
		order := set.Indices()
		slices.SortStableFunc(order,
			func(a, b int) int { return cmp.Compare(Energy(v, space().At(a)), Energy(v, space().At(b))) })
		for _, n := range []int{1, 9, 300, len(order)} {
			for k, f := range set.Best(v, n) {
				if f.Index != order[k] {
					t.Fatalf("%s: place %d of %d is structure %d, want %d", text, k, n, f.Index, order[k])
				}
			}
		}
	}
}

// If all energies are equal, the structures come in the order of their indices.
func TestBestOfEquals(t *testing.T) {
	var v Sequence
	for k, f := range competitors(t, every(1000)).Best(v, 4) {
		if f.Index != 1000*k {
			t.Errorf("place %d is structure %d", k, f.Index)
		}
	}
}
