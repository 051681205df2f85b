package lattice

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"
)

// Other tables of the same authors, and copies with altered entries, are in circulation: no entry may change.
func TestTableIsMJ1996(t *testing.T) {
	h := sha256.New()
	pairs := 0
	for i, a := range []byte(order) {
		for j, b := range []byte(order[:i+1]) {
			e := contactEnergy[residueOf(a)][residueOf(b)]
			if e != contactEnergy[residueOf(b)][residueOf(a)] || e != -miyazawaJernigan[i][j] {
				t.Errorf("%c and %c: the energy depends on their order", a, b)
			}
			fmt.Fprintf(h, "%c%c %d\n", a, b, e)
			pairs++
		}
	}
	if pairs != 210 {
		t.Errorf("%d pairs, want 210", pairs)
	}
	const want = "17bd297c5cd48677a5a1c8b3191aafa14e823d6338f2a5996a5c95d3acf4afa6"
	if sum := hex.EncodeToString(h.Sum(nil)); sum != want {
		t.Errorf("the table has SHA-256 %s, want %s", sum, want)
	}
}

func TestContactEnergy(t *testing.T) {
	for pair, want := range map[string]float64{"CC": -5.44, "MV": -5.32, "DM": -2.57, "EM": -2.89, "LL": -7.37,
		"KK": -0.12, "PP": -1.75} {
		if e := ContactEnergy(uint8(residueOf(pair[0])), uint8(residueOf(pair[1]))); e != want {
			t.Errorf("%s: %g, want %g", pair, e, want)
		}
	}
}
