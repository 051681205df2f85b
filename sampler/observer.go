package sampler

import (
	"instanton/internal/rng"
	"instanton/rbm"
)

// observer draws hidden units from P(h|v) for configurations that were kept, so that
// (v,h) is a draw of the joint law whatever kernel moved v.
type observer struct {
	model  *rbm.RBM
	v, I   []float64
	inputs []float32
	words  []uint32
}

func newObserver(m *rbm.RBM) *observer {
	width := m.Hidden.Spec().Width()
	return &observer{
		model: m, v: make([]float64, m.Visible.Spec().N), I: make([]float64, width),
		inputs: make([]float32, width), words: make([]uint32, m.Hidden.Words()),
	}
}

// draw sets the hidden units of draw d of chain k.
func (o *observer) draw(r *Record, c *Chains, k, d int) {
	row := k*r.Draws + d
	r.V.Values(o.v, row)
	o.model.Inputs(o.I, o.v)
	for mu, I := range o.I {
		o.inputs[mu] = float32(I)
	}
	rng.New(c.Seed, rng.Record, c.First+uint32(k), uint64(d)).Fill(o.words)
	o.model.Hidden.Draw(r.H, row, o.inputs, o.words)
}
