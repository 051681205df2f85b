package dynamics

import (
	"fmt"
	"math"

	"instanton/theory"
)

// Limits on the exact chains: states of a dense matrix, states times squared bandwidth of a banded one, and the size of
// the kernels between states and hidden values.
const (
	maxDenseStates = 4100
	maxBandWork    = 4e10
	maxGridEntries = 3e7 // hidden grid points × states
)

// BlockCounts is the dynamics of N spins of a structured model, on the numbers of up spins in the blocks. The sizes
// α_μν N must be whole numbers, and all hidden units quadratic.
func BlockCounts(s theory.Structured, n int, kernel Kernel) (*Chain, error) {
	b, err := newLumped(s, n)
	if err != nil {
		return nil, err
	}
	switch kernel {
	case Metropolis:
		return b.singleFlips(metropolisRule)
	case Glauber:
		return b.singleFlips(glauberRule)
	case Gibbs, LatentRedraw, FairFlip:
	default:
		return nil, fmt.Errorf("%v is not a sampler: use gibbs, metropolis, latent, flip or glauber", kernel)
	}
	if b.states > maxDenseStates {
		return nil, fmt.Errorf("%d spins in %d blocks have %d states: the transition matrix takes at most %d; %s",
			n, len(b.blocks), b.states, maxDenseStates, fitting(s, n))
	}
	return b.gibbs(kernel)
}

// Structured is the dynamics of N spins of a structured model: [BlockCounts] where that is small enough; otherwise, for
// AGS with two equivalent units, [HiddenChain], with an accuracy of 1e-9, or of 1e-6 or 1e-4 where the grid of a better
// one is too large. Method of the chain says which.
func Structured(s theory.Structured, n int, kernel Kernel) (*Chain, error) {
	c, err := BlockCounts(s, n, kernel)
	if err == nil || kernel != Gibbs || !pairOfEquals(s) {
		return c, err
	}
	if b, bad := newLumped(s, n); bad != nil || b.states <= maxDenseStates {
		return nil, err
	}
	for _, accuracy := range []float64{1e-9, 1e-6, 1e-4} {
		if c, err = HiddenChain(s, n, accuracy); err == nil {
			return c, nil
		}
	}
	return nil, err
}

// fitting says which number of spins below n the transition matrix takes, if any.
func fitting(s theory.Structured, n int) string {
	for k := min(n-1, 4*maxDenseStates); k > 0; k-- {
		states, whole := 1.0, true
		for _, b := range s.Blocks() {
			size := b.Share * float64(k)
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
func whole(s theory.Structured, n int) string {
	fits := func(k int) bool {
		for _, b := range s.Blocks() {
			if x := b.Share * float64(k); k < 1 || math.Abs(x-math.Round(x)) > 1e-6 {
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
