package evaluate

import (
	"math"

	"instanton/rbm"
	"instanton/unit"
)

// LogZFloor is log Σ e^{−E_eff} over the distinct configurations among those given. log Z cannot be less, so that no
// estimate of a likelihood may exceed −⟨E_eff⟩ less this. It is nil for real visible units, whose sum is an integral.
func LogZFloor(m *rbm.RBM, seen ...*unit.States) (*float64, error) {
	d := newDistinct(m)
	for _, v := range seen {
		if err := d.add(v); err != nil {
			return nil, err
		}
	}
	return d.logSum(), nil
}

// ExactWork is about the number of evaluations of a unit that New needs for an exact log Z unasked, +Inf if it gives
// none.
func ExactWork(m *rbm.RBM) float64 {
	v, h := m.Visible.Spec(), m.Hidden.Spec()
	if n := configurations(m); n <= affordable {
		if v.Type.Discrete() && math.Pow(float64(v.States()), float64(v.N)) == n {
			return n * float64(h.Width())
		}
		return n * float64(v.Width())
	}
	if _, ok := canIntegrate(m); ok {
		return quadratureUnasked
	}
	return math.Inf(1)
}
