package kernel

import (
	"math"
	"slices"
	"testing"
)

func TestDrawBits(t *testing.T) {
	r := source(1)
	for n := range 1000 {
		x, words := randomFloats(r, n), make([]uint32, n)
		Words(words, Stream{Counter: [4]uint32{0, uint32(n)}})
		got, twin := make([]uint64, bitWords(n)+1), make([]uint64, bitWords(n)+1)
		for i := range got {
			got[i] = math.MaxUint64 // must be overwritten
		}
		DrawBits(got, x, 1.5, words)
		drawBitsGo(twin, x, 0, float32(1.5*math.Log2E), words)
		if !slices.Equal(got, twin) {
			t.Fatalf("%d bits: assembly and twin differ", n)
		}
	}
}

func TestFieldsDrawBits(t *testing.T) {
	const chains = 3
	in := Inputs{Units: 10}
	for n := 1; n < 1000; n += 1 + n/30 {
		r := source(uint64(n))
		w, f := NewWeights(in, n), NewFields(chains, in, n)
		if err := w.Set(randomMatrix(r, 10, n), nil); err != nil {
			t.Fatal(err)
		}
		f.FromBits(w, randomBits(r, chains, 10, 0.5), 1)
		stride := bitWords(n) + 1
		s := Stream{Counter: [4]uint32{0, 5, 6, 7}}
		got := make([]uint64, chains*stride)
		for i := range got {
			got[i] = math.MaxUint64
		}
		f.DrawBits(got, stride, 0.7, s)
		scale := float32(float32(w.Scale*0.7) * math.Log2E)
		for c := range chains {
			words, want := make([]uint32, n), make([]uint64, bitWords(n))
			wordsGo(words, s.OfChain(c))
			drawBitsFixedGo(want, f.values[c*tile:], n, chains*tile, scale, words)
			if row := got[c*stride:][:stride]; !slices.Equal(row[:stride-1], want) || row[stride-1] != math.MaxUint64 {
				t.Fatalf("%d units, chain %d: assembly and twin differ", n, c)
			}
		}
	}
}

// probability counts exactly for how many of the 2^32 words a bit is set, by bisection: small words set it.
func probability(x float32) float64 {
	lo, hi := uint64(0), uint64(1)<<32
	for lo < hi {
		if mid := (lo + hi) / 2; bit(x, uint32(mid)) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return float64(lo) / (1 << 32)
}

func TestBitProbability(t *testing.T) {
	for x := -30.0; x <= 30; x += 0.0137 {
		p := 1 / (1 + math.Exp(-x))
		got := probability(float32(float32(x) * math.Log2E))
		// One word in 2^32, and a relative error of the smaller probability: that of exp2Up and two roundings, and of
		// the rounding of x, which grows with |x|.
		tol := 1.0/(1<<32) + math.Min(p, 1-p)*(4e-7+1.2e-7*math.Abs(x))
		if math.Abs(got-p) > tol {
			t.Errorf("x = %g: probability %.10g, want %.10g ± %.2g", x, got, p, tol)
		}
	}
}

// A word that sets a bit sets it at the next larger field, and where a bit is set for a word it is set for every
// smaller one (which the bisection above relies on).
func TestBitIsMonotone(t *testing.T) {
	r := source(9)
	for range 200000 {
		x, word := float32(20*r.NormFloat64()), r.Uint32()
		// A word near the threshold of x.
		if p := 1 / (1 + math.Exp2(-float64(x))); r.IntN(4) > 0 {
			word = uint32(math.Min(math.Max(p*(1<<32)+64*r.NormFloat64(), 0), 1<<32-1))
		}
		if set := bit(x, word); set && !bit(math.Nextafter32(x, 100), word) || word > 0 && set && !bit(x, word-1) {
			t.Fatalf("bit(%g, %d) is set, but not for the next larger field or the next smaller word", x, word)
		}
	}
	last := float32(0)
	for y := float32(1e-3); y < 3; y = math.Nextafter32(y, 4) + y*1e-5 {
		if e := exp2Up(y); e < last {
			t.Fatalf("exp2Up falls from %g to %g at %g", last, e, y)
		} else {
			last = e
		}
	}
	for n := float32(1); n < 64; n++ {
		if below, at := exp2Up(math.Nextafter32(n, 0)), exp2Up(n); below > at || at != float32(math.Exp2(float64(n))) {
			t.Errorf("exp2Up goes from %g to %g at %g", below, at, n)
		}
	}
}

func BenchmarkDrawBits(b *testing.B) {
	const chains, n = 64, 512
	r := source(5)
	in := Inputs{Units: 784}
	w, f := NewWeights(in, n), NewFields(chains, in, n)
	if err := w.Set(randomMatrix(r, 784, n), nil); err != nil {
		b.Fatal(err)
	}
	f.FromBits(w, randomBits(r, chains, 784, 0.5), 13)
	dst := make([]uint64, chains*8)
	perItem(b, chains*n, "fixed with words",
		func(i int) { f.DrawBits(dst, 8, 0.1, Stream{Counter: [4]uint32{0, 0, uint32(i)}}) })
	x, words := randomFloats(r, n), make([]uint32, n)
	Words(words, Stream{})
	perItem(b, 16*n, "float", func(int) {
		for range 16 {
			DrawBits(dst[:8], x, 1, words)
		}
	})
	perItem(b, n, "float/twin", func(int) { clear(dst); drawBitsGo(dst, x, 0, 1, words) })
}
