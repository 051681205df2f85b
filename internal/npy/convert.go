package npy

import (
	"fmt"
	"math"
	"math/bits"
)

// Float64s is the data as float64. Booleans become 0 and 1; an integer that
// float64 cannot hold exactly is refused. Data that is []float64 already comes
// back as it is, not copied.
func (a Array) Float64s() ([]float64, error) {
	if d, ok := a.Data.([]float64); ok {
		return d, nil
	}
	return toFloats[float64](a, 53)
}

// Float32s is the data as float32. Float64 values are rounded, and refused when
// they are finite but too large; booleans become 0 and 1; an integer that float32
// cannot hold exactly is refused. Data that is []float32 already comes back as it
// is, not copied.
func (a Array) Float32s() ([]float32, error) {
	if d, ok := a.Data.([]float32); ok {
		return d, nil
	}
	return toFloats[float32](a, 24)
}

// toFloats converts to F, which has the given number of significant bits.
func toFloats[F float32 | float64](a Array, precision int) ([]F, error) {
	switch d := a.Data.(type) {
	case []float64:
		return roundFloats[F](d)
	case []float32:
		return roundFloats[F](d)
	case []int8:
		return exactInts[F](d, precision)
	case []uint8:
		return exactInts[F](d, precision)
	case []int16:
		return exactInts[F](d, precision)
	case []uint16:
		return exactInts[F](d, precision)
	case []int32:
		return exactInts[F](d, precision)
	case []uint32:
		return exactInts[F](d, precision)
	case []int64:
		return exactInts[F](d, precision)
	case []uint64:
		return exactInts[F](d, precision)
	case []bool:
		out := make([]F, len(d))
		for i, x := range d {
			if x {
				out[i] = 1
			}
		}
		return out, nil
	}
	return nil, a.check()
}

func roundFloats[F, G float32 | float64](d []G) ([]F, error) {
	out := make([]F, len(d))
	for i, x := range d {
		out[i] = F(x)
		if math.IsInf(float64(out[i]), 0) && !math.IsInf(float64(x), 0) {
			return nil, fmt.Errorf("element %d is %g, which is too large for %T", i, x, out[i])
		}
	}
	return out, nil
}

func exactInts[F float32 | float64, I int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64](d []I,
	precision int) ([]F, error) {
	out := make([]F, len(d))
	for i, x := range d {
		magnitude := uint64(x)
		if x < 0 {
			magnitude = -magnitude
		}
		if magnitude>>precision != 0 && bits.Len64(magnitude)-bits.TrailingZeros64(magnitude) > precision {
			return nil, fmt.Errorf("element %d is %d, which %T cannot hold exactly", i, x, out[i])
		}
		out[i] = F(x)
	}
	return out, nil
}
