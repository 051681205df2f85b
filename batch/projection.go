package batch

import (
	"instanton/internal/kernel"
	"instanton/unit"
)

// Projection computes what hidden units receive from a fixed number of configurations, with
// the parameters that the engine has at the time. One goroutine uses it at a time.
type Projection struct {
	of *conditional
	b  *block
}

// Projection returns one for a number of configurations.
func (e *CPU) Projection(rows int) *Projection {
	return &Projection{e.given[Hidden], e.given[Hidden].block(rows)}
}

// Fields sets rows of dst to I+g, inputs and fields, for discrete hidden units, or to I for
// real ones, given configurations lo, lo+1, … of v. Those of a configuration do not depend
// on the others beside it. It allocates nothing.
func (p *Projection) Fields(dst []float32, v *unit.States, lo int) {
	p.of.receive(p.b, dst, v, lo)
	p.of.reals(p.b, dst)
}

// Fixed returns I+g in fixed point, which the next call overwrites. Visible and hidden units
// must be discrete.
func (p *Projection) Fixed(v *unit.States, lo int) *kernel.Fields {
	p.of.receive(p.b, nil, v, lo)
	return p.b.fields
}
