package sampler

import (
	"instanton/internal/rng"
	"instanton/rbm"
)

// observer draws hidden units from P(h|v) for configurations that were kept, so that
// (v,h) is a draw of the joint law whatever kernel moved v.
type observer struct {
	hidden rbm.Layer
	up     *product
	inputs []float32
	words  []uint32
}

func newObserver(m *rbm.RBM) *observer {
	return &observer{
		hidden: m.Hidden,
		up:     newProduct(m.Visible.Spec(), m.W),
		inputs: make([]float32, m.Hidden.Spec().Width()),
		words:  make([]uint32, m.Hidden.Words()),
	}
}

// draw sets the hidden units of draw d of chain k.
func (o *observer) draw(r *Record, c *Chains, k, d int) {
	row := k*r.Draws + d
	rng.New(c.Seed, rng.Record, c.First+uint32(k), uint64(d)).Fill(o.words)
	o.up.apply(o.inputs, r.V, row)
	o.hidden.Draw(r.H, row, o.inputs, o.words)
}
