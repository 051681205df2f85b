package lattice

import (
	"math"
	"testing"

	"instanton/internal/rng"
)

// newFolding returns a folding with a sequence, which must be valid.
func newFolding(t testing.TB, c *Competitors, native int, v Sequence) *Folding {
	t.Helper()
	f, err := NewFolding(c, native)
	if err != nil {
		t.Fatal(err)
	}
	f.Set(v)
	return f
}

// The probabilities of one mutant, of all mutants, and after a mutation are those computed afresh, in sets of any
// length modulo the stride. Ratios of at most 4 factors and sums cost a few units of rounding.
func TestMutations(t *testing.T) {
	const tolerance = 1e-12
	for n := range 9 {
		set := every(97)[:1000+n]
		native := set[500]
		c := competitors(t, set)
		v := randomSequence(uint64(n))
		f := newFolding(t, c, native, v)
		near := func(what string, got float64, v Sequence) {
			t.Helper()
			if want := c.Pnat(native, v); math.Abs(got-want) > tolerance*want {
				t.Fatalf("%d structures, %s: P_nat is %.16g, want %.16g", len(set), what, got, want)
			}
		}
		near("start", f.Pnat(), v)
		for i := range Length {
			var p [Residues]float64
			f.Mutants(i, &p)
			w := v
			for a := range uint8(Residues) {
				w[i] = a
				near("one of all mutants", p[a], w)
				near("mutant", f.Mutant(i, a), w)
			}
			v[i] = uint8((3*i + n) % Residues)
			f.Mutate(i, v[i])
			near("mutated", f.Pnat(), v)
			if f.Sequence() != v {
				t.Fatalf("the sequence is %s, want %s", f.Sequence(), v)
			}
		}
	}
}

func TestDrift(t *testing.T) {
	c := competitors(t, every(10))
	f := newFolding(t, c, 0, randomSequence(1))
	r := rng.New(2, rng.Site, 0, 0).Rand()
	for range 1000 {
		f.Mutate(r.IntN(Length), uint8(r.IntN(Residues)))
	}
	if z := c.Partition(f.Sequence()); math.Abs(f.z-z) > 1e-13*z {
		t.Errorf("after 1000 mutations Z is off by %g of itself", f.z/z-1)
	}
}

func TestFoldingAddsNative(t *testing.T) {
	f := newFolding(t, competitors(t, []int{1, 2}), 9, randomSequence(1))
	if want := plainPnat([]int{1, 2, 9}, 9, randomSequence(1)); math.Abs(f.Pnat()-want) > 1e-13 {
		t.Errorf("P_nat is %g, want %g", f.Pnat(), want)
	}
	if _, err := NewFolding(f.set, NumStructures); err == nil {
		t.Error("a structure out of range was taken")
	}
}
