package train

import (
	"math"

	"instanton/batch"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// coordinates are those in which a step is taken. The energy written with offsets,
//
//	E = −Σ W_iμ (v_i−μ_i)(h_μ−λ_μ) + Σ V_i(v_i) + Σ U_μ(h_μ),
//
// is that of the same model with the fields −Wλ on the visible and −Wᵀμ on the hidden
// units. With μ = ⟨v⟩ and λ = ⟨h⟩ over the data, a change of the weights no longer acts as a
// change of the fields, which is what makes plain gradients slow (Montavon and Müller
// 2012; Melchior, Fischer and Wiskott 2016). Only the direction of a step depends on the
// offsets, never the model.
//
// Standardised coordinates also measure the weights in units of 1/(σ_i σ_μ). The γ of real
// units move on a logarithmic scale, so that they stay positive. Those of hidden units
// keep their product: the scale of a real hidden unit is a gauge, which the weights carry.
type coordinates struct {
	centred, standardised bool

	mu, sigma      []float64 // of the visible channels, over the data
	lambda, spread []float64 // of the hidden ones: running mean and variance
}

// memory is the share of a minibatch in the running averages of hidden units.
const memory = 0.01

// least keeps discrete units that the data leave nearly constant from taking huge steps.
const least = 0.05

// Coordinates are those in which a step is taken.
type Coordinates int

const (
	// Centred coordinates measure units from their means over the data, so that what is
	// called 0 and 1 makes no difference.
	Centred Coordinates = iota
	// Standardised coordinates also measure the weights in units of 1/(σ_i σ_μ), which real
	// data that are not of order one need.
	Standardised
	// Plain steps follow the derivative of the log-likelihood as it is.
	Plain
)

func newCoordinates(mode Coordinates, m *rbm.RBM, mean, variance []float64) *coordinates {
	nh := m.Hidden.Spec().Width()
	c := &coordinates{
		centred: mode != Plain, standardised: mode == Standardised,
		mu: mean, sigma: make([]float64, len(mean)), lambda: make([]float64, nh), spread: make([]float64, nh),
	}
	floor := least
	if !m.Visible.Spec().Type.Discrete() { // of any scale
		floor = math.Sqrt(leastVariance)
	}
	for i, x := range variance {
		c.sigma[i] = max(math.Sqrt(x), floor)
	}
	copy(c.lambda, restMeans(m.Hidden))
	m.Hidden.Variance(c.spread, make([]float64, nh))
	return c
}

// track lets the running averages follow a minibatch, in models with a symmetry or without
// (nil).
func (c *coordinates) track(a batch.Averages, tie *Symmetry) {
	h, variance := a.H(), a.Variance()
	for mu := range c.lambda {
		c.lambda[mu] += memory * (h[mu] - c.lambda[mu])
		c.spread[mu] += memory * (variance[mu] - c.spread[mu])
	}
	if tie != nil {
		q := a.Hidden().Spec().Channels()
		averagePartners(c.lambda, tie.Hidden, q)
		averagePartners(c.spread, tie.Hidden, q)
	}
}

// units sets scale to 1/(σ_i σ_μ) of visible channel i.
func (c *coordinates) units(scale []float64, i int) {
	for mu, v := range c.spread {
		scale[mu] = 1 / (c.sigma[i] * max(math.Sqrt(max(v, 0)), least))
	}
}

// fieldGradient sets dst to the derivative by a field on every channel, given that by the
// parameters of a layer.
func fieldGradient(dst []float64, g params) {
	clear(dst)
	sign := -1.0 // θ is a field against x
	if g.layer.Spec().Type.Discrete() {
		sign = 1
	}
	for k, p := range g.data {
		if !g.positive[k] {
			vec.AddScaled(dst, sign, p)
		}
	}
}

// logarithmic turns the derivatives by γ into those by log γ; with keep, the sum over the
// γ of each unit stays as it is.
func logarithmic(g, l params, keep bool) {
	count := 0.0
	for k, p := range g.data {
		if l.positive[k] {
			count++
			for i := range p {
				p[i] *= l.data[k][i]
			}
		}
	}
	if !keep || count == 0 {
		return
	}
	for i := range l.layer.Spec().N {
		var mean float64
		for k, p := range g.data {
			if l.positive[k] {
				mean += p[i] / count
			}
		}
		for k, p := range g.data {
			if l.positive[k] {
				p[i] -= mean
			}
		}
	}
}

// largestLog is the largest change of log γ in one update.
const largestLog = 0.5

// move adds steps to the parameters of a layer.
func move(l, steps params) {
	for k, p := range steps.data {
		for i, d := range p {
			if l.positive[k] {
				l.data[k][i] *= math.Exp(min(max(d, -largestLog), largestLog))
			} else {
				l.data[k][i] += d
			}
		}
	}
}

// dataMoments are the means and variances of the visible channels over data.
func dataMoments(data Data) (mean, variance []float64) {
	s := data.States
	mean, variance = make([]float64, s.Width()), make([]float64, s.Width())
	x := make([]float64, s.N)
	var total float64
	for _, k := range data.Rows {
		w := data.weight(k)
		total += w
		s.Values(x, k)
		for i, v := range x {
			if s.Type == unit.Potts {
				mean[i*s.Q+int(v)] += w
				continue
			}
			mean[i] += w * v
			variance[i] += w * v * v
		}
	}
	for c := range mean {
		mean[c] /= total
		if s.Type == unit.Potts {
			variance[c] = mean[c] * (1 - mean[c])
		} else {
			variance[c] = max(0, variance[c]/total-mean[c]*mean[c])
		}
	}
	return mean, variance
}
