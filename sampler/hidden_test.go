package sampler_test

import (
	"context"
	"math"
	"testing"

	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// Recorded hidden units follow P(h|v) of the visible units recorded with them and are independent from draw to draw:
// the residuals h − ⟨h|v⟩, in standard deviations, have mean 0, variance 1 and no correlation with the next draw or
// with the input.
func TestRecordedHiddenUnits(t *testing.T) {
	const chains, draws = 4000, 3
	for _, hidden := range []string{"spin:2", "bernoulli:2", "gaussian:3", "relu:2", "drelu:2"} {
		m := must(rbm.Random(must(unit.ParseSpec("spin:6")), must(unit.ParseSpec(hidden)), 1.2, 4))
		k := must(sampler.NewGlauber(m, 1))
		c := sampler.NewChains(m, chains, 3)
		r := sampler.NewRecord(k, c, sampler.Plan{Burn: 5, Every: 1, Draws: draws}, true)
		if err := sampler.NewPool(k, 2).Record(context.Background(), c, r, nil); err != nil {
			t.Fatal(err)
		}
		n := m.Hidden.Spec().N
		v, I := make([]float64, 6), make([]float64, n)
		mean, variance := make([]float64, n), make([]float64, n)
		residual := make([]float64, r.V.Len)
		input := make([]float64, r.V.Len)
		for row := range r.V.Len {
			r.V.Values(v, row)
			m.Inputs(I, v)
			m.Hidden.Mean(mean, I)
			m.Hidden.Variance(variance, I)
			last := n - 1
			residual[row] = (r.H.Value(row, last) - mean[last]) / math.Sqrt(variance[last])
			input[row] = I[last]
		}
		check := func(what string, f func(row int) float64, want float64) {
			t.Helper()
			var sum, square float64
			count := 0.0
			for row := range residual {
				if x := f(row); !math.IsNaN(x) {
					sum, square, count = sum+x, square+x*x, count+1
				}
			}
			average := sum / count
			if tol := 5 * math.Sqrt((square/count-average*average)/count); math.Abs(average-want) > tol {
				t.Errorf("%s: %s of the residual is %g, want %g ± %g", hidden, what, average, want, tol)
			}
		}
		check("mean", func(row int) float64 { return residual[row] }, 0)
		check("variance", func(row int) float64 { return residual[row] * residual[row] }, 1)
		check("product with the input", func(row int) float64 { return residual[row] * input[row] }, 0)
		check("product with the next draw's", func(row int) float64 {
			if row%draws == draws-1 {
				return math.NaN()
			}
			return residual[row] * residual[row+1]
		}, 0)
	}
}

// At very high temperatures the law is flat; nothing is lost to the range of float32.
func TestTinyBeta(t *testing.T) {
	for _, hidden := range []string{"gaussian:2", "relu:2", "drelu:2", "spin:2"} {
		m := must(rbm.Random(must(unit.ParseSpec("spin:8")), must(unit.ParseSpec(hidden)), 2, 4))
		for _, beta := range []float64{1e-300, 1e-80, 1e-40, 1e-20} {
			c := sampler.NewChains(m, 2000, 3)
			for k := range c.V.Bits {
				c.V.Bits[k] = 0
			}
			if err := sampler.NewPool(must(sampler.NewGibbs(m, beta)), 1).Run(context.Background(), c, 3); err != nil {
				t.Fatal(err)
			}
			var up float64
			for k := range c.V.Len {
				up += (c.V.Value(k, 0) + 1) / 2
			}
			if tol := 5 * math.Sqrt(2000.0/4); math.Abs(up-1000) > tol {
				t.Errorf("%s at β = %g: %g of 2000 up, want 1000 ± %.0f", hidden, beta, up, tol)
			}
		}
	}
}
