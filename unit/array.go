package unit

import (
	"fmt"

	"instanton/internal/npy"
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

// FromArray reads a batch from an array of any numeric type whose last dimension is the
// units; the others are counted together. Every value must be one that a unit of the
// given kind can take.
func FromArray(spec Spec, a npy.Array) (*States, error) {
	if len(a.Shape) == 0 || a.Shape[len(a.Shape)-1] != spec.N {
		return nil, fmt.Errorf("the array has shape %v: expected %d units in the last dimension", a.Shape, spec.N)
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
	data, err := a.Float64s()
	if err != nil {
		return Spec{}, err
	}
	spec := Spec{N: a.Shape[len(a.Shape)-1]}
	bernoulli, spin, whole, top := true, true, true, 0.0
	for k, x := range data {
		if x-x != 0 {
			return Spec{}, fmt.Errorf("entry %d of the array is %g: expected a finite number", k, x)
		}
		bernoulli = bernoulli && (x == 0 || x == 1)
		spin = spin && (x == -1 || x == 1)
		whole = whole && x == float64(int(x)) && x >= 0 && x < MaxQ
		top = max(top, x)
	}
	switch {
	case len(data) == 0:
		return Spec{}, fmt.Errorf("the array has shape %v: it is empty", a.Shape)
	case bernoulli:
		spec.Type = Bernoulli
	case spin:
		spec.Type = Spin
	case whole:
		spec.Type, spec.Q = Potts, int(top)+1
	default:
		spec.Type = Gaussian
	}
	return spec, spec.Check()
}
