// Package rng gives counter-based random numbers: a number is a function of
// (seed, purpose, chain, sweep, unit), so that results depend neither on how many
// workers drew them nor on where a run was interrupted.
package rng

import "math/bits"

// Multipliers and Weyl increments of Philox4x32 (Salmon, Moraes, Dror, Shaw, SC 2011).
const (
	mul0  = 0xD2511F53
	mul1  = 0xCD9E8D57
	weyl0 = 0x9E3779B9
	weyl1 = 0xBB67AE85
)

// Philox is the Philox4x32-10 bijection: ten rounds on a 128-bit counter under a
// 64-bit key.
func Philox(counter [4]uint32, key [2]uint32) [4]uint32 {
	c0, c1, c2, c3 := counter[0], counter[1], counter[2], counter[3]
	k0, k1 := key[0], key[1]
	for range 10 {
		hi0, lo0 := bits.Mul32(mul0, c0)
		hi1, lo1 := bits.Mul32(mul1, c2)
		c0, c1, c2, c3 = hi1^c1^k0, lo1, hi0^c3^k1, lo0
		k0 += weyl0
		k1 += weyl1
	}
	return [4]uint32{c0, c1, c2, c3}
}
