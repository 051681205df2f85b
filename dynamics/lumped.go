package dynamics

import (
	"fmt"
	"math"

	"instanton/theory"
)

// lumped is a structured model of N spins in terms of its block counts.
type lumped struct {
	w      float64 // weight over √N
	units  int
	blocks []theory.Block
	size   []int // spins in each block
	states int
	n      int
	model  *theory.Landscape
}

func newLumped(s theory.Structured, n int) (*lumped, error) {
	l, err := s.Landscape()
	if err != nil {
		return nil, err
	}
	for mu := range l.Units() {
		if v := l.Hidden(mu); v.String() != theory.Quadratic().String() {
			return nil, fmt.Errorf("exact dynamics need quadratic hidden units: unit %d is %s", mu+1, v)
		}
	}
	if n < 1 || n > 1e6 {
		return nil, fmt.Errorf("a chain of %d spins was asked for: it takes 1 to a million", n)
	}
	b := &lumped{w: s.W / math.Sqrt(float64(n)), units: l.Units(), blocks: s.Blocks(), states: 1, n: n, model: l}
	for _, k := range b.blocks {
		exact := k.Share * float64(n)
		size := math.Round(exact)
		if math.Abs(exact-size) > 1e-6 {
			return nil,
				fmt.Errorf("block (%d,%d) would have %g of %d spins: choose N such that α·N is a whole number%s",
					k.Mu+1, k.Nu+1, exact, n, whole(s, n))
		}
		b.size = append(b.size, int(size))
		if b.states < 1<<40 {
			b.states *= int(size) + 1
		}
	}
	return b, nil
}

// counts lists the up spins of every block for every state, the last block fastest.
func (b *lumped) counts() [][]float64 {
	all := make([][]float64, b.states)
	for i := range all {
		all[i] = make([]float64, len(b.size))
		rest := i
		for k := len(b.size) - 1; k >= 0; k-- {
			all[i][k] = float64(rest % (b.size[k] + 1))
			rest /= b.size[k] + 1
		}
	}
	return all
}

// chain is a chain on the block counts, its matrix still empty.
func (b *lumped) chain(band int) *Chain {
	c := &Chain{
		State: b.counts(), Method: "exact, on the numbers of up spins in the blocks", p: newBandMatrix(b.states, band),
		model: b.model, spins: b.n, hidden: b.inputs,
	}
	for _, count := range c.State {
		c.logWeight = append(c.logWeight, b.logWeight(count))
	}
	return c
}

// inputs are the inputs of the hidden units, not rescaled.
func (b *lumped) inputs(count []float64) []float64 {
	input := make([]float64, b.units)
	for k, bl := range b.blocks {
		x := b.w * (2*count[k] - float64(b.size[k]))
		input[bl.Mu] += x
		if bl.Nu != bl.Mu {
			input[bl.Nu] += x
		}
	}
	return input
}

// logWeight is the logarithm of the number of configurations times e^{−E}, E = −Σ I²/2.
func (b *lumped) logWeight(count []float64) float64 {
	s := 0.0
	for _, i := range b.inputs(count) {
		s += i * i / 2
	}
	for k, size := range b.size {
		s += logChoose(size, count[k])
	}
	return s
}

func logChoose(n int, k float64) float64 {
	a, _ := math.Lgamma(float64(n) + 1)
	b, _ := math.Lgamma(k + 1)
	c, _ := math.Lgamma(float64(n) - k + 1)
	return a - b - c
}

// blockFields are the fields on the blocks under hidden values h.
func (b *lumped) blockFields(h []float64) []float64 {
	x := make([]float64, len(b.blocks))
	for k, bl := range b.blocks {
		x[k] = b.w * h[bl.Mu]
		if bl.Nu != bl.Mu {
			x[k] += b.w * h[bl.Nu]
		}
	}
	return x
}
