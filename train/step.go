package train

import (
	"math"

	"instanton/internal/kernel"
	"instanton/internal/parallel"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// ascent moves the parameters of a model along their gradient, in the chosen coordinates.
type ascent struct {
	model  *rbm.RBM
	coords *coordinates
	tie    *Symmetry // or nil
	steps  Steps
	clip   float64

	visible, hidden     params    // of the model
	onVisible, onHidden []float64 // derivatives with respect to fields
	toVisible, toHidden []float64 // fields that compensate a step of the weights
	pieces              []*piece
	scratch             []*stepScratch // one per worker
	gradient            *gradient      // of the current step
	pieceTask           func(worker, i int)

	gradientNorm, weightNorm float64
}

// piece is a range of visible channels, with the effect of their step on the hidden units.
type piece struct {
	parallel.Range
	toHidden []float64 // fields on the hidden units
	squares  float64   // of the weights after the step
}

// stepScratch holds the derivatives with respect to a row of weights, which become its step, and the units of its
// coordinates.
type stepScratch struct{ row, units []float64 }

// pieceChannels is the number of visible channels of a piece. It is a constant, so that sums over pieces have a fixed
// order.
const pieceChannels = 64

func newAscent(m *rbm.RBM, c *coordinates, tie *Symmetry, o Optimizer, clip float64, workers int) *ascent {
	nv, nh := m.Visible.Spec().Width(), m.Hidden.Spec().Width()
	a := &ascent{
		model: m, coords: c, tie: tie, clip: clip, visible: paramsOf(m.Visible), hidden: paramsOf(m.Hidden),
		onVisible: make([]float64, nv), onHidden: make([]float64, nh),
		toVisible: make([]float64, nv), toHidden: make([]float64, nh),
	}
	a.steps = o.Start(len(m.W) + a.visible.count() + a.hidden.count())
	for _, r := range parallel.Blocks(nv, pieceChannels) {
		a.pieces = append(a.pieces, &piece{Range: r, toHidden: make([]float64, nh)})
	}
	for range workers {
		a.scratch = append(a.scratch, &stepScratch{make([]float64, nh), make([]float64, nh)})
	}
	a.pieceTask = func(worker, i int) { a.stepPiece(a.pieces[i], a.scratch[worker]) }
	return a
}

// step does update t with the given learning rate: it moves the parameters along the gradient and puts the model back
// into its gauge. It overwrites the gradient.
func (a *ascent) step(team *parallel.Team, g *gradient, t int, rate float64) {
	a.gradient = g
	a.steps.Begin(t, rate)
	fieldGradient(a.onVisible, g.visible)
	fieldGradient(a.onHidden, g.hidden)
	team.For(len(a.pieces), a.pieceTask)
	a.gradientNorm = g.norm()
	a.stepLayers(g)

	clear(a.toHidden)
	var squares float64
	for _, p := range a.pieces {
		vec.Add(a.toHidden, p.toHidden)
		squares += p.squares
	}
	a.weightNorm = math.Sqrt(squares)
	a.compensate()
	m := a.model
	if m.Visible.Spec().Type == unit.Potts || m.Hidden.Spec().Type == unit.Potts {
		m.ZeroSum()
	}
	if a.tie != nil {
		a.tie.averageLayers(m.Visible, m.Hidden)
	}
}

// stepPiece moves the weights of some visible channels. A row stays in the first-level cache from its gradient to its
// new values.
func (a *ascent) stepPiece(p *piece, s *stepScratch) {
	c, g := a.coords, s.row
	clear(p.toHidden)
	p.squares = 0
	for i := p.Lo; i < p.Hi; i++ {
		a.gradient.row(g, i)
		if c.centred { // ∂/∂W at fixed fields of the centred energy
			kernel.Centre(g, a.onVisible[i], c.lambda, c.mu[i], a.onHidden)
		}
		if c.standardised {
			c.units(s.units, i)
			multiply(g, s.units)
		}
		a.turn(g, i*len(g))
		if c.standardised {
			multiply(g, s.units)
		}
		p.squares += kernel.Advance(a.model.Row(i), g)
		if c.centred {
			a.toVisible[i] = -kernel.Compensate(p.toHidden, c.mu[i], g, c.lambda)
		}
	}
}

// turn replaces derivatives with respect to parameters at, at+1, … with steps.
func (a *ascent) turn(g []float64, at int) {
	if a.clip > 0 {
		kernel.Clip(g, a.clip)
	}
	a.steps.Step(g, at)
}

// multiply multiplies element by element.
func multiply(x, s []float64) {
	for i, v := range s {
		x[i] *= v
	}
}

// stepLayers moves the parameters of the layers.
func (a *ascent) stepLayers(g *gradient) {
	at := len(a.model.W)
	logarithmic(g.visible, a.visible, false)
	logarithmic(g.hidden, a.hidden, true)
	for _, l := range [...]params{g.visible, g.hidden} {
		for _, p := range l.data {
			a.turn(p, at)
			at += len(p)
		}
	}
	move(a.visible, g.visible)
	move(a.hidden, g.hidden)
}

// compensate adds the fields that keep those of the centred energy unchanged.
func (a *ascent) compensate() {
	if a.coords.centred {
		a.model.Visible.AddField(a.toVisible)
		a.model.Hidden.AddField(a.toHidden)
	}
}

// scaleWeights multiplies W by s, at fixed fields of the centred energy.
func (a *ascent) scaleWeights(s float64) {
	clear(a.toHidden)
	for i := range a.toVisible {
		row := a.model.Row(i)
		a.toVisible[i] = (1 - s) * kernel.Compensate(a.toHidden, (s-1)*a.coords.mu[i], row, a.coords.lambda)
		vec.Scale(s, row)
	}
	a.compensate()
	a.weightNorm *= s
}
