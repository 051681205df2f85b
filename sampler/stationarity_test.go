package sampler_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"instanton/internal/kernels"
	"instanton/internal/problem"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// kernelsOf returns every kernel that can run the model at a given temperature.
func kernelsOf(t *testing.T, m *rbm.RBM, beta float64) []sampler.Enumerable {
	t.Helper()
	names := []string{"gibbs"}
	if m.Visible.Spec().Type.Discrete() {
		names = append(names, "metropolis", "glauber", "latent")
	}
	var all []sampler.Enumerable
	for _, name := range names {
		k, err := kernels.New(name, m, beta, kernels.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, k.(sampler.Enumerable))
	}
	return all
}

// cases runs f for every pair of unit types, every kernel and several temperatures: the Gibbs kernel corrects at
// noninteger β and copies hidden units from β = 1.5 on.
func cases(t *testing.T, betas []float64, f func(t *testing.T, k sampler.Enumerable)) {
	for _, p := range problem.Pairs() {
		for _, beta := range betas {
			if beta == 0 && !p.Visible.Discrete() {
				continue // no flat law on real numbers
			}
			if beta > 1.5 && !p.Visible.Discrete() && !p.Hidden.Discrete() {
				continue // a grid over two copies of real units is too large with a grid over v
			}
			for _, k := range kernelsOf(t, problem.Tiny(p.Visible, p.Hidden), beta) {
				t.Run(fmt.Sprintf("%s/%s/β=%g", p, sampler.Name(k), beta), func(t *testing.T) { f(t, k) })
			}
		}
	}
}

// written returns the kernel's matrix and the law that it must leave invariant.
func written(t *testing.T, k sampler.Enumerable) (*rbm.Transition, *rbm.Distribution) {
	t.Helper()
	v := problem.Space(k.Model().Visible)
	var h *rbm.Space
	if l := k.Hidden(); l != nil {
		h = problem.Space(l)
	}
	matrix, err := k.Transition(v, h)
	if err != nil {
		t.Fatal(err)
	}
	return matrix, law(t, k)
}

// law is P(v)^β written out.
func law(t *testing.T, k sampler.Enumerable) *rbm.Distribution {
	t.Helper()
	d, err := rbm.NewDistribution(k.Model(), problem.Space(k.Model().Visible), k.Beta())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The written-out matrix of every kernel satisfies detailed balance with P(v)^β, which is therefore stationary. Grids
// are accurate to 1e-9.
func TestDetailedBalance(t *testing.T) {
	cases(t, []float64{0, 0.6, 1, 1.7, 2}, func(t *testing.T, k sampler.Enumerable) {
		tol := 1e-14
		if !k.Model().Visible.Spec().Type.Discrete() || !k.Model().Hidden.Spec().Type.Discrete() {
			tol = 1e-9
		}
		matrix, d := written(t, k)
		if e := matrix.BalanceError(d.P); e > tol {
			t.Errorf("detailed balance fails by %g, want below %g", e, tol)
		}
		if e := matrix.StationaryError(d.P); e > 10*tol {
			t.Errorf("the law is not stationary: error %g", e)
		}
	})
}

// The code follows the written-out matrix: chains started at equilibrium make one sweep, and the pairs (before, after)
// are compared with P(a) T(a,b) by χ². Real visible units are compared by the interval they end in.
func TestSweepFollowsTheMatrix(t *testing.T) {
	const n = 10000
	betas := []float64{0, 0.6, 1, 1.7}
	if testing.Short() {
		betas = []float64{1.7} // copies and corrects
	}
	cases(t, betas, func(t *testing.T, k sampler.Enumerable) {
		m := k.Model()
		matrix, d := written(t, k)
		c := sampler.NewChains(m, n, 17)
		start := problem.Equilibrium(c.V, d)
		if err := sampler.NewPool(k, 1).Run(context.Background(), c, 1); err != nil {
			t.Fatal(err)
		}
		if !m.Visible.Spec().Type.Discrete() {
			compareIntervals(t, d, c.V)
			return
		}
		sweep := matrix.Power(k.Steps())
		x := make([]float64, m.Visible.Spec().N)
		size := d.Space.Size()
		observed, expected := make([]float64, size*size), make([]float64, size*size)
		for j := range n {
			c.V.Values(x, j)
			observed[start[j]*size+d.Space.Index(x)]++
		}
		for a, p := range d.P {
			for b := range size {
				expected[a*size+b] = n * p * sweep.At(a, b)
			}
		}
		problem.ChiSquare(t, observed, expected)
	})
}

// compareIntervals counts real units in intervals of width 1.25, the panels of the grid of package problem, over which
// its quadrature sums are exact.
func compareIntervals(t *testing.T, d *rbm.Distribution, v *unit.States) {
	t.Helper()
	cell := func(x float64) int { return int(math.Floor(x/1.25)) + 12 }
	observed, expected := make([]float64, 25), make([]float64, 25)
	for k := range v.Len {
		observed[min(max(cell(v.Value(k, 0)), 0), 24)]++
	}
	x := make([]float64, 1)
	for k, p := range d.P {
		d.Space.State(x, k)
		expected[cell(x[0])] += float64(v.Len) * p
	}
	problem.ChiSquare(t, observed, expected)
}

// Further sweeps, on several workers, also leave the chains at equilibrium.
func TestStationarity(t *testing.T) {
	if testing.Short() {
		t.Skip("many sweeps of every kernel for every pair of unit types")
	}
	const n, sweeps = 10000, 2
	cases(t, []float64{1}, func(t *testing.T, k sampler.Enumerable) {
		m := k.Model()
		d := law(t, k)
		c := sampler.NewChains(m, n, 17)
		problem.Equilibrium(c.V, d)
		if err := sampler.NewPool(k, 2).Run(context.Background(), c, sweeps); err != nil {
			t.Fatal(err)
		}
		if !m.Visible.Spec().Type.Discrete() {
			compareIntervals(t, d, c.V)
			return
		}
		observed, expected := make([]float64, len(d.P)), make([]float64, len(d.P))
		x := make([]float64, m.Visible.Spec().N)
		for j := range n {
			c.V.Values(x, j)
			observed[d.Space.Index(x)]++
		}
		for a, p := range d.P {
			expected[a] = n * p
		}
		problem.ChiSquare(t, observed, expected)
	})
}
