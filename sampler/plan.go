package sampler

import (
	"fmt"
	"math"

	"instanton/unit"
)

// Plan says which configurations of a run are kept: after Burn sweeps, one every Every sweeps, Draws in all.
type Plan struct {
	Burn, Every, Draws int
}

// Check rejects a plan whose draws would not fit in a file, for a number of chains and the layers that are kept.
func (p Plan) Check(chains int, layers ...unit.Spec) error {
	if p.Burn < 0 || p.Every < 1 || p.Draws < 1 {
		return fmt.Errorf("burn-in %d, %d draws every %d sweeps: burn-in must be ≥ 0; draws and sweeps between them "+
			"must be ≥ 1", p.Burn, p.Draws, p.Every)
	}
	if float64(p.Burn)+float64(p.Every)*float64(p.Draws) > maxSweeps {
		return fmt.Errorf("%g sweeps: expected at most %g", float64(p.Burn)+float64(p.Every)*float64(p.Draws),
			float64(maxSweeps))
	}
	if chains > math.MaxInt32 {
		return fmt.Errorf("%d chains: expected at most %d", chains, math.MaxInt32)
	}
	if float64(chains)*float64(p.Draws) > math.MaxInt32*64 {
		return fmt.Errorf("%d chains with %d draws each: expected at most %d draws in all", chains, p.Draws,
			math.MaxInt32*64)
	}
	for _, spec := range layers {
		if err := spec.CheckCount(chains * p.Draws); err != nil {
			return fmt.Errorf("%d chains with %d draws each: %w", chains, p.Draws, err)
		}
	}
	return nil
}

// maxSweeps keeps sweep numbers within the counter of the random streams.
const maxSweeps = 1 << 52

// Sweeps is the length of the run.
func (p Plan) Sweeps() int { return p.Burn + p.Every*p.Draws }

// Done is the number of draws that chains at the given sweep have made.
func (p Plan) Done(sweep uint64) int {
	if sweep < uint64(p.Burn) {
		return 0
	}
	return min(p.Draws, int((sweep-uint64(p.Burn))/uint64(p.Every)))
}
