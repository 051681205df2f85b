package unit

import (
	"fmt"

	"instanton/internal/npy"
	"instanton/internal/special"
)

// Array writes the batch as a numpy array: int8 for spins, uint8 for Bernoulli and
// Potts units, float32 for real ones. The shape is the given one, over the
// configurations, and the units last; without a shape it is (Len, N).
func (s *States) Array(shape ...int) npy.Array {
	if len(shape) == 0 {
		shape = []int{s.Len}
	}
	shape = append(append([]int(nil), shape...), s.N)
	switch s.Type {
	case Spin:
		data := make([]int8, s.Len*s.N)
		for k := range s.Len {
			for i := range s.N {
				data[k*s.N+i] = int8(s.Value(k, i))
			}
		}
		return npy.New(data, shape...)
	case Bernoulli:
		data := make([]uint8, s.Len*s.N)
		for k := range s.Len {
			for i := range s.N {
				data[k*s.N+i] = uint8(s.Value(k, i))
			}
		}
		return npy.New(data, shape...)
	case Potts:
		return npy.New(s.Codes[:s.Len*s.N], shape...)
	}
	return npy.New(s.Reals[:s.Len*s.N], shape...)
}

// Member is the array (Len, N) of the batch as a member of an archive. Bits become bytes
// only as they are written.
func (s *States) Member(name string) npy.Member {
	switch s.Type {
	case Spin:
		return npy.RowsMember(name, func(k int, row []int8) {
			for i := range row {
				row[i] = int8(s.Value(k, i))
			}
		}, s.Len, s.N)
	case Bernoulli:
		return npy.RowsMember(name, func(k int, row []uint8) {
			for i := range row {
				row[i] = uint8(s.Value(k, i))
			}
		}, s.Len, s.N)
	}
	return npy.ArrayMember(name, s.Array())
}

// FromArray reads a batch from an array of any numeric type whose last dimension is the
// units; the others are counted together. Every value must be one that a unit of the
// given kind can take. The bytes of Potts states are not copied but shared with the array.
func FromArray(spec Spec, a npy.Array) (*States, error) {
	if len(a.Shape) == 0 || a.Shape[len(a.Shape)-1] != spec.N {
		return nil, fmt.Errorf("the array has shape %v: expected %d units in the last dimension", a.Shape, spec.N)
	}
	if data, ok := a.Data.([]uint8); ok && spec.Type == Potts {
		return fromCodes(spec, data)
	}
	s := NewStates(spec, a.Len()/spec.N)
	switch data := a.Data.(type) { // the large ones are not copied
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

// fromCodes is a batch of Potts units around their states.
func fromCodes(spec Spec, codes []uint8) (*States, error) {
	for j, c := range codes {
		if int(c) >= spec.Q {
			return nil, fmt.Errorf("configuration %d, unit %d: %w", j/spec.N, j%spec.N, spec.Allows(float64(c)))
		}
	}
	return &States{Spec: spec, Len: len(codes) / spec.N, Stride: spec.N, Codes: codes}, nil
}

// fill sets all configurations from numbers in order.
func fill[T uint8 | int8 | float32 | float64](s *States, data []T) error {
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

// Detect tells which kind of units an array of data can be: spins for ±1, Bernoulli
// for 0 and 1, Potts for other small whole numbers, Gaussian for anything else that is
// finite.
func Detect(a npy.Array) (Spec, error) {
	if len(a.Shape) < 2 {
		return Spec{}, fmt.Errorf("the array has shape %v: expected configurations by units", a.Shape)
	}
	if a.Len() == 0 {
		return Spec{}, fmt.Errorf("the array has shape %v: it is empty", a.Shape)
	}
	spec := Spec{N: a.Shape[len(a.Shape)-1]}
	var err error
	switch data := a.Data.(type) { // the large ones are not copied
	case []uint8:
		err = spec.detect(len(data), func(k int) float64 { return float64(data[k]) })
	case []int8:
		err = spec.detect(len(data), func(k int) float64 { return float64(data[k]) })
	case []float32:
		err = spec.detect(len(data), func(k int) float64 { return float64(data[k]) })
	default:
		var wide []float64
		if wide, err = a.Float64s(); err == nil {
			err = spec.detect(len(wide), func(k int) float64 { return wide[k] })
		}
	}
	if err != nil {
		return Spec{}, err
	}
	return spec, spec.Check()
}

// detect sets the type by n values.
func (s *Spec) detect(n int, value func(k int) float64) error {
	bernoulli, spin, whole, top := true, true, true, 0.0
	for k := range n {
		x := value(k)
		if !special.Finite(x) {
			return fmt.Errorf("entry %d of the array is %g: expected a finite number", k, x)
		}
		bernoulli = bernoulli && (x == 0 || x == 1)
		spin = spin && (x == -1 || x == 1)
		whole = whole && x == float64(int(x)) && x >= 0 && x < MaxQ
		top = max(top, x)
	}
	switch {
	case bernoulli:
		s.Type = Bernoulli
	case spin:
		s.Type = Spin
	case whole:
		s.Type, s.Q = Potts, int(top)+1
	default:
		s.Type = Gaussian
	}
	return nil
}
