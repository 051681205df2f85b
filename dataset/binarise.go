package dataset

import (
	"slices"

	"instanton/internal/rng"
)

// binariser converts grey images to black and white.
type binariser struct {
	o       MNISTOptions
	least   float64 // smallest grey value of a pixel that is on
	uniform []uint32
}

func (o MNISTOptions) binariser() *binariser { return &binariser{o: o, least: 255 * o.Threshold} }

// draw sets the bits of image k. Its random numbers depend only on the seed and k, not on which other images are
// taken.
func (b *binariser) draw(bits []uint64, grey []byte, k int) {
	if !b.o.Stochastic {
		for i, g := range grey {
			if float64(g) >= b.least {
				bits[i>>6] |= 1 << (i & 63)
			}
		}
		return
	}
	b.uniform = slices.Grow(b.uniform[:0], len(grey))[:len(grey)]
	set := uint64(0)
	if b.o.Test {
		set = 1
	}
	rng.New(b.o.Seed, rng.Data, uint32(k), set).Fill(b.uniform)
	for i, g := range grey {
		if rng.Uniform(b.uniform[i]) < float64(g)/255 {
			bits[i>>6] |= 1 << (i & 63)
		}
	}
}
