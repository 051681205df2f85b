package dataset

import (
	"math"

	"instanton/internal/npy"
)

// values collects numbers in the smallest of three types that holds them all: bytes; signed bytes once there is a −1;
// float32 once there is any other number.
type values struct {
	bytes  []uint8
	signed []int8
	reals  []float32
}

func newValues(room int) values { return values{bytes: make([]uint8, 0, min(room, 1<<30))} }

func (v *values) add(x float64) {
	switch {
	case v.bytes != nil && x >= 0 && x <= math.MaxUint8 && x == math.Trunc(x):
		v.bytes = append(v.bytes, uint8(x))
	case v.bytes != nil && x == -1 && fits(v.bytes):
		v.signed = convert[int8](v.bytes)
		v.signed, v.bytes = append(v.signed, -1), nil
	case v.signed != nil && x >= math.MinInt8 && x <= math.MaxInt8 && x == math.Trunc(x):
		v.signed = append(v.signed, int8(x))
	case v.reals != nil:
		v.reals = append(v.reals, float32(x))
	case v.signed != nil:
		v.reals = append(convert[float32](v.signed), float32(x))
		v.signed = nil
	default:
		v.reals = append(convert[float32](v.bytes), float32(x))
		v.bytes = nil
	}
}

// fits reports whether bytes can become signed ones.
func fits(b []uint8) bool {
	for _, x := range b {
		if x > math.MaxInt8 {
			return false
		}
	}
	return true
}

// convert changes the type and keeps the capacity.
func convert[To, From uint8 | int8 | float32](from []From) []To {
	to := make([]To, len(from), cap(from))
	for k, x := range from {
		to[k] = To(x)
	}
	return to
}

// array returns the numbers as an array with the given number of rows.
func (v *values) array(rows int) npy.Array {
	switch {
	case v.signed != nil:
		return npy.New(v.signed, rows, len(v.signed)/rows)
	case v.reals != nil:
		return npy.New(v.reals, rows, len(v.reals)/rows)
	}
	return npy.New(v.bytes, rows, len(v.bytes)/rows)
}
