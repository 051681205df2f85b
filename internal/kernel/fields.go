package kernel

import (
	"math"
	"unsafe"
)

// Fields holds the fixed-point fields that a block of chains exerts on the units of a layer, and remembers the states
// they belong to, so that the next call can start from the units that changed. Its memory is allocated once.
type Fields struct {
	Chains int
	Way    Way // how to compute; the result is always the same

	values []int32 // [tile][chain][16]
	out    int

	source     *Weights // what the values belong to: these weights,
	generation uint64   // as they were set,
	bits       []uint64 // and these states
	codes      []uint8

	columns []uint64 // the words of the states, one word of all chains after the other

	counts [][2]uint32 // rows to add and to subtract, for each chain
	rows   []uint32    // the lists of these rows, for as many chains as fit
	tables []int32     // subset sums of one word
	words  []uint32    // random words of one chain
	order  []uint32    // chains sorted by the state of a Potts unit,
	starts []int       // and where each state begins
}

// NewFields returns fields of chains with inputs and outputs of the given sizes.
func NewFields(chains int, in Inputs, out int) *Fields {
	f := &Fields{Chains: chains, out: out}
	f.values = make([]int32, chains*pad(out, 2*tile))
	if in.States > 0 {
		f.codes = make([]uint8, chains*in.Units)
	} else {
		f.bits = make([]uint64, chains*bitWords(in.Units))
		f.columns = make([]uint64, len(f.bits))
	}
	f.counts = make([][2]uint32, chains)
	f.rows = make([]uint32, max(1<<14, 2*in.Units+6))
	f.tables = make([]int32, wordGroups*subsetTable)
	f.words = make([]uint32, pad(out, 32))
	return f
}

// Resize changes the number of chains, to at most the number there is memory for, and forgets the states.
func (f *Fields) Resize(chains int) {
	if len(f.values) < chains*pad(f.out, 2*tile) {
		panic("kernel: fields of more chains than there is memory for")
	}
	f.Chains, f.source = chains, nil
}

// bitWords is the number of words that n bits fill.
func bitWords(n int) int { return (n + 63) / 64 }

// tileValues returns the fields of tile t.
func (f *Fields) tileValues(t int) []int32 {
	n := f.Chains * tile
	return f.values[t*n : (t+1)*n]
}

// Value is the field of output j on chain c in fixed point.
func (f *Fields) Value(c, j int) int32 { return f.tileValues(j / tile)[c*tile+j%tile] }

// reset sets the fields of chain c to those with no unit set.
func (f *Fields) reset(w *Weights, c int) {
	for t := range w.tilesUsed() {
		copy(f.tileValues(t)[c*tile:(c+1)*tile], w.base[t*tile:])
	}
}

// known reports whether the values belong to these weights.
func (f *Fields) known(w *Weights) bool { return f.source == w && f.generation == w.generation }

// remember records that the values now belong to these weights.
func (f *Fields) remember(w *Weights) { f.source, f.generation = w, w.generation }

// FromBits computes the fields of chains whose states are rows of bits that are stride words apart:
//
//	field[c][j] = base[j] + Σ_i bit(states[c], i)·weight[i][j]
func (f *Fields) FromBits(w *Weights, states []uint64, stride int) {
	if f.Chains == 0 {
		return
	}
	way := f.plan(w, states, stride)
	if way == Subsets {
		f.fromSubsets(w, states, stride)
	} else {
		f.fromLists(w, func(c int) { f.listBits(w, c, states[c*stride:]) })
	}
	n := bitWords(w.Units)
	for c := range f.Chains {
		copy(f.bits[c*n:(c+1)*n], states[c*stride:])
	}
	f.remember(w)
}

// fromSubsets sums tabulated subsets of the rows of each word ("four Russians"),
// one tile and one word at a time so that the tables stay in the first-level cache. For the
// sake of that cache the same words of all chains are laid side by side first.
func (f *Fields) fromSubsets(w *Weights, states []uint64, stride int) {
	for c := range f.Chains {
		for word, bits := range states[c*stride:][:bitWords(w.Units)] {
			f.columns[word*f.Chains+c] = bits
		}
	}
	for t := range w.tilesUsed() {
		acc, base := f.tileValues(t), w.base[t*tile:(t+1)*tile]
		for word := range bitWords(w.Units) {
			groups := min(wordGroups, (w.Units-64*word+groupBits-1)/groupBits)
			groups = subsetSums(f.tables, w.tileRows(t, 64*word), groups)
			addSubsets(acc, base, f.tables, f.columns[word*f.Chains:], 1, f.Chains, groups)
			base = nil
		}
	}
}

// fromLists adds and subtracts listed rows. It calls list for each chain, which appends to f.rows and sets the chain's
// counts.
func (f *Fields) fromLists(w *Weights, list func(c int)) {
	longest := 2*w.Units + 6
	for from := 0; from < f.Chains; {
		to, used := from, 0
		for ; to < f.Chains && used+longest <= len(f.rows); to++ {
			f.rows = f.rows[:used]
			list(to)
			used = len(f.rows)
			f.rows = f.rows[:cap(f.rows)]
		}
		for t := range w.tilesUsed() {
			addRows(f.tileValues(t)[from*tile:to*tile], w.tileRows(t, 0), f.rows, f.counts[from:to])
		}
		from = to
	}
}

// listBits lists the rows that chain c must add and subtract: those of the units that changed or, starting from zero,
// those of the units that are set, as planned.
func (f *Fields) listBits(w *Weights, c int, state []uint64) {
	n := bitWords(w.Units)
	old := f.bits[c*n : (c+1)*n]
	if f.counts[c][1] == fresh {
		f.reset(w, c)
		clear(old)
	}
	start := len(f.rows)
	for i, s := range state[:n] {
		f.rows = appendBits(f.rows, s&^old[i], 64*i)
	}
	f.rows, f.counts[c][0] = fillUp(f.rows, start, w.zero())
	start = len(f.rows)
	for i, s := range state[:n] {
		f.rows = appendBits(f.rows, old[i]&^s, 64*i)
	}
	f.rows, f.counts[c][1] = fillUp(f.rows, start, w.zero())
}

// FromCodes computes the fields of chains of Potts units whose states are stride bytes apart:
//
//	field[c][j] = base[j] + Σ_i weight[i·q+states[c][i]][j]
func (f *Fields) FromCodes(w *Weights, states []uint8, stride int) {
	known := f.known(w)
	f.fromLists(w, func(c int) {
		state, old := states[c*stride:c*stride+w.Units], f.codes[c*w.Units:(c+1)*w.Units]
		changed := w.Units
		if known {
			changed = 0
			for i, a := range state {
				if a != old[i] {
					changed++
				}
			}
		}
		if 2*changed >= w.Units {
			f.reset(w, c)
			start := len(f.rows)
			f.rows = appendCodes(f.rows, state, w.States)
			f.rows, f.counts[c][0] = fillUp(f.rows, start, w.zero())
			f.counts[c][1] = 0
		} else {
			start := len(f.rows)
			f.rows = appendChanged(f.rows, state, old, w.States)
			f.rows, f.counts[c][0] = fillUp(f.rows, start, w.zero())
			start = len(f.rows)
			f.rows = appendChanged(f.rows, old, state, w.States)
			f.rows, f.counts[c][1] = fillUp(f.rows, start, w.zero())
		}
		copy(old, state)
	})
	f.remember(w)
}

// DrawBits draws the units from their fields, output j of chain c with probability σ(scale·field) from word j of
// s.OfChain(c); a spin is drawn with twice the scale. Rows of dst are stride words apart, and bits beyond the last
// unit are cleared.
func (f *Fields) DrawBits(dst []uint64, stride int, scale float32, s Stream) {
	scale = float32(float32(f.source.Scale*scale) * math.Log2E)
	n := bitWords(f.out)
	for c := range f.Chains {
		Words(f.words, s.OfChain(c))
		row := dst[c*stride : c*stride+n]
		row[n-1] = 0
		switch to := (*uint32)(unsafe.Pointer(&row[0])); {
		case vector512:
			drawBitsFixedAVX512(to, &f.values[c*tile], f.Chains*tile*4, scale, &f.words[0], pad(f.out, 32)/32)
		case vector:
			drawBitsFixedAVX2(to, &f.values[c*tile], f.Chains*tile*4, scale, &f.words[0], pad(f.out, 32)/32)
		default:
			clear(row)
			drawBitsFixedGo(row, f.values[c*tile:], f.out, f.Chains*tile, scale, f.words)
		}
		if rest := f.out & 63; rest != 0 {
			row[n-1] &= 1<<rest - 1
		}
	}
}

// Reals turns the fields into rows of float32 that are stride apart:
//
//	for c := range f.Chains {
//		for j := range f.out {
//			dst[c*stride+j] = float32(f.Value(c, j)) * (f.source.Scale * scale)
//		}
//	}
func (f *Fields) Reals(dst []float32, stride int, scale float32) {
	scale *= f.source.Scale
	for j := 0; j < f.out; j += tile {
		width := min(tile, f.out-j)
		src := f.tileValues(j / tile)
		if vector && width == tile && f.Chains > 0 {
			_ = dst[(f.Chains-1)*stride+j+tile-1]
			realsAVX2(&dst[j], 4*stride, &src[0], f.Chains, scale)
		} else {
			realsGo(dst[j:], stride, src, f.Chains, width, scale)
		}
	}
}

// realsGo turns some columns of a tile of fixed-point fields into rows that are stride apart:
//
//	for c := range chains {
//		for j := range width {
//			dst[c*stride+j] = float32(src[16*c+j]) * scale
//		}
//	}
func realsGo(dst []float32, stride int, src []int32, chains, width int, scale float32) {
	for c := range chains {
		for j, x := range src[c*tile:][:width] {
			dst[c*stride+j] = float32(float32(x) * scale)
		}
	}
}
