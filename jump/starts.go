package jump

import (
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Starts returns starts for the chains of Fit where there are no data: the patterns that the model stores, or random
// configurations. Modes that chains do not reach from them are missing from the fit.
func Starts(m *rbm.RBM, seed uint64) *unit.States {
	if m.Patterns != nil {
		return m.PatternsAndOpposites()
	}
	return sampler.NewChains(m, 500, seed).V
}
