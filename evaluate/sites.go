package evaluate

import (
	"fmt"

	"instanton/internal/special"
	"instanton/rbm"
	"instanton/unit"
)

// Sites fits a model of independent units to data: their potentials alone reproduce the means and, for Gaussian units,
// the variances. ReLU and dReLU units, with θ = 0, reproduce the mean square of the data on each side of zero. Data
// are weighted if weights is non-nil; rows selects configurations, nil for all.
func Sites(data *unit.States, weights []float64, rows []int) (rbm.Layer, error) {
	l, err := rbm.NewLayer(data.Spec)
	if err != nil {
		return nil, err
	}
	averages, total := siteAverages(data, weights, rows)
	if !(total > 0 && special.Finite(total)) {
		return nil, fmt.Errorf("the weights of the data sum to %g: expected a positive number", total)
	}
	l.Fit(averages)
	return l, nil
}

// siteAverages returns the averages of every channel over the data, and the sum of the weights.
func siteAverages(data *unit.States, weights []float64, rows []int) (a *rbm.Averages, total float64) {
	zeros := func() []float64 { return make([]float64, data.Width()) }
	a = &rbm.Averages{X: zeros(), Square: zeros(), Positive: zeros(), PositiveSquare: zeros()}
	x := make([]float64, data.N)
	each(data.Len, rows, func(k int) {
		w := 1.0
		if weights != nil {
			w = weights[k]
		}
		total += w
		data.Values(x, k)
		for i, xi := range x {
			c, y := data.Channel(i, xi)
			a.X[c] += w * y
			a.Square[c] += w * y * y
			if y > 0 {
				a.Positive[c] += w
				a.PositiveSquare[c] += w * y * y
			}
		}
	})
	for _, sums := range [][]float64{a.X, a.Square, a.Positive, a.PositiveSquare} {
		for c := range sums {
			sums[c] /= total
		}
	}
	return a, total
}

// each calls f for the given rows, or for all n of them if rows is nil.
func each(n int, rows []int, f func(k int)) {
	if rows == nil {
		for k := range n {
			f(k)
		}
		return
	}
	for _, k := range rows {
		f(k)
	}
}
