package dynamics

import (
	"fmt"
	"math"
)

// Rules of acceptance for a single flip, by the change of energy.
func metropolisRule(e float64) float64 { return math.Min(1, math.Exp(-e)) }
func glauberRule(e float64) float64    { return 1 / (1 + math.Exp(e)) }

// singleFlips is the chain of single flips: choose one of the N spins, accept by the rule.
func (b *lumped) singleFlips(accept func(energy float64) float64) (*Chain, error) {
	band := 1
	for k := 1; k < len(b.size); k++ {
		band *= b.size[k] + 1
	}
	if work := float64(b.states) * float64(band) * float64(band); work > maxBandWork || b.states > 1<<24 {
		return nil,
			fmt.Errorf("%d spins in %d blocks have %d states in bands of %d: that is too many to eliminate, try "+
				"fewer spins", b.n, len(b.size), b.states, band)
	}
	c := b.chain(band)
	for i, count := range c.State {
		input, leave, stride := b.inputs(count), 0.0, b.states
		for k, size := range b.size {
			stride /= size + 1
			up := count[k]
			for _, move := range []float64{1, -1} {
				spins := up
				if move > 0 {
					spins = float64(size) - up
				}
				if spins == 0 {
					continue
				}
				p := spins / float64(b.n) * accept(b.flipEnergy(input, k, move))
				c.p.set(i, i+int(move)*stride, p)
				leave += p
			}
		}
		c.p.set(i, i, math.Max(0, 1-leave))
	}
	return c, nil
}

// flipEnergy is the change of E = −Σ I²/2 when a spin of block k flips up (move = 1) or down (−1), without
// cancellation.
func (b *lumped) flipEnergy(input []float64, k int, move float64) float64 {
	change := 2 * b.w * move
	e := -change * (input[b.blocks[k].Mu] + change/2)
	if b.blocks[k].Nu != b.blocks[k].Mu {
		e -= change * (input[b.blocks[k].Nu] + change/2)
	}
	return e
}
