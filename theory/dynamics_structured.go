package theory

import (
	"fmt"
	"math"
)

// Limits on the exact chains: states of a dense matrix, states times squared bandwidth of a banded one, and the size of the kernels
// between states and hidden values.
const (
	maxDenseStates = 4100
	maxBandWork    = 4e10
	maxGridEntries = 3e7 // hidden grid points × states
)

// Chain is the dynamics of N spins on the numbers of up spins in the blocks. The sizes α_μν N must be whole numbers. All hidden units
// must be quadratic.
func (s Structured) Chain(n int, kernel Kernel) (*Chain, error) {
	b, err := s.lump(n)
	if err != nil {
		return nil, err
	}
	if kernel == Metropolis {
		return b.metropolis()
	}
	if kernel < Gibbs || kernel > FairFlip {
		return nil, fmt.Errorf("%v is not a sampler: use gibbs, metropolis, latent or flip", kernel)
	}
	if b.states > maxDenseStates {
		return nil, fmt.Errorf("%d spins in %d blocks have %d states: the transition matrix takes at most %d; %s", n, len(b.blocks), b.states, maxDenseStates, s.fitting(n))
	}
	return b.gibbs(kernel)
}

// Dynamics is Chain where that is small enough; otherwise, for AGS with two equivalent units, it is HiddenChain, with an accuracy of
// 1e-9, or of 1e-6 or 1e-4 where the grid of a better one is too large. Method of the chain says which.
func (s Structured) Dynamics(n int, kernel Kernel) (*Chain, error) {
	c, err := s.Chain(n, kernel)
	if err == nil || kernel != Gibbs || !s.pairOfEquals() {
		return c, err
	}
	if b, bad := s.lump(n); bad != nil || b.states <= maxDenseStates {
		return nil, err
	}
	for _, accuracy := range []float64{1e-9, 1e-6, 1e-4} {
		if c, err = s.HiddenChain(n, accuracy); err == nil {
			return c, nil
		}
	}
	return nil, err
}

// fitting says which number of spins below n the transition matrix takes, if any.
func (s Structured) fitting(n int) string {
	for k := min(n-1, 4*maxDenseStates); k > 0; k-- {
		states, whole := 1.0, true
		for _, b := range s.blocks() {
			size := b.share * float64(k)
			whole = whole && math.Abs(size-math.Round(size)) < 1e-6
			states *= math.Round(size) + 1
		}
		if whole && states <= maxDenseStates {
			return fmt.Sprintf("try %d spins or fewer", k)
		}
	}
	return "no smaller number of spins that makes whole blocks is small enough"
}

// whole names the number of spins next to n that makes all blocks whole, if there is one up to ten times as large.
func (s Structured) whole(n int) string {
	fits := func(k int) bool {
		for _, b := range s.blocks() {
			if x := b.share * float64(k); k < 1 || math.Abs(x-math.Round(x)) > 1e-6 {
				return false
			}
		}
		return true
	}
	for d := 1; d < min(10*n+100, 100000); d++ {
		for _, k := range []int{n - d, n + d} {
			if fits(k) {
				return fmt.Sprintf(", such as %d", k)
			}
		}
	}
	return ""
}

// lumped is a structured model of N spins in terms of its block counts.
type lumped struct {
	w      float64 // weight over √N
	units  int
	blocks []block
	size   []int // spins in each block
	states int
	n      int
	model  *Landscape
}

func (s Structured) lump(n int) (*lumped, error) {
	l, err := s.Landscape()
	if err != nil {
		return nil, err
	}
	for mu, v := range l.hidden {
		if v.name != Quadratic().name {
			return nil, fmt.Errorf("exact dynamics need quadratic hidden units: unit %d is %s", mu+1, v)
		}
	}
	if n < 1 || n > 1e6 {
		return nil, fmt.Errorf("a chain of %d spins was asked for: it takes 1 to a million", n)
	}
	b := &lumped{w: s.W / math.Sqrt(float64(n)), units: l.units, blocks: s.blocks(), states: 1, n: n, model: l}
	for _, k := range b.blocks {
		exact := k.share * float64(n)
		size := math.Round(exact)
		if math.Abs(exact-size) > 1e-6 {
			return nil, fmt.Errorf("block (%d,%d) would have %g of %d spins: choose N such that α·N is a whole number%s", k.mu+1, k.nu+1, exact, n, s.whole(n))
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
	c := &Chain{State: b.counts(), Method: "exact, on the numbers of up spins in the blocks", p: newBandMatrix(b.states, band), model: b.model, spins: b.n, hidden: b.inputs}
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
		input[bl.mu] += x
		if bl.nu != bl.mu {
			input[bl.nu] += x
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
		x[k] = b.w * h[bl.mu]
		if bl.nu != bl.mu {
			x[k] += b.w * h[bl.nu]
		}
	}
	return x
}

func squareDistance(a, b []float64) float64 {
	s := 0.0
	for i, x := range a {
		s += (x - b[i]) * (x - b[i])
	}
	return s
}
