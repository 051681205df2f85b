package kernel

import "math/bits"

// Stream names the random words of one (seed, purpose, chain, sweep), laid out as in package rng: Key is the seed and
// Counter is {first block, chain, sweep, purpose and high bits of sweep}. Block b holds words 4b to 4b+3.
type Stream struct {
	Key     [2]uint32
	Counter [4]uint32
}

// OfChain is the stream of the chain that is c places after that of s.
func (s Stream) OfChain(c int) Stream {
	s.Counter[1] += uint32(c)
	return s
}

// Words sets dst to the first words of a stream:
//
//	for i := range dst {
//		dst[i] = philox4x32(s.Counter[0]+i/4, s.Counter[1:], s.Key)[i%4]
//	}
func Words(dst []uint32, s Stream) {
	if !vector {
		wordsGo(dst, s)
		return
	}
	const most = 1 << 15 // words per call; assembly cannot be preempted
	for vector512 && len(dst) >= 32 {
		n := min(len(dst), most) / 32
		philoxAVX512(&dst[0], &s.Key, &s.Counter, n)
		s.Counter[0] += uint32(8 * n)
		dst = dst[32*n:]
	}
	for len(dst) >= 16 {
		n := min(len(dst), most) / 16
		philoxAVX2(&dst[0], &s.Key, &s.Counter, n)
		s.Counter[0] += uint32(4 * n)
		dst = dst[16*n:]
	}
	if len(dst) > 0 {
		var last [16]uint32
		philoxAVX2(&last[0], &s.Key, &s.Counter, 1)
		copy(dst, last[:])
	}
}

// wordsGo sets dst to the first words of a stream:
//
//	for i := range dst {
//		dst[i] = philox4x32(s.Counter[0]+i/4, s.Counter[1:], s.Key)[i%4]
//	}
func wordsGo(dst []uint32, s Stream) {
	for len(dst) > 0 {
		block := philox4x32(s.Counter, s.Key)
		dst = dst[copy(dst, block[:]):]
		s.Counter[0]++
	}
}

// Lanes is the number of chains processed side by side.
const Lanes = 8

// WordsOfChains sets dst to the words of the chains of s and of the seven after it, side by side, for len(dst)/8
// units; that number must be a multiple of four:
//
//	for i := range dst {
//		dst[i] = word i/8 of s.OfChain(i%8)
//	}
func WordsOfChains(dst []uint32, s Stream) {
	if !vector {
		wordsOfChainsGo(dst, s)
		return
	}
	const most = 1 << 15
	for len(dst) >= 4*Lanes {
		n := min(len(dst), most) / (4 * Lanes)
		philoxLanesAVX2(&dst[0], &s.Key, &s.Counter, n)
		s.Counter[0] += uint32(n)
		dst = dst[4*Lanes*n:]
	}
}

// wordsOfChainsGo sets dst to the words of the chains of s and of the seven after it, side by side, for len(dst)/8
// units; that number must be a multiple of four:
//
//	for i := range dst {
//		dst[i] = word i/8 of s.OfChain(i%8)
//	}
func wordsOfChainsGo(dst []uint32, s Stream) {
	for ; len(dst) >= 4*Lanes; dst = dst[4*Lanes:] {
		for lane := range Lanes {
			for j, word := range philox4x32(s.OfChain(lane).Counter, s.Key) {
				dst[Lanes*j+lane] = word
			}
		}
		s.Counter[0]++
	}
}

// philox4x32 is the Philox4x32-10 bijection of Salmon, Moraes, Dror and Shaw (2011).
func philox4x32(c [4]uint32, key [2]uint32) [4]uint32 {
	c0, c1, c2, c3 := c[0], c[1], c[2], c[3]
	k0, k1 := key[0], key[1]
	for range 10 {
		hi0, lo0 := bits.Mul32(0xD2511F53, c0)
		hi1, lo1 := bits.Mul32(0xCD9E8D57, c2)
		c0, c1, c2, c3 = hi1^c1^k0, lo1, hi0^c3^k1, lo0
		k0 += 0x9E3779B9
		k1 += 0xBB67AE85
	}
	return [4]uint32{c0, c1, c2, c3}
}
