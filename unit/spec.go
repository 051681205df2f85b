package unit

import (
	"fmt"
	"strconv"
	"strings"

	"instanton/internal/special"
)

// Spec is the shape of a layer: N units of one type; Potts units have Q states each.
type Spec struct {
	Type Type
	N    int
	Q    int // number of states of a Potts unit, 0 otherwise
}

// MaxQ is the largest number of states of a Potts unit: a state is one byte.
const MaxQ = 256

// MaxUnits bounds the size of a layer, so that a mistyped number or a damaged file is rejected instead of exhausting
// memory.
const MaxUnits = 1 << 24

// Check reports what is wrong with the spec, if anything.
func (s Spec) Check() error {
	switch {
	case !s.Type.known():
		return fmt.Errorf("unknown unit type %d", s.Type)
	case s.N < 1 || s.N > MaxUnits:
		return fmt.Errorf("a layer of %d %s units: expected between 1 and %d units", s.N, s.Type, MaxUnits)
	case s.Type == Potts && (s.Q < 2 || s.Q > MaxQ):
		return fmt.Errorf("q = %d states for Potts units: expected q between 2 and %d", s.Q, MaxQ)
	case s.Type != Potts && s.Q != 0:
		return fmt.Errorf("%s units with q = %d: only Potts units have q", s.Type, s.Q)
	}
	return nil
}

// maxArrayBytes bounds a batch to what one file may hold.
const maxArrayBytes = 8 << 30

// CheckCount rejects a number of configurations that is negative or too large for a file (8 GiB), before memory is
// allocated.
func (s Spec) CheckCount(n int) error {
	bytes := float64(n) * float64(s.N)
	if !s.Type.Discrete() {
		bytes *= 4
	}
	if n < 0 || bytes > maxArrayBytes {
		most := int(maxArrayBytes * float64(n) / max(bytes, 1))
		return fmt.Errorf("%d configurations of %s: expected a number from 0 to %d, which fills %d GiB",
			n, s, most, maxArrayBytes>>30)
	}
	return nil
}

// Channels is the number of inputs that a unit receives: q for Potts units, otherwise one.
func (s Spec) Channels() int {
	if s.Type == Potts {
		return s.Q
	}
	return 1
}

// Width is the number of inputs that the layer receives, which is its number of rows (or columns) in W: N, or N·q for
// Potts units.
func (s Spec) Width() int { return s.N * s.Channels() }

// Channel says through which channel unit i acts on the other layer when it has the value x, and with what factor: its
// only channel and x, or, for a Potts unit, the channel of its state and one.
func (s Spec) Channel(i int, x float64) (channel int, factor float64) {
	if s.Type == Potts {
		return i*s.Q + int(x), 1
	}
	return i, x
}

// States is the number of states of one unit, 0 for real units.
func (s Spec) States() int {
	switch kinds[s.Type].storage {
	case inBits:
		return 2
	case inCodes:
		return s.Q
	}
	return 0
}

// Range returns the smallest and the largest value that a unit can take, infinite where real units have no bound.
func (s Spec) Range() (low, high float64) {
	if s.Type == Potts {
		return 0, float64(s.Q - 1)
	}
	return kinds[s.Type].low, kinds[s.Type].high
}

// StateValue is the value of state a of a discrete unit: −1 or 1 for spins, a for other units.
func (s Spec) StateValue(a int) float64 {
	if s.Type == Spin {
		return float64(2*a - 1)
	}
	return float64(a)
}

// StateIndex is the inverse of StateValue.
func (s Spec) StateIndex(x float64) int {
	if s.Type == Spin {
		return int(x+1) / 2
	}
	return int(x)
}

// Allows returns an error that says what was expected if a unit of this type cannot take the value x.
func (s Spec) Allows(x float64) error {
	low, high := s.Range()
	switch kind := &kinds[s.Type]; {
	case kind.storage == inBits:
		if x != low && x != high {
			return fmt.Errorf("value %g: expected %g or %g for a %s", x, low, high, kind.noun)
		}
	case kind.storage == inCodes:
		if x != float64(int(x)) || x < low || x > high {
			return fmt.Errorf("value %g: expected a whole number from %g to %g for a %s with %d states",
				x, low, high, kind.noun, s.States())
		}
	case !special.Finite(x):
		return fmt.Errorf("value %g: expected a finite number for a %s", x, kind.noun)
	case x < low:
		return fmt.Errorf("value %g: expected a number that is not negative for a %s", x, kind.noun)
	}
	return nil
}

// String writes the spec in the form that ParseSpec reads: spin:16, potts:27x20.
func (s Spec) String() string {
	if s.Type == Potts {
		return fmt.Sprintf("%s:%dx%d", s.Type, s.N, s.Q)
	}
	return fmt.Sprintf("%s:%d", s.Type, s.N)
}

// ParseSpec reads TYPE:N, or potts:NxQ.
func ParseSpec(text string) (Spec, error) {
	name, size, ok := strings.Cut(text, ":")
	if !ok {
		return Spec{}, fmt.Errorf("layer %q: expected TYPE:N such as spin:16, or potts:NxQ such as potts:27x20", text)
	}
	t, err := ParseType(name)
	if err != nil {
		return Spec{}, fmt.Errorf("layer %q: %w", text, err)
	}
	spec := Spec{Type: t}
	if t == Potts {
		n, q, ok := strings.Cut(size, "x")
		if !ok {
			return Spec{}, fmt.Errorf("layer %q: Potts units need their number of states, as in potts:27x20", text)
		}
		size = n
		if spec.Q, err = strconv.Atoi(q); err != nil {
			return Spec{}, fmt.Errorf("layer %q: the number of states %q is not a whole number", text, q)
		}
	}
	if spec.N, err = strconv.Atoi(size); err != nil {
		return Spec{}, fmt.Errorf("layer %q: the number of units %q is not a whole number", text, size)
	}
	if err := spec.Check(); err != nil {
		return Spec{}, fmt.Errorf("layer %q: %w", text, err)
	}
	return spec, nil
}
