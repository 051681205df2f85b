// Package statearray converts batches of states to numpy arrays and back.
package statearray

import (
	"fmt"

	"instanton/internal/npy"
	"instanton/internal/special"
	"instanton/unit"
)

// FromStates returns a batch as a numpy array: int8 for spins, uint8 for Bernoulli and Potts units, float32 for real
// ones. The last dimension is that of the units; those before it, over the configurations, are the given ones. If none
// are given, the shape is (Len, N).
func FromStates(s *unit.States, shape ...int) npy.Array {
	if len(shape) == 0 {
		shape = []int{s.Len}
	}
	shape = append(append([]int(nil), shape...), s.N)
	switch {
	case s.Codes != nil:
		return npy.New(s.Codes[:s.Len*s.N], shape...)
	case s.Reals != nil:
		return npy.New(s.Reals[:s.Len*s.N], shape...)
	case signed(s):
		return npy.New(bytes[int8](s), shape...)
	}
	return npy.New(bytes[uint8](s), shape...)
}

// signed tells whether units have negative values.
func signed(s *unit.States) bool {
	low, _ := s.Range()
	return low < 0
}

// bytes expands bits to the values they stand for.
func bytes[T int8 | uint8](s *unit.States) []T {
	data := make([]T, s.Len*s.N)
	for k := range s.Len {
		expand(data[k*s.N:(k+1)*s.N], s, k)
	}
	return data
}

// expand sets row to configuration k.
func expand[T int8 | uint8](row []T, s *unit.States, k int) {
	for i := range row {
		row[i] = T(s.Value(k, i))
	}
}

// Member is the array (Len, N) of a batch as a member of an archive. Bits are expanded to bytes only when they are
// written.
func Member(name string, s *unit.States) npy.Member {
	switch {
	case s.Bits == nil:
		return npy.ArrayMember(name, FromStates(s))
	case signed(s):
		return npy.RowsMember(name, func(k int, row []int8) { expand(row, s, k) }, s.Len, s.N)
	}
	return npy.RowsMember(name, func(k int, row []uint8) { expand(row, s, k) }, s.Len, s.N)
}

// ToStates reads a batch from an array of any numeric type. The last dimension is that of the units; the others
// together are the configurations. Every value must be one that a unit of the given type can take. The bytes of Potts
// states are not copied but shared with the array.
func ToStates(spec unit.Spec, a npy.Array) (*unit.States, error) {
	if len(a.Shape) == 0 || a.Shape[len(a.Shape)-1] != spec.N {
		return nil, fmt.Errorf("the array has shape %v: expected %d units in the last dimension", a.Shape, spec.N)
	}
	if data, ok := a.Data.([]uint8); ok && spec.Type == unit.Potts {
		return fromCodes(spec, data)
	}
	s := unit.NewStates(spec, a.Len()/spec.N)
	switch data := a.Data.(type) { // large arrays are not copied
	case []uint8:
		return s, fill(s, data)
	case []int8:
		return s, fill(s, data)
	case []float32:
		return s, fill(s, data)
	}
	data, err := a.Float64s()
	if err != nil {
		return nil, err
	}
	return s, fill(s, data)
}

// fromCodes is a batch of Potts units that uses the given states without copying them.
func fromCodes(spec unit.Spec, codes []uint8) (*unit.States, error) {
	for j, c := range codes {
		if int(c) >= spec.Q {
			return nil, fmt.Errorf("configuration %d, unit %d: %w", j/spec.N, j%spec.N, spec.Allows(float64(c)))
		}
	}
	return &unit.States{Spec: spec, Len: len(codes) / spec.N, Stride: spec.N, Codes: codes}, nil
}

// fill sets all configurations from numbers in order.
func fill[T uint8 | int8 | float32 | float64](s *unit.States, data []T) error {
	for k := range s.Len {
		for i, x := range data[k*s.N : (k+1)*s.N] {
			if err := s.Allows(float64(x)); err != nil {
				return fmt.Errorf("configuration %d, unit %d: %w", k, i, err)
			}
			s.Set(k, i, float64(x))
		}
	}
	return nil
}

// Detect finds the type of units that an array can hold: spins for ±1, Bernoulli for 0 and 1, Potts for other small
// whole numbers, Gaussian for any other finite numbers.
func Detect(a npy.Array) (unit.Spec, error) {
	if len(a.Shape) < 2 {
		return unit.Spec{}, fmt.Errorf("the array has shape %v: expected configurations by units", a.Shape)
	}
	if a.Len() == 0 {
		return unit.Spec{}, fmt.Errorf("the array has shape %v, so it is empty: expected configurations by units",
			a.Shape)
	}
	spec := unit.Spec{N: a.Shape[len(a.Shape)-1]}
	var err error
	switch data := a.Data.(type) { // the large ones are not copied
	case []uint8:
		err = detect(&spec, len(data), func(k int) float64 { return float64(data[k]) })
	case []int8:
		err = detect(&spec, len(data), func(k int) float64 { return float64(data[k]) })
	case []float32:
		err = detect(&spec, len(data), func(k int) float64 { return float64(data[k]) })
	default:
		var wide []float64
		if wide, err = a.Float64s(); err == nil {
			err = detect(&spec, len(wide), func(k int) float64 { return wide[k] })
		}
	}
	if err != nil {
		return unit.Spec{}, err
	}
	return spec, spec.Check()
}

// detect finds the type from n values.
func detect(s *unit.Spec, n int, value func(k int) float64) error {
	bernoulli, spin, whole, top := true, true, true, 0.0
	for k := range n {
		x := value(k)
		if !special.Finite(x) {
			return fmt.Errorf("entry %d of the array is %g: expected a finite number", k, x)
		}
		bernoulli = bernoulli && (x == 0 || x == 1)
		spin = spin && (x == -1 || x == 1)
		whole = whole && x == float64(int(x)) && x >= 0 && x < unit.MaxQ
		top = max(top, x)
	}
	switch {
	case bernoulli:
		s.Type = unit.Bernoulli
	case spin:
		s.Type = unit.Spin
	case whole:
		s.Type, s.Q = unit.Potts, int(top)+1
	default:
		s.Type = unit.Gaussian
	}
	return nil
}
