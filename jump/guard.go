package jump

import (
	"instanton/sampler"
)

// Guard watches for chains that are trapped: a chain in a mode that q lacks rejects every jump away from it, and what
// the other chains say about the weights of modes is then wrong. A chain counts as trapped if it has had no accepted
// jump in patience/acceptance proposals, where by chance alone that has a probability of e^−20.
type Guard struct {
	accepted []uint64 // by each chain when last looked at
	proposed []uint64 // when a jump was last seen accepted
}

const patience = 20

// NewGuard starts to watch chains.
func NewGuard(c *sampler.Chains) *Guard {
	return &Guard{accepted: append([]uint64(nil), c.Accepted...), proposed: append([]uint64(nil), c.Proposed...)}
}

// Look returns the numbers of the trapped chains. It is to be called every few sweeps; only whole intervals between
// two calls count as waiting.
func (g *Guard) Look(c *sampler.Chains) (trapped []int) {
	acceptance := c.Acceptance()
	for k := range c.Accepted {
		switch {
		case c.Accepted[k] != g.accepted[k]:
			g.accepted[k], g.proposed[k] = c.Accepted[k], c.Proposed[k]
		case float64(c.Proposed[k]-g.proposed[k]) > patience/acceptance:
			trapped = append(trapped, k)
		}
	}
	return trapped
}

// Never returns the chains that have not accepted a single jump though they have made patience/acceptance proposals.
func Never(c *sampler.Chains) (trapped []int) {
	acceptance := c.Acceptance()
	for k := range c.Accepted {
		if c.Accepted[k] == 0 && float64(c.Proposed[k]) > patience/acceptance {
			trapped = append(trapped, k)
		}
	}
	return trapped
}
