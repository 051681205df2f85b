package rbm

import (
	"fmt"
	"math"
	"strconv"

	"instanton/unit"
)

// CurieWeiss is the mean-field ferromagnet of n spins at inverse temperature w²: one Gaussian hidden unit with uniform
// weights w/√n, so that E_eff(v) = −(w²/2n) (Σ v_i)² up to a constant.
func CurieWeiss(n int, w float64) (*RBM, error) {
	m, err := meanField(n, 1, w)
	if err != nil {
		return nil, err
	}
	for i := range m.W {
		m.W[i] = w / math.Sqrt(float64(n))
	}
	m.Info = builtAs("curie-weiss", w)
	return m, nil
}

// meanField returns n spins and M Gaussian hidden units with zero weights, after checking w.
func meanField(n, hidden int, w float64) (*RBM, error) {
	if !(w >= 0 && w <= maxParameter) {
		return nil, fmt.Errorf("weight w = %g: expected a number from 0 to %g", w, maxParameter)
	}
	return New(unit.Spec{Type: unit.Spin, N: n}, unit.Spec{Type: unit.Gaussian, N: hidden})
}

func builtAs(name string, w float64) map[string]string {
	return map[string]string{"builder": name, "w": strconv.FormatFloat(w, 'g', -1, 64)}
}
