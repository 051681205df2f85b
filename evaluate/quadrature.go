package evaluate

import (
	"fmt"
	"math"

	"instanton/internal/special"
	"instanton/rbm"
	"instanton/unit"
)

// maxQuadrature is the largest number of real units that are integrated over.
const maxQuadrature = 3

// Work that a quadrature may take, in terms of states of visible units times nodes: unasked, and at most.
const (
	quadratureUnasked = 3e7
	quadratureMost    = 3e9
)

// tooMuch is the error of a quadrature beyond its limit.
type tooMuch struct{ work, limit float64 }

func (e *tooMuch) Error() string {
	return fmt.Sprintf("the quadrature over the real units needs %.3g terms: expected at most %.3g", e.work, e.limit)
}

// LogZQuadrature is log ∫dh e^{−E_eff(h)} of a model with at most three real units in one layer and any number of
// discrete ones in the other.
//
// Gaussian units: the law of h is a mixture of Gaussians of variance 1/γ, one for each v, so that the trapezoidal
// rule with the spacing s/√γ errs by 2e^{−2π²/s²} of Z, 1e-15 for s = 3/4. The densities of ReLU and dReLU units
// have an edge at zero; they are integrated by Gauss–Legendre panels that shrink towards it. Cells of the product
// grid in which the integrand is negligible are left out: ΣΓ is convex, so that it is largest in a corner.
func LogZQuadrature(m *rbm.RBM) (float64, error) {
	t, err := integrate(m, 1, quadratureMost)
	return t.LogZ, err
}

// thermal is what is known of a law P(v)^β: log Z and the cumulants of its energy.
type thermal struct {
	LogZ, Energy, Variance float64
}

// canIntegrate tells whether a quadrature is possible, and turns the model so that its real layer is the hidden one.
func canIntegrate(m *rbm.RBM) (*rbm.RBM, bool) {
	v, h := m.Visible.Spec(), m.Hidden.Spec()
	switch {
	case v.Type.Discrete() && !h.Type.Discrete() && h.N <= maxQuadrature:
		return m, true
	case h.Type.Discrete() && !v.Type.Discrete() && v.N <= maxQuadrature:
		return m.Transpose(), true
	}
	return nil, false
}

// integrate is the quadrature for the law e^{−βE(v,h)}. With Gaussian hidden units what it returns is that of
// P(v)^β: log Σ_v e^{−βE_eff(v)}, with E_eff and its variance; others allow β = 1 only, and their log Z alone counts.
func integrate(m *rbm.RBM, beta, limit float64) (t thermal, err error) {
	turned, ok := canIntegrate(m)
	gaussian := m.Hidden.Spec().Type == unit.Gaussian
	if !ok || beta != 1 && !(beta > 0 && gaussian) {
		return t, fmt.Errorf("a quadrature of %s with %s: expected at most %d real units in one layer, discrete ones "+
			"in the other", m.Visible.Spec(), m.Hidden.Spec(), maxQuadrature)
	}
	q := &quadratureGrid{beta: beta, limit: limit, classes: unitClasses(turned)}
	real := turned.Hidden.(rbm.Quadratic)
	for mu := range turned.Hidden.Spec().N {
		q.axes = append(q.axes, q.axis(real.Parabolas(mu), mu))
	}
	if t, err = q.sum(); err != nil || !gaussian {
		return t, err
	}
	for _, a := range q.axes { // from e^{−βE(v,h)} to e^{−βE_eff(v)}
		gamma := a.potential.Gamma[0]
		t.LogZ += beta/2*math.Log(2*math.Pi/gamma) - math.Log(2*math.Pi/(beta*gamma))/2
		t.Energy -= math.Log(2*math.Pi/gamma)/2 + 1/(2*beta)
		t.Variance -= 1 / (2 * beta * beta)
	}
	return t, nil
}

// unitClass is a number of discrete units with the same potential and the same weights.
type unitClass struct {
	count   float64
	energy  []float64   // V of each state
	weights [][]float64 // of each state, to the real units
}

// unitClasses sorts the visible units of a model, whose order does not matter.
func unitClasses(m *rbm.RBM) []*unitClass {
	spec := m.Visible.Spec()
	zero := make([]float64, spec.N)
	for i := range zero {
		zero[i] = spec.StateValue(0)
	}
	slope := make([]float64, spec.Width())
	m.Visible.Slope(slope, zero)
	var all []*unitClass
	known := map[string]*unitClass{}
	for i := range spec.N {
		u := &unitClass{count: 1}
		for a := range spec.States() {
			c, factor := spec.Channel(i, spec.StateValue(a))
			w := make([]float64, m.Hidden.Spec().N)
			for mu, x := range m.Row(c) {
				w[mu] = factor * x
			}
			u.energy, u.weights = append(u.energy, factor*slope[c]), append(u.weights, w)
		}
		key := fmt.Sprint(u.energy, u.weights) // prints all digits
		if same := known[key]; same != nil {
			same.count++
			continue
		}
		known[key] = u
		all = append(all, u)
	}
	return all
}

// cumulants of the energy V(x) − x·w·h of one unit at β: Γ, mean and variance.
func (u *unitClass) cumulants(h []float64, beta float64, energies []float64) (cgf, mean, variance float64) {
	least := math.Inf(1)
	for a, e := range u.energy {
		for mu, w := range u.weights[a] {
			e -= w * h[mu]
		}
		energies[a] = e
		least = min(least, e)
	}
	var sum float64
	for _, e := range energies[:len(u.energy)] {
		p := math.Exp(-beta * (e - least))
		sum += p
		mean += p * (e - least)
		variance += p * (e - least) * (e - least)
	}
	mean /= sum
	return math.Log(sum) - beta*least, least + mean, variance/sum - mean*mean
}

// moments are Σe^x, ΣEe^x and ΣE²e^x, in units of e^log.
type moments struct{ log, weight, first, second float64 }

func (m *moments) merge(n moments) {
	switch {
	case n.weight == 0:
		return
	case m.weight == 0:
		*m = n
		return
	case n.log > m.log:
		*m, n = n, *m
	}
	f := math.Exp(n.log - m.log)
	m.weight += f * n.weight
	m.first += f * n.first
	m.second += f * n.second
}

// enumerated is log Z and the cumulants of the energy from all energies.
func enumerated(energies []float64, beta float64) thermal {
	logs := make([]float64, len(energies))
	for k, e := range energies {
		logs[k] = -beta * e
	}
	t := thermal{LogZ: special.LogSumExp(logs)}
	for k, e := range energies {
		t.Energy += math.Exp(logs[k]-t.LogZ) * e
	}
	for k, e := range energies {
		t.Variance += math.Exp(logs[k]-t.LogZ) * (e - t.Energy) * (e - t.Energy)
	}
	return t
}
