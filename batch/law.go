package batch

import (
	"fmt"

	"instanton/internal/kernel"
	"instanton/rbm"
	"instanton/unit"
)

// law is what the engine needs to know about one type of unit, with the parameters of a layer. Each type has its own
// file.
type law interface {
	// set takes the parameters of a layer of the type.
	set(l rbm.Layer)
	// fields are the fields of discrete units, which are summed together with the weights; nil for real units.
	fields() []float64
	// words is the number of random words that a row of units may need, padded for vector code.
	words() int
	// draw draws rows of dst, starting at row to, given the inputs in b.
	draw(b *block, dst *unit.States, to int, s kernel.Stream)
	// second is ⟨h²⟩ given ⟨h⟩ and, for real units, the average of h².
	second(mean, square float64) float64
	// cgf is ΣΓ of one row of inputs, fields included.
	cgf(x []float64, s *kernel.LogSums) float64
	// potential is ΣV of row k of x; values is scratch for one row.
	potential(x *unit.States, k int, values []float64) float64
}

// twoState is the law of units with two states, whose means have vector loops.
type twoState interface {
	law
	spin() bool // the states are ±1, not 0 and 1
	// means replaces inputs, fields included, by the means of the units.
	means(rows []float32)
}

// newLaw returns the law of a layer.
func newLaw(spec unit.Spec) law {
	switch spec.Type {
	case unit.Spin:
		return &spinLaw{}
	case unit.Bernoulli:
		return &bernoulliLaw{}
	case unit.Potts:
		return &pottsLaw{q: spec.Q}
	case unit.Gaussian:
		return newGaussianLaw(spec.N)
	case unit.ReLU:
		return newReLULaw(spec.N)
	case unit.DReLU:
		return newDReLULaw(spec.N)
	}
	panic(fmt.Sprintf("batch: no law for %v", spec))
}

// drawBits draws two-state units, state 1 with probability σ(scale·x).
func drawBits(b *block, dst *unit.States, to int, scale float32, s kernel.Stream) {
	if b.fields != nil {
		b.fields.DrawBits(dst.Bits[to*dst.Stride:], dst.Stride, scale, s)
		return
	}
	for k := range b.rows {
		kernel.Words(b.words, s.OfChain(k))
		kernel.DrawBits(dst.BitRow(to+k), b.inputs[k*dst.N:][:dst.N], scale, b.words)
	}
}

// drawReals draws real units row by row.
func drawReals(b *block, dst *unit.States, to int, s kernel.Stream, draw func(row, inputs []float32, words []uint32)) {
	if b.fields != nil {
		b.fields.Reals(b.inputs, dst.N, 1)
	}
	for k := range b.rows {
		kernel.Words(b.words, s.OfChain(k))
		draw(dst.RealRow(to+k), b.inputs[k*dst.N:][:dst.N], b.words)
	}
}

// wordsFor pads a number of random words for vector code.
func wordsFor(n int) int { return (n + 15) &^ 15 }
