package lattice

import (
	"math"
	"testing"

	"instanton/internal/rng"
)

// published lists sequences with known energies and probabilities against all structures.
var published = []struct {
	structure, sequence string
	energy, pnat        float64
}{
	{"A", "EKAMPAMDPDMAHEHKKKIRAWMFEGE", -93.82, 0.4741347133274},
	{"A", "EKALNPVDTECWKEYKKKMRPVMLDAR", -95.71, 0.788313967286},
	{"B", "PDRFIVQCLAQFEHFERDGDKDMRAEC", -106.68, 0.38106795544712},
}

func TestPublishedValues(t *testing.T) {
	for _, c := range published {
		i, v := index(t, c.structure), parse(t, c.sequence)
		if e := Energy(v, space().At(i)); e != c.energy {
			t.Errorf("%s in %s has energy %v, want %v", c.sequence, c.structure, e, c.energy)
		}
		if p := all().Pnat(i, v); math.Abs(p-c.pnat) > 1e-13 {
			t.Errorf("%s in %s has P_nat %.15g, want %.15g", c.sequence, c.structure, p, c.pnat)
		}
	}
}

// randomSequence is a function of a seed.
func randomSequence(seed uint64) (v Sequence) {
	r := rng.New(seed, rng.Start, 0, 0).Rand()
	for i := range v {
		v[i] = uint8(r.IntN(Residues))
	}
	return v
}

// plainPnat evaluates the formula directly, in logarithms.
func plainPnat(set []int, native int, v Sequence) float64 {
	e := Energy(v, space().At(native))
	z, counted := 0.0, false
	for _, i := range set {
		z += math.Exp(e - Energy(v, space().At(i)))
		counted = counted || i == native
	}
	if !counted {
		z++
	}
	return 1 / z
}

// every lists each nth structure.
func every(n int) (indices []int) {
	for i := 0; i < NumStructures; i += n {
		indices = append(indices, i)
	}
	return indices
}

// competitors returns a set, which must be valid.
func competitors(t testing.TB, indices []int) *Competitors {
	t.Helper()
	c, err := space().Competitors(indices)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The products of factors agree with sums of energies up to rounding (28 factors, and as many terms as structures),
// whether or not the set holds the native structure.
func TestPnatAgainstFormula(t *testing.T) {
	for _, n := range []int{1, 7, 101, 50000, 103345} {
		set := every(n)
		c := competitors(t, set)
		for seed := range uint64(3) {
			v := randomSequence(seed)
			for _, native := range []int{0, 101, index(t, "A")} {
				want := plainPnat(set, native, v)
				if got := c.Pnat(native, v); math.Abs(got-want) > 1e-12*want {
					t.Errorf("%d structures, native %d: P_nat %.16g, want %.16g", len(set), native, got, want)
				}
			}
			if n > 1 {
				continue
			}
			z := 0.0
			for _, s := range space().structures {
				z += math.Exp(-Energy(v, s))
			}
			if got := c.Partition(v); math.Abs(got-z) > 1e-12*z {
				t.Errorf("Z is %g, want %g", got, z)
			}
		}
	}
}

// The extreme energies neither overflow nor underflow.
func TestPartitionRange(t *testing.T) {
	for letter, e := range map[byte]float64{'L': -28 * 7.37, 'K': -28 * 0.12} {
		var v Sequence
		for i := range v {
			v[i] = uint8(residueOf(letter))
		}
		want := math.Log(NumStructures) - e // all structures have the same energy
		if got := math.Log(all().Partition(v)); math.Abs(got-want) > 1e-12*want {
			t.Errorf("all %c: log Z is %g, want %g", letter, got, want)
		}
		if p := all().Pnat(5, v); math.Abs(p*NumStructures-1) > 1e-12 {
			t.Errorf("all %c: P_nat is %g, want one in %d", letter, p, NumStructures)
		}
	}
}
