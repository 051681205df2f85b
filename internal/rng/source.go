package rng

import "math/rand/v2"

// Source reads a stream in order, for code outside the hot loops that needs a
// generator rather than numbered words: permutations, patterns, random models. It
// implements math/rand/v2.Source.
type Source struct {
	stream Stream
	index  uint32
	block  [4]uint32
	used   int
}

var _ rand.Source = (*Source)(nil)

// Rand returns a generator that reads the stream from its first word.
func (s Stream) Rand() *rand.Rand { return rand.New(&Source{stream: s, used: 4}) }

// Uint64 returns the next two words of the stream.
func (s *Source) Uint64() uint64 {
	if s.used == 4 {
		s.block = s.stream.Block(s.index)
		s.index++
		s.used = 0
	}
	hi, lo := s.block[s.used], s.block[s.used+1]
	s.used += 2
	return uint64(hi)<<32 | uint64(lo)
}
