package train

import (
	"math"

	"instanton/unit"
)

// pieceUnits is the number of visible channels of a piece of a step.
const pieceUnits = 64

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
	m := t.model
	t.ascent.begin(t.updates+1, t.factor())
	fieldGradient(t.onVisible, t.gVisible)
	fieldGradient(t.onHidden, t.gHidden)
	t.crew.do(len(t.pieces), t.stepTask)

	at := len(m.W)
	logarithmic(t.gVisible, t.visible, false)
	logarithmic(t.gHidden, t.hidden, true)
	for _, l := range [...]params{t.gVisible, t.gHidden} {
		for _, p := range l.data {
			t.ascent.steps(p, at)
			at += len(p)
		}
	}
	move(t.visible, t.gVisible)
	move(t.hidden, t.gHidden)

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
		add(w, g)
		p.squares += squares(w)
		if c.centred {
			t.toVisible[i] = -dot(g, c.lambda)
			subtractScaled(p.toHidden, c.mu[i], g)
		}
	}
}
