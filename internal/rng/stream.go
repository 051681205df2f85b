package rng

import (
	"math"
	"math/bits"
)

// Purpose separates the streams that one chain uses within one sweep. The values
// are part of every golden output: append new ones, never renumber.
type Purpose uint8

const (
	Hidden    Purpose = iota + 1 // hidden units given the visible ones
	Visible                      // visible units given the hidden ones
	Accept                       // Metropolis tests of whole-layer proposals
	Site                         // single-site moves: site, proposal and test
	Start                        // initial states of chains
	Weights                      // weights of random models
	Fields                       // fields and potentials of random models
	Patterns                     // Hopfield patterns
	Rotation                     // random orthogonal matrices
	Data                         // synthetic data sets
	Record                       // hidden units drawn only to be recorded
	Minibatch                    // order of the samples in an epoch of training
	Split                        // which samples are held out
	Resample                     // choice of chains by their weights
	Latent                       // moves of hidden units with the visible ones summed out
	Order                        // the order of such moves
	Cluster                      // starts of clusterings
	Forest                       // bootstraps and candidate features of decision trees
	Subspace                     // starts of iterations for principal components
	Thin                         // which of many draws are analysed
	Swap                         // exchanges between inverse temperatures
	Foreign                      // kernels from outside the module
	Propose                      // units of a proposal for a whole layer
	Jump                         // such a jump: the part of the proposal, and the test
	Refit                        // weights and minibatches of a proposal that is fitted
)

// Limits of the counter's parts: chain fills a word, sweep the next one and the
// 24 bits that purpose leaves of the last.
const maxSweep = 1<<56 - 1

// Stream is the sequence of random words of one (seed, purpose, chain, sweep).
// Word i belongs to unit i of the layer that is drawn. The zero value is a valid
// stream. Copying a Stream copies the sequence.
type Stream struct {
	key     [2]uint32
	counter [4]uint32 // word 0 is the block index and stays zero here
}

// New returns the stream of one (seed, purpose, chain, sweep). Sweep numbers above
// 2^56-1 wrap.
func New(seed uint64, purpose Purpose, chain uint32, sweep uint64) Stream {
	sweep &= maxSweep
	return Stream{
		key:     [2]uint32{uint32(seed), uint32(seed >> 32)},
		counter: [4]uint32{0, chain, uint32(sweep), uint32(purpose)<<24 | uint32(sweep>>32)},
	}
}

// Key and Counter are what Philox is given, for vector code that computes the words
// itself: block i has the counter with i in its first word.
func (s Stream) Key() [2]uint32     { return s.key }
func (s Stream) Counter() [4]uint32 { return s.counter }

// Block returns words 4i to 4i+3.
func (s Stream) Block(i uint32) [4]uint32 {
	c := s.counter
	c[0] = i
	return Philox(c, s.key)
}

// Fill sets dst to words 0 to len(dst)-1.
func (s Stream) Fill(dst []uint32) {
	i := uint32(0)
	for ; len(dst) >= 4; i++ {
		b := s.Block(i)
		copy(dst, b[:])
		dst = dst[4:]
	}
	if len(dst) > 0 {
		b := s.Block(i)
		copy(dst, b[:])
	}
}

// Uniform maps a word to the open interval (0,1) by the midpoints of 2^32 cells.
func Uniform(word uint32) float64 { return (float64(word) + 0.5) * (1.0 / (1 << 32)) }

// Below maps two words to {0,…,n-1}; the bias is below n/2^64.
func Below(hi, lo uint32, n int) int {
	h, _ := bits.Mul64(uint64(hi)<<32|uint64(lo), uint64(n))
	return int(h)
}

// Categorical returns a with probability ∝ e^{w_a}, given a uniform number, by
// inversion of the cumulative distribution. It overwrites w.
func Categorical(w []float64, u float64) int {
	top := w[0]
	for _, x := range w[1:] {
		top = max(top, x)
	}
	var sum float64
	for a, x := range w {
		sum += math.Exp(x - top)
		w[a] = sum
	}
	u *= sum
	for a := range w {
		if u < w[a] {
			return a
		}
	}
	return len(w) - 1
}
