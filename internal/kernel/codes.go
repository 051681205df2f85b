package kernel

import "math"

// Categorical draws the states of Potts units, eight chains side by side. It holds their fields, so every worker needs
// its own.
type Categorical struct {
	Units, States int

	block []float32 // [unit][state][8], padded to a whole tile
	words []uint32  // [unit][8], padded to a whole block of Philox
	tops  []float32 // [unit][8], the largest field
	codes []uint8   // [8][unit], for a last block with fewer chains
}

// NewCategorical returns a Categorical for the given number of units with q states each.
func NewCategorical(units, q int) *Categorical {
	return &Categorical{
		Units: units, States: q,
		block: make([]float32, Lanes*pad(units*q, tile)),
		words: make([]uint32, Lanes*pad(units, 4)),
		tops:  make([]float32, Lanes*units),
		codes: make([]uint8, Lanes*units),
	}
}

// FromFields draws unit i of chain c in state a with probability ∝ exp(scale·field) of output i·q+a, from word i of
// s.OfChain(c). Rows of dst are stride apart.
func (d *Categorical) FromFields(dst []uint8, stride int, f *Fields, scale float32, s Stream) {
	scale = float32(float32(f.source.Scale*scale) * math.Log2E)
	n := d.Units * d.States
	for c := 0; c < f.Chains; c += Lanes {
		chains := min(Lanes, f.Chains-c)
		if vector && chains == Lanes {
			lanesFixedAVX2(&d.block[0], &f.values[c*tile], rowBytes, f.Chains*rowBytes, pad(n, tile)/tile, scale)
		} else {
			lanesFixedGo(d.block, f.values[c*tile:], tile, f.Chains*tile, chains, n, scale)
		}
		d.draw(dst[c*stride:], stride, chains, s.OfChain(c))
	}
}

// FromRows is FromFields for the fields of some chains in rows of float32 that are row apart.
func (d *Categorical) FromRows(dst []uint8, stride int, x []float32, row, chains int, scale float32, s Stream) {
	scale = float32(scale * math.Log2E)
	n := d.Units * d.States
	for from := 0; from < chains; from += Lanes {
		have := min(Lanes, chains-from)
		whole := 0
		if vector && have == Lanes {
			if whole = n &^ (tile - 1); whole > 0 {
				_ = x[(from+Lanes-1)*row+whole-1]
				lanesAVX2(&d.block[0], &x[from*row], 4*row, rowBytes, whole/tile, scale)
			}
		}
		lanesGo(d.block[Lanes*whole:], x[from*row+whole:], row, have, n-whole, scale)
		d.draw(dst[from*stride:], stride, have, s.OfChain(from))
	}
}

// draw draws the units of some chains from the fields in the block.
func (d *Categorical) draw(dst []uint8, stride, chains int, s Stream) {
	WordsOfChains(d.words, s)
	if chains == Lanes {
		categorical(dst, stride, d.block, d.States, d.words, d.tops, d.Units)
		return
	}
	categorical(d.codes, d.Units, d.block, d.States, d.words, d.tops, d.Units)
	for c := range chains {
		copy(dst[c*stride:][:d.Units], d.codes[c*d.Units:])
	}
}

// lanesFixedGo lays the fields of some chains side by side, in units of scale; the sixteen fields of a tile lie
// together, those of chains and tiles strides apart:
//
//	for j := range n {
//		for lane := range chains {
//			dst[8*j+lane] = float32(src[lane*chain+j/16*tileStride+j%16]) * scale
//		}
//	}
func lanesFixedGo(dst []float32, src []int32, chain, tileStride, chains, n int, scale float32) {
	for j := range n {
		from := src[j/tile*tileStride+j%tile:]
		for lane := range chains {
			dst[Lanes*j+lane] = float32(float32(from[lane*chain]) * scale)
		}
	}
}

// lanesGo is lanesFixedGo for rows of fields in floating point:
//
//	for j := range n {
//		for lane := range chains {
//			dst[8*j+lane] = src[lane*row+j] * scale
//		}
//	}
func lanesGo(dst []float32, src []float32, row, chains, n int, scale float32) {
	for j := range n {
		for lane := range chains {
			dst[Lanes*j+lane] = float32(src[lane*row+j] * scale)
		}
	}
}

// categorical draws the states of Potts units on eight chains side by side, with probabilities ∝ 2^x. It overwrites x
// with cumulative sums and may use tops. Rows of dst are stride apart:
//
//	for i := range units {
//		for lane := range 8 {
//			x := x[8*q*i+lane:] // every eighth number
//			top := max of x[8*a] over a
//			sum := 0
//			for a := range q {
//				sum += exp2Down(x[8*a] - top)
//				x[8*a] = sum
//			}
//			t := float32(words[8*i+lane]>>8) / (1 << 24) * sum
//			dst[lane*stride+i] = number of a with x[8*a] <= t
//		}
//	}
func categorical(dst []uint8, stride int, x []float32, q int, words []uint32, tops []float32, units int) {
	if !vector {
		categoricalGo(dst, stride, x, q, words, units)
		return
	}
	_, _, _, _ = dst[(Lanes-1)*stride+units-1], x[Lanes*q*units-1], words[Lanes*units-1], tops[Lanes*units-1]
	most := max(1, 8192/q) // units per call; assembly cannot be preempted
	for i := 0; i < units; i += most {
		categoricalAVX2(&dst[i], stride, &x[Lanes*q*i], q, &words[Lanes*i], &tops[0], min(most, units-i))
	}
}

// categoricalGo draws the states of Potts units on eight chains side by side, with probabilities ∝ 2^x. It overwrites
// x with cumulative sums. Rows of dst are stride apart:
//
//	for i := range units {
//		for lane := range 8 {
//			x := x[8*q*i+lane:] // every eighth number
//			top := max of x[8*a] over a
//			sum := 0
//			for a := range q {
//				sum += exp2Down(x[8*a] - top)
//				x[8*a] = sum
//			}
//			t := float32(words[8*i+lane]>>8) / (1 << 24) * sum
//			dst[lane*stride+i] = number of a with x[8*a] <= t
//		}
//	}
func categoricalGo(dst []uint8, stride int, x []float32, q int, words []uint32, units int) {
	for i := range units {
		for lane := range Lanes {
			x := x[Lanes*q*i+lane:]
			top := x[0]
			for a := 1; a < q; a++ {
				top = max(top, x[Lanes*a])
			}
			var sum float32
			for a := range q {
				sum += exp2Down(x[Lanes*a] - top)
				x[Lanes*a] = sum
			}
			// The uniform number is below one, so t is below sum.
			t := float32(float32(float32(words[Lanes*i+lane]>>8)*(1.0/(1<<24))) * sum)
			state := 0
			for a := range q {
				if x[Lanes*a] <= t {
					state++
				}
			}
			dst[lane*stride+i] = uint8(state)
		}
	}
}
