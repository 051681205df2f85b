package dynamics

import (
	"math"
	"math/bits"
	"slices"

	"instanton/rbm"
	"instanton/unit"
)

// Blocks reads the magnetizations of blocks of spins that stand side by side.
type Blocks struct {
	masks [][]uint64
	sizes []float64
}

// Len is the number of blocks.
func (b *Blocks) Len() int { return len(b.sizes) }

// NewBlocks takes the blocks in the order in which their spins stand.
func NewBlocks(all []rbm.Block) *Blocks {
	b := &Blocks{}
	n := 0
	for _, x := range all {
		n += x.Size
	}
	at := 0
	for _, x := range all {
		mask := make([]uint64, (n+63)/64)
		for i := at; i < at+x.Size; i++ {
			mask[i/64] |= 1 << (i % 64)
		}
		at += x.Size
		b.masks, b.sizes = append(b.masks, mask), append(b.sizes, float64(x.Size))
	}
	return b
}

// Read sets dst to the magnetizations of configuration k, 0 for empty blocks.
func (b *Blocks) Read(dst []float64, v *unit.States, k int) {
	row := v.BitRow(k)
	for c, mask := range b.masks {
		up := 0
		for w, m := range mask {
			up += bits.OnesCount64(m & row[w])
		}
		dst[c] = 0
		if b.sizes[c] > 0 {
			dst[c] = 2*float64(up)/b.sizes[c] - 1
		}
	}
}

// OwnBlocks are the positions of the blocks that see one hidden unit only, by unit.
func OwnBlocks(all []rbm.Block) (own []int) {
	for mu := 0; ; mu++ {
		k := slices.IndexFunc(all, func(b rbm.Block) bool { return b.Mu == mu && b.Nu == mu })
		if k < 0 {
			return own
		}
		own = append(own, k)
	}
}

// BlockStates are configurations in which blocks point where their hidden units do, given by the signs of the hidden
// units, one row per configuration; where that is nowhere (0), half of the spins are up.
func BlockStates(all []rbm.Block, signs [][]float64) *unit.States {
	n := 0
	for _, b := range all {
		n += b.Size
	}
	v := unit.NewStates(unit.Spec{Type: unit.Spin, N: n}, len(signs))
	for k, s := range signs {
		at := 0
		for _, b := range all {
			for i := range b.Size {
				x := s[b.Mu] + s[b.Nu]
				if x == 0 {
					x = 1 - 2*float64(i%2)
				}
				v.Set(k, at+i, math.Copysign(1, x))
			}
			at += b.Size
		}
	}
	return v
}
