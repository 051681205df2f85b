// Package problem provides the small models with known answers that the tests of all packages share: Tiny is one per
// pair of unit types, Pairs lists the pairs, and Space enumerates or discretises a layer.
package problem

import (
	"fmt"

	"instanton/rbm"
	"instanton/unit"
)

// Tiny returns a random model for a pair of unit types, small enough to write everything out: a layer has three
// discrete units (two if they are Potts units with three states) or one real unit.
func Tiny(visible, hidden unit.Type) *rbm.RBM {
	scale := 1.0
	if !visible.Discrete() && !hidden.Discrete() {
		scale = 0.6 // keeps e^{−E} integrable whatever the signs
	}
	m, err := rbm.Random(spec(visible), spec(hidden), scale, 7)
	if err != nil {
		panic(err)
	}
	return m
}

func spec(t unit.Type) unit.Spec {
	switch {
	case t == unit.Potts:
		return unit.Spec{Type: t, N: 2, Q: 3}
	case t.Discrete():
		return unit.Spec{Type: t, N: 3}
	}
	return unit.Spec{Type: t, N: 1}
}

// Pair is a pair of unit types to test with.
type Pair struct{ Visible, Hidden unit.Type }

func (p Pair) String() string { return fmt.Sprintf("%s-%s", p.Visible, p.Hidden) }

// Pairs lists every pair of unit types.
func Pairs() []Pair {
	var pairs []Pair
	for _, v := range unit.Types() {
		for _, h := range unit.Types() {
			pairs = append(pairs, Pair{v, h})
		}
	}
	return pairs
}

// Space enumerates a layer of a tiny model: all states of discrete units, or a grid on which integrals are accurate to
// better than 1e-12.
func Space(l rbm.Layer) *rbm.Space {
	var s *rbm.Space
	var err error
	if l.Spec().Type.Discrete() {
		s, err = rbm.NewSpace(l.Spec())
	} else {
		s, err = rbm.NewGrid(l.Spec(), -15, 15, 12)
	}
	if err != nil {
		panic(err)
	}
	return s
}

// Stored returns models whose runs are compared bit by bit: every way of storing states, in sizes that fill no word.
func Stored() []*rbm.RBM {
	var all []*rbm.RBM
	for _, c := range [][2]string{
		{"spin:70", "spin:9"}, {"bernoulli:5", "gaussian:3"}, {"potts:6x5", "drelu:4"}, {"gaussian:3", "relu:2"},
		{"spin:4", "potts:3x4"},
	} {
		v, err := unit.ParseSpec(c[0])
		if err != nil {
			panic(err)
		}
		h, err := unit.ParseSpec(c[1])
		if err != nil {
			panic(err)
		}
		m, err := rbm.Random(v, h, 0.4, 21)
		if err != nil {
			panic(err)
		}
		all = append(all, m)
	}
	return all
}
