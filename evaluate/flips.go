package evaluate

import (
	"math"

	"instanton/internal/special"
	"instanton/rbm"
	"instanton/unit"
)

// flips is a shortcut for models with two-state units in both layers: a flip of a visible unit changes Σ_μ Γ_μ by the
// logarithm of a single product. Given the input I, a hidden unit is up with probability p, and a change d of the
// input changes Γ to
//
//	Γ(I+d) = Γ(I) + log(1−p + p e^d)        (Bernoulli units)
//	Γ(I+d) = Γ(I) − d + log(1−p + p e^{2d}) (spins)
//
// The exponentials of the weights are tabulated once for all samples.
type flips struct {
	m    *rbm.RBM
	grow []float64 // e^d, or e^{2d} for spins, if visible unit i flips up
	sum  []float64 // sum over μ of its logarithm
	spin bool      // hidden units are spins
}

// newFlips returns nil if the shortcut does not apply.
func newFlips(m *rbm.RBM) *flips {
	twoState := func(s unit.Spec) bool { return s.States() == 2 && s.Channels() == 1 }
	v, h := m.Visible.Spec(), m.Hidden.Spec()
	if !twoState(v) || !twoState(h) {
		return nil
	}
	f := &flips{m: m, grow: make([]float64, len(m.W)), sum: make([]float64, v.N), spin: h.Type == unit.Spin}
	scale := v.StateValue(1) - v.StateValue(0) // change of a visible unit
	if f.spin {
		scale *= 2
	}
	for i := range f.sum {
		for mu, w := range m.Row(i) {
			d := scale * w
			if math.Abs(d) > maxExponent {
				return nil
			}
			f.sum[i] += d
			f.grow[i*h.N+mu] = math.Exp(d)
		}
	}
	return f
}

// maxExponent keeps products of four factors within the range of normal numbers.
const maxExponent = 150

// setSites sets the log-probabilities of the sites of the configuration v with inputs I; p and q are scratch for the
// hidden units.
func (f *flips) setSites(sites, v, I, p, q []float64) {
	spec := f.m.Visible.Spec()
	scale := 1.0
	if f.spin {
		scale = 2
	}
	for mu, g := range f.m.Hidden.Params()[0].Data {
		x := scale * (I[mu] + g)
		p[mu], q[mu] = special.Sigmoid(x), special.Sigmoid(-x)
	}
	fields := f.m.Visible.Params()[0].Data
	gap := spec.StateValue(1) - spec.StateValue(0)
	for i, x := range v {
		grow := f.grow[i*len(p) : (i+1)*len(p)]
		var change float64 // of −E_eff when unit i flips
		if x > 0 {         // down: q + p/e^d = (q e^d + p)/e^d
			change = logProduct(grow, q, p) - f.sum[i] - gap*fields[i]
			if f.spin {
				change += f.sum[i] / 2
			}
		} else {
			change = logProduct(grow, p, q) + gap*fields[i]
			if f.spin {
				change -= f.sum[i] / 2
			}
		}
		sites[i] = -special.Softplus(change) // log 1/(1+e^change)
	}
}

// logProduct is Σ log(a·x + b), by the logarithm of one product whose exponent is taken out after every four factors.
func logProduct(x, a, b []float64) float64 {
	const mantissa, bias = 1<<52 - 1, 1023
	product, exponent, k := 1.0, 0, 0
	for ; k+4 <= len(x); k += 4 {
		product *= (a[k]*x[k] + b[k]) * (a[k+1]*x[k+1] + b[k+1]) * (a[k+2]*x[k+2] + b[k+2]) * (a[k+3]*x[k+3] + b[k+3])
		bits := math.Float64bits(product)
		exponent += int(bits>>52) - bias
		product = math.Float64frombits(bits&mantissa | bias<<52)
	}
	for ; k < len(x); k++ {
		product *= a[k]*x[k] + b[k]
	}
	return math.Log(product) + float64(exponent)*math.Ln2
}
