package rng

import (
	"math"
	"slices"
	"testing"
)

// The known-answer vectors published with Random123 (kat_vectors, philox4x32 10).
func TestPhiloxKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		counter [4]uint32
		key     [2]uint32
		want    [4]uint32
	}{
		{[4]uint32{}, [2]uint32{},
			[4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{[4]uint32{math.MaxUint32, math.MaxUint32, math.MaxUint32, math.MaxUint32},
			[2]uint32{math.MaxUint32, math.MaxUint32},
			[4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{[4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, [2]uint32{0xa4093822, 0x299f31d0},
			[4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		if got := Philox(c.counter, c.key); got != c.want {
			t.Errorf("Philox(%x, %x) = %x, want %x", c.counter, c.key, got, c.want)
		}
	}
}

// The layout of the counter is a contract: every sample of every run hangs on it.
func TestStreamLayout(t *testing.T) {
	s := New(0x1122334455667788, Visible, 7, 5<<32|9)
	want := Philox([4]uint32{3, 7, 9, uint32(Visible)<<24 | 5}, [2]uint32{0x55667788, 0x11223344})
	if got := s.Block(3); got != want {
		t.Errorf("block 3 = %x, want %x", got, want)
	}
}

// Golden outputs: a change here changes every sample that anyone has drawn.
func TestStreamGolden(t *testing.T) {
	words := make([]uint32, 6)
	New(42, Hidden, 1, 2).Fill(words)
	want := []uint32{0x78b6f874, 0x8299186d, 0xd3c42c3, 0xf052af09, 0x9ca0209, 0x7cc41b00}
	if !slices.Equal(words, want) {
		t.Errorf("words %#x, want %#x", words, want)
	}
	if got, want := New(42, Patterns, 0, 0).Rand().Perm(8), []int{4, 3, 5, 7, 6, 1, 2, 0}; !slices.Equal(got, want) {
		t.Errorf("permutation %v, want %v", got, want)
	}
}

// Fill must give the same words whatever the length asked for.
func TestFillIsPrefixStable(t *testing.T) {
	s := New(3, Site, 4, 5)
	long := make([]uint32, 37)
	s.Fill(long)
	for n := range long {
		short := make([]uint32, n)
		s.Fill(short)
		for i := range short {
			if short[i] != long[i] {
				t.Fatalf("length %d: word %d is %x, want %x", n, i, short[i], long[i])
			}
		}
	}
}

// Streams that differ in any one coordinate must not share words.
func TestStreamsDiffer(t *testing.T) {
	seen := map[[4]uint32]string{}
	for name, s := range map[string]Stream{
		"base": New(1, Hidden, 1, 1), "seed": New(2, Hidden, 1, 1), "high seed": New(1|1<<40, Hidden, 1, 1),
		"purpose": New(1, Visible, 1, 1), "chain": New(1, Hidden, 2, 1), "sweep": New(1, Hidden, 1, 2),
		"high sweep": New(1, Hidden, 1, 1|1<<33),
	} {
		b := s.Block(0)
		if other, dup := seen[b]; dup {
			t.Errorf("streams %s and %s agree", name, other)
		}
		seen[b] = name
	}
}

func TestUniformIsOpenAndUnbiased(t *testing.T) {
	if lo, hi := Uniform(0), Uniform(math.MaxUint32); lo <= 0 || hi >= 1 {
		t.Fatalf("Uniform covers [%g, %g], want the open interval (0,1)", lo, hi)
	}
	const n = 1 << 16
	var sum float64
	words := make([]uint32, n)
	New(9, Data, 0, 0).Fill(words)
	for _, w := range words {
		sum += Uniform(w)
	}
	// Standard error of the mean of n uniforms is 1/sqrt(12 n); five of them.
	if mean, tol := sum/n, 5/math.Sqrt(12*n); math.Abs(mean-0.5) > tol {
		t.Errorf("mean %g, want 0.5 ± %g", mean, tol)
	}
}

func TestBelow(t *testing.T) {
	if got := Below(math.MaxUint32, math.MaxUint32, 7); got != 6 {
		t.Errorf("largest word maps to %d, want 6", got)
	}
	counts := make([]int, 5)
	const n = 50000
	for i := range uint32(n) {
		b := New(11, Site, 0, 0).Block(i)
		counts[Below(b[0], b[1], 5)]++
	}
	for k, c := range counts { // binomial error, five standard deviations
		if tol := 5 * math.Sqrt(n*0.2*0.8); math.Abs(float64(c)-n*0.2) > tol {
			t.Errorf("value %d drawn %d times, want %d ± %.0f", k, c, n/5, tol)
		}
	}
}

func TestFillAllocatesNothing(t *testing.T) {
	dst := make([]uint32, 101)
	if a := testing.AllocsPerRun(100, func() { New(1, Hidden, 2, 3).Fill(dst) }); a != 0 {
		t.Errorf("Fill allocates %g times", a)
	}
}

func BenchmarkFill(b *testing.B) {
	dst := make([]uint32, 1024)
	b.SetBytes(4 * int64(len(dst)))
	for i := range b.N {
		New(1, Hidden, 2, uint64(i)).Fill(dst)
	}
}
