package theory

import (
	"fmt"

	"instanton/rbm"
)

// maxChainSpins bounds the spins of a Curie–Weiss chain, whose matrix is dense.
const maxChainSpins = 4096

// Chain is the dynamics of N spins on the number k of up spins.
func (c CurieWeiss) Chain(n int, kernel Kernel) (*Chain, error) {
	if err := checkWeight(c.W); err != nil {
		return nil, err
	}
	if n < 1 || n > maxChainSpins {
		return nil, fmt.Errorf("a chain of %d spins was asked for: it takes 1 to %d", n, maxChainSpins)
	}
	s := Structured{W: c.W, Overlap: rbm.Overlap{{1}}}
	return s.Chain(n, kernel)
}
