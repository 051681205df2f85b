package sampler

import "instanton/batch"

// Projection is that of the batch engine.
type Projection = batch.Projection

// Projection returns one for a number of configurations. The kernel must be at β = 1.
func (g *Gibbs) Projection(rows int) *Projection { return g.engine.Projection(rows) }
