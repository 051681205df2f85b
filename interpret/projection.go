package interpret

import (
	"fmt"

	"instanton/batch"
	"instanton/rbm"
	"instanton/unit"
)

// Projection is what the hidden units make of a block of configurations: one row per configuration, as wide as the
// hidden layer.
type Projection struct {
	Inputs []float64    // I_μ(v) = Σ_i W_iμ v_i
	Means  []float64    // ⟨h_μ|v⟩; the probability of each state for Potts units
	Draws  *unit.States // from P(h|v); nil unless asked for
}

// Projector computes projections block by block, in memory that it uses again.
type Projector struct {
	// Draw asks for draws, with random numbers that are a function of Seed and the number of the row.
	Draw bool
	Seed uint64

	m      *rbm.RBM
	engine batch.Engine
	worker batch.Worker
	out    Projection
	rows   int // so far
}

// NewProjector prepares a model; a number of workers below one means one per processor.
func NewProjector(m *rbm.RBM, workers int) (*Projector, error) {
	engine, err := batch.New(m, workers)
	if err != nil {
		return nil, err
	}
	return &Projector{m: m, engine: engine, worker: engine.Worker()}, nil
}

// Next projects the next block of configurations. The result is valid until the next call.
func (p *Projector) Next(v *unit.States) (*Projection, error) {
	if v.Spec != p.m.Visible.Spec() {
		return nil, fmt.Errorf("data of %s: the model has visible units %s", v.Spec, p.m.Visible.Spec())
	}
	spec := p.m.Hidden.Spec()
	if size := v.Len * spec.Width(); cap(p.out.Inputs) < size {
		p.out.Inputs, p.out.Means = make([]float64, size), make([]float64, size)
	} else {
		p.out.Inputs, p.out.Means = p.out.Inputs[:size], p.out.Means[:size]
	}
	p.engine.Inputs(p.out.Inputs, batch.Hidden, v)
	p.engine.Means(p.out.Means, batch.Hidden, v)
	if p.Draw {
		if p.out.Draws == nil || p.out.Draws.Len != v.Len {
			p.out.Draws = unit.NewStates(spec, v.Len)
		}
		stream := batch.Stream{Seed: p.Seed, Chain: uint32(p.rows), Recorded: true}
		p.worker.Draw(batch.Hidden, p.out.Draws, 0, v, 0, v.Len, stream)
	}
	p.rows += v.Len
	return &p.out, nil
}
