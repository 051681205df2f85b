package dynamics

import (
	"fmt"

	"instanton/rbm"
	"instanton/theory"
)

// maxChainSpins bounds the spins of a Curie–Weiss chain, whose matrix is dense.
const maxChainSpins = 4096

// CurieWeiss is the dynamics of N spins of the Curie–Weiss model, on the number k of up spins.
func CurieWeiss(model theory.CurieWeiss, n int, kernel Kernel) (*Chain, error) {
	if _, err := model.Landscape(); err != nil {
		return nil, err
	}
	if n < 1 || n > maxChainSpins {
		return nil, fmt.Errorf("a chain of %d spins was asked for: it takes 1 to %d", n, maxChainSpins)
	}
	return BlockCounts(theory.Structured{W: model.W, Overlap: rbm.Overlap{{1}}}, n, kernel)
}
