package verdict

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// SeedFor is the seed of something that shall share no random numbers with the rest of a figure. Seeds next to each
// other are other runs of the whole paper, so that adding one would share theirs.
func (s Settings) SeedFor(purpose string) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", s.Seed, purpose))
	return binary.LittleEndian.Uint64(sum[:])
}
