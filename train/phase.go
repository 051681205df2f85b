package train

import (
	"math"

	"instanton/evaluate"
	"instanton/rbm"
	"instanton/unit"
)

// phase averages over a batch of a fixed number of configurations with weights what the
// gradient of E_eff is made of: the statistics of v, those of h given v, and v⟨h|v⟩ᵀ.
type phase struct {
	model     *rbm.RBM
	rows      int
	projector *evaluate.Projector // shared, set by the owner
	correlate *correlator
	blocks    []*block

	H      []float32 // w_ℓ⟨h|v_ℓ⟩, less the response of the penalty
	weight float64   // Σ w_ℓ
	v, h   []float64 // ⟨v⟩ and ⟨h⟩, by channels
	spread []float64 // Var h, if wanted
	cost   float64   // Σ_{μ≠ν}|f_μ f_ν|, averaged, if there is a penalty

	visible, hidden rbm.Layer // averages of ∂V/∂params, ∂U/∂params plus the penalty's
}

// block is a part of the batch with its own sums.
type block struct {
	span
	projection *evaluate.Projection
	inputs     []float32

	x, I, mean, variance, response []float64 // of one configuration

	weight, cost    float64
	v, h, h2        []float64
	visible, hidden rbm.Layer
}

// blockRows is enough to pay for the tables of a projection.
const blockRows = 64

func newPhase(m *rbm.RBM, p *evaluate.Projector, rows int) *phase {
	nv, nh := m.Visible.Spec().Width(), m.Hidden.Spec().Width()
	zeros := m.NewGradient()
	f := &phase{
		model: m, rows: rows, projector: p, correlate: newCorrelator(m.Visible.Spec(), rows, nh),
		H: make([]float32, rows*nh), v: make([]float64, nv), h: make([]float64, nh), spread: make([]float64, nh),
		visible: zeros.Visible, hidden: zeros.Hidden,
	}
	for _, s := range spans(rows, blockRows) {
		zeros := m.NewGradient()
		f.blocks = append(f.blocks, &block{
			span: s, projection: p.Projection(s.hi - s.lo), inputs: make([]float32, (s.hi-s.lo)*nh),
			x: make([]float64, m.Visible.Spec().N), I: make([]float64, nh), mean: make([]float64, nh),
			variance: make([]float64, nh), response: make([]float64, nh),
			v: make([]float64, nv), h: make([]float64, nh), h2: make([]float64, nh),
			visible: zeros.Visible, hidden: zeros.Hidden,
		})
	}
	return f
}

// gather averages over the configurations of v with the given weights (nil: all one),
// under a penalty and with the variance of h if wanted.
func (f *phase) gather(v *unit.States, weights []float64, penalty float64, spread bool, workers int) {
	parallel(workers, len(f.blocks), func(k int) { f.blocks[k].gather(f, v, weights, penalty, spread) })
	f.weight, f.cost = 0, 0
	clear(f.v)
	clear(f.h)
	clear(f.spread)
	clearLayer(f.visible)
	clearLayer(f.hidden)
	for _, b := range f.blocks {
		f.weight += b.weight
		f.cost += b.cost
		add(f.v, b.v)
		add(f.h, b.h)
		add(f.spread, b.h2)
		addLayer(f.visible, b.visible)
		addLayer(f.hidden, b.hidden)
	}
	scale := 1 / f.weight
	f.cost *= scale
	multiply(f.v, scale)
	multiply(f.h, scale)
	for mu := range f.spread {
		f.spread[mu] = f.spread[mu]*scale - f.h[mu]*f.h[mu]
	}
	multiplyLayer(f.visible, scale)
	multiplyLayer(f.hidden, scale)
}

func (b *block) gather(f *phase, v *unit.States, weights []float64, penalty float64, spread bool) {
	b.weight, b.cost = 0, 0
	clear(b.v)
	clear(b.h)
	clear(b.h2)
	clearLayer(b.visible)
	clearLayer(b.hidden)
	b.projection.Inputs(b.inputs, v, b.lo)
	width := len(b.I)
	for k := b.lo; k < b.hi; k++ {
		w := 1.0
		if weights != nil {
			w = weights[k]
		}
		H := f.H[k*width : (k+1)*width]
		if w == 0 { // a row that only fills the batch
			clear(H)
			continue
		}
		for mu, I := range b.inputs[(k-b.lo)*width:][:width] {
			b.I[mu] = float64(I)
		}
		b.weight += w
		v.Values(b.x, k)
		b.addVisible(f.model.Visible, w)
		b.addHidden(f.model.Hidden, H, w, penalty, spread)
	}
}

// addVisible adds the statistics of the configuration x.
func (b *block) addVisible(l rbm.Layer, w float64) {
	l.AddStatistics(b.visible, b.x, w)
	if spec := l.Spec(); spec.Type == unit.Potts {
		for i, a := range b.x {
			b.v[i*spec.Q+int(a)] += w
		}
		return
	}
	for i, x := range b.x {
		b.v[i] += w * x
	}
}

// addHidden adds the statistics of the hidden units given the inputs, and sets the row H.
func (b *block) addHidden(l rbm.Layer, H []float32, w, penalty float64, spread bool) {
	l.Mean(b.mean, b.I)
	if l.Spec().Type.Discrete() { // the fields' statistic is −x: no need to compute it twice
		subtractScaled(b.hidden.Params()[0].Data, w, b.mean)
	} else {
		l.AddMeanStatistics(b.hidden, b.I, w)
	}
	if spread || penalty > 0 {
		l.Variance(b.variance, b.I)
	}
	for mu, x := range b.mean {
		b.h[mu] += w * x
		H[mu] = float32(w * x)
		if spread {
			b.h2[mu] += w * (x*x + b.variance[mu])
		}
	}
	if penalty > 0 {
		b.penalise(l, H, w, penalty)
	}
}

// penalise adds the response to the penalty λ Σ_{μ≠ν}|f_μ f_ν| = λ[(Σ|f|)² − Σf²] of one
// configuration, where f = ⟨h|v⟩: its derivative by f_μ is 2λ sign(f_μ) Σ_{ν≠μ}|f_ν|, and
// ∂f_μ/∂I_μ is the variance.
func (b *block) penalise(l rbm.Layer, H []float32, w, penalty float64) {
	var sum, squares float64
	for _, f := range b.mean {
		sum += math.Abs(f)
		squares += f * f
	}
	b.cost += w * (sum*sum - squares)
	for mu, f := range b.mean {
		b.response[mu] = 0
		if f != 0 {
			b.response[mu] = w * penalty * 2 * math.Copysign(sum-math.Abs(f), f)
		}
		H[mu] -= float32(b.response[mu] * b.variance[mu])
	}
	if err := rbm.AddMeanResponse(l, b.hidden, b.I, b.response); err != nil {
		panic(err) // Config.Check refuses Potts units
	}
}

// addTo adds sign times the averages to the gradient of the log-likelihood.
func (f *phase) addTo(g *rbm.Gradient, v *unit.States, sign float64, workers int) {
	f.correlate.add(g.W, v, f.H, sign/f.weight, workers)
	addScaledLayer(g.Visible, -sign, f.visible)
	addScaledLayer(g.Hidden, -sign, f.hidden)
}

// finite tells whether the averages are numbers.
func (f *phase) finite() bool {
	for _, x := range f.h {
		if x-x != 0 {
			return false
		}
	}
	for _, p := range f.hidden.Params() {
		for _, x := range p.Data {
			if x-x != 0 {
				return false
			}
		}
	}
	return true
}
