// Package unit defines the types of units that an RBM is made of and stores batches of their states compactly.
//
// A Type is a type of unit; a Spec is the shape of a layer, N units of one type, written as spin:16 or potts:27x20.
// Start with ParseSpec or a literal such as Spec{Type: Spin, N: 16}. A Spec answers what other packages need to know:
// how many States a unit has and what their values are (StateValue), the Range of the values, how many inputs a unit
// receives (Channels) and through which of them a value acts (Channel).
//
// States is a batch of configurations of one layer, made by NewStates: one bit per spin or Bernoulli unit, one byte
// per Potts unit, one float32 per real unit. Values and SetValues convert a configuration from and to a []float64 with
// one entry per unit, which is how package rbm takes it.
package unit

import (
	"fmt"
	"math"
	"strings"
)

// Type is a type of unit.
type Type uint8

const (
	Spin      Type = iota + 1 // ±1
	Bernoulli                 // 0 or 1
	Potts                     // one of q states, 0 to q-1
	Gaussian                  // real, quadratic potential
	ReLU                      // real and nonnegative
	DReLU                     // real, one quadratic potential on either side of zero
)

// facts is what is known about a type, apart from its potentials.
type facts struct {
	name      string  // in files and on the command line
	noun      string  // in a sentence
	storage   storage // in a batch
	low, high float64 // range of the values; that of Potts units follows from Spec.Q
}

// storage says which slice of States holds the units of a type.
type storage uint8

const (
	inReals storage = iota
	inBits
	inCodes
)

// kinds is the only list of unit types.
var kinds = [...]facts{
	Spin:      {"spin", "spin", inBits, -1, 1},
	Bernoulli: {"bernoulli", "Bernoulli unit", inBits, 0, 1},
	Potts:     {"potts", "Potts unit", inCodes, 0, MaxQ - 1},
	Gaussian:  {"gaussian", "Gaussian unit", inReals, math.Inf(-1), math.Inf(1)},
	ReLU:      {"relu", "ReLU unit", inReals, 0, math.Inf(1)},
	DReLU:     {"drelu", "dReLU unit", inReals, math.Inf(-1), math.Inf(1)},
}

// known reports whether t is one of the types above.
func (t Type) known() bool { return t >= 1 && int(t) < len(kinds) }

// Types lists all types of units.
func Types() []Type {
	all := make([]Type, 0, len(kinds)-1)
	for t := Type(1); t.known(); t++ {
		all = append(all, t)
	}
	return all
}

// String returns the name used in files and on the command line.
func (t Type) String() string {
	if !t.known() {
		return fmt.Sprintf("unit.Type(%d)", uint8(t))
	}
	return kinds[t].name
}

// ParseType is the inverse of String.
func ParseType(s string) (Type, error) {
	var names []string
	for _, t := range Types() {
		if strings.EqualFold(s, kinds[t].name) {
			return t, nil
		}
		names = append(names, kinds[t].name)
	}
	return 0, fmt.Errorf("unknown unit type %q: expected one of %s", s, strings.Join(names, ", "))
}

// Discrete reports whether a unit has finitely many states.
func (t Type) Discrete() bool { return kinds[t].storage != inReals }
