package cuda

import (
	"math"
	"math/bits"

	"instanton/unit"
)

// layout says where the channels of a layer lie in a row of words. A real unit has a word, a unit of two states a bit.
// A Potts unit has a bit per state, of which one is set; units lie in groups that no tile of outputs divides.
type layout struct {
	spec      unit.Spec
	perGroup  int // units
	group     int // bits
	positions int // bits of a row, a multiple of 32
	stride    int // 32-bit words of a row, a multiple of four
}

// newLayout returns the layout of a layer, and whether there is one.
func newLayout(spec unit.Spec) (layout, bool) {
	l := layout{spec: spec, perGroup: 32, group: 32}
	if !spec.Type.Discrete() { // a number in each word
		l.positions, l.stride = ceil(spec.N, 32)*32, ceil(spec.N, 4)*4
		return l, true
	}
	if spec.Type == unit.Potts {
		l.group = 64
		for l.group < spec.Q {
			l.group *= 2
		}
		if l.group > widestGroup {
			return l, false
		}
		l.perGroup = l.group / spec.Q
	}
	l.positions = ceil(spec.N, l.perGroup) * l.group
	l.stride = ceil(l.positions/32, 4) * 4
	return l, true
}

// real tells whether the units are real.
func (l layout) real() bool { return !l.spec.Type.Discrete() }

// position is the bit of state a of unit i; a is zero for units of two states.
func (l layout) position(i, a int) int {
	if l.spec.Type != unit.Potts {
		return i
	}
	return i/l.perGroup*l.group + i%l.perGroup*l.spec.Q + a
}

// chunks is the number of 32-bit words that hold positions.
func (l layout) chunks() int { return l.positions / 32 }

// panels is the number of panels of 64 outputs that hold positions.
func (l layout) panels() int { return ceil(l.positions, 64) }

// panelBytes is the size of the digits of a panel of 64 outputs and a chunk of 32 inputs.
const panelBytes = 8192

// pack writes n configurations, starting at row from, as rows of words.
func (l layout) pack(dst []uint32, x *unit.States, from, n int) {
	for k := range n {
		row := dst[k*l.stride : (k+1)*l.stride]
		clear(row)
		if x.Reals != nil {
			for i, v := range x.RealRow(from + k) {
				row[i] = math.Float32bits(v)
			}
			continue
		}
		if x.Codes != nil {
			for i, a := range x.CodeRow(from + k) {
				at := l.position(i, int(a))
				row[at/32] |= 1 << (at % 32)
			}
			continue
		}
		for i, word := range x.BitRow(from + k) {
			row[2*i] = uint32(word)
			if 2*i+1 < len(row) {
				row[2*i+1] = uint32(word >> 32)
			}
		}
	}
}

// unpack is the inverse of pack.
func (l layout) unpack(x *unit.States, to int, src []uint32, n int) {
	for k := range n {
		row := src[k*l.stride : (k+1)*l.stride]
		if x.Reals != nil {
			values := x.RealRow(to + k)
			for i := range values {
				values[i] = math.Float32frombits(row[i])
			}
			continue
		}
		if x.Codes != nil {
			codes := x.CodeRow(to + k)
			for w, word := range row[:l.chunks()] {
				for ; word != 0; word &= word - 1 {
					at := 32*w + bits.TrailingZeros32(word)
					in := at % l.group
					codes[at/l.group*l.perGroup+in/l.spec.Q] = uint8(in % l.spec.Q)
				}
			}
			continue
		}
		words := x.BitRow(to + k)
		for i := range words {
			words[i] = uint64(row[2*i])
			if 2*i+1 < len(row) {
				words[i] |= uint64(row[2*i+1]) << 32
			}
		}
	}
}

// layer is the layout as kernels take it.
type layer struct {
	units, states, perGroup, group int32
	width, positions               int32
}

func (l layout) layer() layer {
	return layer{int32(l.spec.N), int32(l.spec.Channels()), int32(l.perGroup), int32(l.group), int32(l.spec.Width()),
		int32(l.positions)}
}
