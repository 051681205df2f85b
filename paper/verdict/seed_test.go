package verdict

import (
	"math"
	"testing"
)

func TestSeedFor(t *testing.T) {
	seen := map[uint64]string{}
	for _, seed := range []uint64{0, 1, 2, 11, math.MaxUint64} {
		for _, purpose := range []string{"", "a", "b", "1 a"} {
			s := Settings{Seed: seed}
			x := s.SeedFor(purpose)
			if old, ok := seen[x]; ok {
				t.Errorf("seed %d for %q is that for %s", seed, purpose, old)
			}
			seen[x] = purpose
			if x != s.SeedFor(purpose) {
				t.Errorf("seed %d for %q changes", seed, purpose)
			}
		}
	}
	// The same on all machines: results are compared by seed.
	if got := (Settings{Seed: 1}).SeedFor("rotation 0"); got != 14751670587488170294 {
		t.Errorf("seed 1 for rotation 0 is %d", got)
	}
}
