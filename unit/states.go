package unit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
)

// States is a batch of configurations of one layer. Exactly one of Bits, Codes and Reals is non-nil, depending on
// Spec.Type; each configuration (row) starts at a multiple of Stride. Kernels for batches work on the slices,
// everything else uses the methods.
type States struct {
	Spec
	Len    int // number of configurations
	Stride int // elements from one configuration to the next

	Bits  []uint64  // spin and Bernoulli: bit i%64 of word i/64 is set for +1 and 1
	Codes []uint8   // Potts: the state of each unit
	Reals []float32 // Gaussian, ReLU, dReLU
}

// NewStates returns n configurations of the given shape, with all spins down and all other units zero.
func NewStates(spec Spec, n int) *States {
	s := &States{Spec: spec, Len: n, Stride: spec.N}
	switch kinds[spec.Type].storage {
	case inBits:
		s.Stride = (spec.N + 63) / 64
		s.Bits = make([]uint64, n*s.Stride)
	case inCodes:
		s.Codes = make([]uint8, n*s.Stride)
	default:
		s.Reals = make([]float32, n*s.Stride)
	}
	return s
}

// Slice returns the configurations lo to hi-1, sharing memory with s.
func (s *States) Slice(lo, hi int) *States {
	v := *s
	v.Len = hi - lo
	switch {
	case s.Bits != nil:
		v.Bits = s.Bits[lo*s.Stride : hi*s.Stride]
	case s.Codes != nil:
		v.Codes = s.Codes[lo*s.Stride : hi*s.Stride]
	default:
		v.Reals = s.Reals[lo*s.Stride : hi*s.Stride]
	}
	return &v
}

// BitRow, CodeRow and RealRow return the storage of configuration k.
func (s *States) BitRow(k int) []uint64   { return s.Bits[k*s.Stride : (k+1)*s.Stride] }
func (s *States) CodeRow(k int) []uint8   { return s.Codes[k*s.Stride : (k+1)*s.Stride] }
func (s *States) RealRow(k int) []float32 { return s.Reals[k*s.Stride : (k+1)*s.Stride] }

// Value returns unit i of configuration k: ±1, 0/1, the Potts state, or the real value.
func (s *States) Value(k, i int) float64 {
	switch {
	case s.Bits != nil:
		return s.StateValue(int(s.Bits[k*s.Stride+i>>6] >> (i & 63) & 1))
	case s.Codes != nil:
		return float64(s.Codes[k*s.Stride+i])
	}
	return float64(s.Reals[k*s.Stride+i])
}

// Set gives unit i of configuration k the value x, which must be one that Allows accepts.
func (s *States) Set(k, i int, x float64) {
	switch {
	case s.Bits != nil:
		word, bit := &s.BitRow(k)[i>>6], uint64(1)<<(i&63)
		if x > 0 {
			*word |= bit
		} else {
			*word &^= bit
		}
	case s.Codes != nil:
		s.Codes[k*s.Stride+i] = uint8(x)
	default:
		s.Reals[k*s.Stride+i] = float32(x)
	}
}

// Values expands configuration k into dst, one entry per unit.
func (s *States) Values(dst []float64, k int) {
	for i := range s.N {
		dst[i] = s.Value(k, i)
	}
}

// SetValues is the inverse of Values.
func (s *States) SetValues(k int, x []float64) {
	for i, xi := range x[:s.N] {
		s.Set(k, i, xi)
	}
}

// CopyRow sets configuration k to configuration j of src, which must have the same shape.
func (s *States) CopyRow(k int, src *States, j int) {
	switch {
	case s.Bits != nil:
		copy(s.BitRow(k), src.BitRow(j))
	case s.Codes != nil:
		copy(s.CodeRow(k), src.CodeRow(j))
	default:
		copy(s.RealRow(k), src.RealRow(j))
	}
}

// CopyFrom copies all configurations of a batch of the same shape.
func (s *States) CopyFrom(src *States) {
	copy(s.Bits, src.Bits)
	copy(s.Codes, src.Codes)
	copy(s.Reals, src.Reals)
}

// Clone returns a copy that shares no memory with s.
func (s *States) Clone() *States {
	c := *s
	c.Bits, c.Codes, c.Reals = slices.Clone(s.Bits), slices.Clone(s.Codes), slices.Clone(s.Reals)
	return &c
}

// Equal reports whether two batches hold the same configurations, bit for bit.
func (s *States) Equal(t *States) bool {
	return s.Spec == t.Spec && s.Len == t.Len &&
		slices.Equal(s.Bits, t.Bits) && slices.Equal(s.Codes, t.Codes) && slices.Equal(s.Reals, t.Reals)
}

// Fingerprint is the SHA-256 of the shape and the configurations, in hexadecimal.
func (s *States) Fingerprint() string {
	h := sha256.New()
	fmt.Fprintln(h, s.Spec, s.Len)
	_ = binary.Write(h, binary.LittleEndian, s.Bits) // writing to a hash cannot fail
	_ = binary.Write(h, binary.LittleEndian, s.Codes)
	_ = binary.Write(h, binary.LittleEndian, s.Reals)
	return hex.EncodeToString(h.Sum(nil))
}
