package kernel

import (
	"slices"
	"testing"

	"instanton/internal/rng"
)

// A stream of package rng and the same one as this package names it.
func sameStream() (rng.Stream, Stream) {
	return rng.New(0x1122334455667788, rng.Visible, 7, 5<<32|9),
		Stream{Key: [2]uint32{0x55667788, 0x11223344}, Counter: [4]uint32{0, 7, 9, uint32(rng.Visible)<<24 | 5}}
}

func TestWords(t *testing.T) {
	ref, s := sameStream()
	want := make([]uint32, 999)
	ref.Fill(want)
	for n := range 1000 {
		got, twin := make([]uint32, n), make([]uint32, n)
		Words(got, s)
		wordsGo(twin, s)
		if !slices.Equal(got, want[:n]) || !slices.Equal(twin, want[:n]) {
			t.Fatalf("the first %d words differ from those of package rng", n)
		}
	}
}

func TestWordsFromALaterBlock(t *testing.T) {
	_, s := sameStream()
	all, late := make([]uint32, 400), make([]uint32, 100)
	Words(all, s)
	s.Counter[0] = 5
	Words(late, s)
	if !slices.Equal(late, all[20:120]) {
		t.Error("words from block 5 on are not words 20 on")
	}
}

func TestWordsOfChains(t *testing.T) {
	_, s := sameStream()
	for units := 0; units < 400; units += 4 {
		got, twin := make([]uint32, Lanes*units), make([]uint32, Lanes*units)
		WordsOfChains(got, s)
		wordsOfChainsGo(twin, s)
		if !slices.Equal(got, twin) {
			t.Fatalf("%d units: assembly and twin differ", units)
		}
		for lane := range Lanes {
			want := make([]uint32, units)
			wordsGo(want, s.OfChain(lane))
			for i, w := range want {
				if got[Lanes*i+lane] != w {
					t.Fatalf("unit %d of chain %d: %x, want %x", i, lane, got[Lanes*i+lane], w)
				}
			}
		}
	}
}

func TestWordsAllocateNothing(t *testing.T) {
	dst := make([]uint32, 101)
	if a := testing.AllocsPerRun(100, func() { Words(dst, Stream{}); WordsOfChains(dst[:96], Stream{}) }); a != 0 {
		t.Errorf("%g allocations, want none", a)
	}
}

func BenchmarkWords(b *testing.B) {
	dst := make([]uint32, 1024)
	perItem(b, len(dst), "assembly", func(i int) { Words(dst, Stream{Counter: [4]uint32{0, uint32(i)}}) })
	perItem(b, len(dst), "twin", func(i int) { wordsGo(dst, Stream{Counter: [4]uint32{0, uint32(i)}}) })
	perItem(b, len(dst), "chains", func(i int) { WordsOfChains(dst, Stream{Counter: [4]uint32{0, uint32(i)}}) })
}
