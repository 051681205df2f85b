package train

import (
	"math"

	"instanton/rbm"
	"instanton/unit"
)

// stepPiece is a range of visible channels with what their step changes elsewhere.
type stepPiece struct {
	span
	toHidden []float64 // fields on the hidden units
	scale    []float64
	squares  float64 // of the weights after the step
}

// step moves the parameters along the gradient, in the chosen coordinates, and puts the
// model back into its gauge. It overwrites the gradient.
func (t *Trainer) step() {
	m, g := t.model, t.gradient
	t.ascent.begin(t.updates+1, t.factor())
	fieldGradient(t.onVisible, g.Visible)
	fieldGradient(t.onHidden, g.Hidden)
	parallel(t.workers, len(t.pieces), func(k int) { t.stepRows(t.pieces[k]) })

	at := len(m.W)
	logarithmic(g.Visible, m.Visible, false)
	logarithmic(g.Hidden, m.Hidden, true)
	for _, l := range []rbm.Layer{g.Visible, g.Hidden} {
		for _, p := range l.Params() {
			t.ascent.steps(p.Data, at)
			at += len(p.Data)
		}
	}
	move(m.Visible, g.Visible)
	move(m.Hidden, g.Hidden)

	clear(t.toHidden)
	var sum float64
	for _, p := range t.pieces {
		add(t.toHidden, p.toHidden)
		sum += p.squares
	}
	t.wNorm = math.Sqrt(sum)
	if t.coords.centred {
		m.Visible.AddField(t.toVisible)
		m.Hidden.AddField(t.toHidden)
	}
	if m.Visible.Spec().Type == unit.Potts || m.Hidden.Spec().Type == unit.Potts {
		m.ZeroSum()
	}
	if t.tie != nil {
		t.tie.averageLayers(m.Visible, m.Hidden)
	}
}

// stepRows moves the weights of some visible channels.
func (t *Trainer) stepRows(p *stepPiece) {
	c := t.coords
	cols := len(p.toHidden)
	clear(p.toHidden)
	p.squares = 0
	for i := p.lo; i < p.hi; i++ {
		g, w := t.gradient.W[i*cols:(i+1)*cols], t.model.Row(i)
		if c.centred { // ∂/∂W at fixed fields of the centred energy
			onV, mean := t.onVisible[i], c.mu[i]
			for mu := range g {
				g[mu] -= onV*c.lambda[mu] + mean*t.onHidden[mu]
			}
		}
		if c.standardised {
			c.units(p.scale, i)
			for mu, s := range p.scale {
				g[mu] *= s
			}
		}
		t.ascent.steps(g, i*cols)
		if c.standardised {
			for mu, s := range p.scale {
				g[mu] *= s
			}
		}
		var toVisible float64
		for mu, d := range g {
			w[mu] += d
			p.squares += w[mu] * w[mu]
			toVisible -= d * c.lambda[mu]
			p.toHidden[mu] -= d * c.mu[i]
		}
		t.toVisible[i] = toVisible
	}
}
