package paper

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// seedFor is the seed of one part of a figure. Parts with different purposes, and the same part under different seeds
// of the user, have nothing in common, whichever seeds are chosen.
func (s Settings) seedFor(purpose string) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", s.Seed, purpose))
	return binary.LittleEndian.Uint64(sum[:])
}
