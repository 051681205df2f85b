package jump_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"instanton/batch"
	"instanton/internal/problem"
	"instanton/jump"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// layerOf is a layer of a model.
func layerOf(m *rbm.RBM, side batch.Side) rbm.Layer {
	if side == batch.Hidden {
		return m.Hidden
	}
	return m.Visible
}

// rough is a proposal that does not fit: of another model with the same layer.
func rough(t *testing.T, l rbm.Layer, kind string) jump.Proposal {
	t.Helper()
	other := must(rbm.Random(l.Spec(), unit.Spec{Type: unit.Spin, N: 2}, 0.8, 5))
	c := sampler.NewChains(other, 600, 3)
	if err := sampler.NewPool(must(sampler.NewGibbs(other, 1)), 1).Run(context.Background(), c, 5); err != nil {
		t.Fatal(err)
	}
	switch kind {
	case "products":
		return must(jump.FitProducts(c.V, l, jump.ProductsOptions{Components: 3, Seed: 1}))
	case "network":
		return must(jump.FitNetwork(context.Background(), c.V,
			jump.NetworkOptions{Steps: 40, Batch: 64, Rate: 4e-3, Seed: 1}))
	}
	panic(kind)
}

// cases runs f for every pair of unit types and both layers, with either kind of proposal in turns; more Gibbs steps
// and other temperatures for some.
func cases(t *testing.T, f func(t *testing.T, k *jump.Kernel)) {
	for n, p := range problem.Pairs() {
		m := problem.Tiny(p.Visible, p.Hidden)
		for j, c := range []struct {
			side   batch.Side
			around int
			beta   float64
		}{{batch.Hidden, 0, 1}, {batch.Visible, 1, 1}, {batch.Hidden, 1, 1}, {batch.Visible, 1, 1.4}} {
			if j >= 2 && p.Visible != unit.Spin && p.Hidden != unit.Bernoulli {
				continue
			}
			kind := kinds[(n+n/len(unit.Types())+j)%2]
			name := fmt.Sprintf("%s/%s/%d/β=%g/%s", p, c.side, c.around, c.beta, kind)
			t.Run(name, func(t *testing.T) {
				q := rough(t, layerOf(m, c.side), kind)
				f(t, must(jump.New(m, c.beta, c.side, q, c.around)))
			})
		}
	}
}

var kinds = []string{"products", "network"}

// written returns the kernel's matrix and the law that it must leave invariant.
func written(t *testing.T, k *jump.Kernel) (*rbm.Transition, *rbm.Distribution) {
	t.Helper()
	v := problem.Space(k.Model().Visible)
	return must(k.Transition(v, problem.Space(k.Hidden()))), must(rbm.NewDistribution(k.Model(), v, k.Beta()))
}

func TestDetailedBalance(t *testing.T) {
	cases(t, balanced)
}

func balanced(t *testing.T, k *jump.Kernel) {
	tol := 1e-14
	if !k.Model().Visible.Spec().Type.Discrete() || !k.Model().Hidden.Spec().Type.Discrete() {
		tol = 1e-9
	}
	matrix, d := written(t, k)
	if e := matrix.BalanceError(d.P); e > tol {
		t.Errorf("detailed balance fails by %g, want below %g", e, tol)
	}
}

// Chains started at equilibrium make one sweep: the pairs (before, after) follow P(a) T(a,b).
func TestSweepFollowsTheMatrix(t *testing.T) {
	cases(t, follows)
}

func follows(t *testing.T, k *jump.Kernel) {
	const n = 6000
	m := k.Model()
	matrix, d := written(t, k)
	c := sampler.NewChains(m, n, 17)
	start := problem.Equilibrium(c.V, d)
	if err := sampler.NewPool(k, 2).Run(context.Background(), c, 1); err != nil {
		t.Fatal(err)
	}
	if a := c.Acceptance(); !(a > 0.2 && a < 0.98) {
		t.Errorf("acceptance %g: the test needs both outcomes", a)
	}
	if !m.Visible.Spec().Type.Discrete() {
		compareIntervals(t, d, start, matrix, c.V)
		return
	}
	x := make([]float64, m.Visible.Spec().N)
	size := d.Space.Size()
	observed, expected := make([]float64, size*size), make([]float64, size*size)
	for j := range n {
		c.V.Values(x, j)
		observed[start[j]*size+d.Space.Index(x)]++
	}
	for a, p := range d.P {
		for b := range size {
			expected[a*size+b] = n * p * matrix.At(a, b)
		}
	}
	problem.ChiSquare(t, observed, expected)
}

// compareIntervals counts pairs of intervals of width 1.25, panels of the grid of package problem: before, after.
func compareIntervals(t *testing.T, d *rbm.Distribution, start []int, matrix *rbm.Transition, v *unit.States) {
	t.Helper()
	const cells = 25
	cell := func(x float64) int { return min(max(int(math.Floor(x/1.25))+12, 0), cells-1) }
	observed, expected := make([]float64, cells*cells), make([]float64, cells*cells)
	x := make([]float64, 1)
	at := func(k int) int {
		d.Space.State(x, k)
		return cell(x[0])
	}
	for k := range v.Len {
		observed[at(start[k])*cells+cell(v.Value(k, 0))]++
	}
	for a, p := range d.P {
		for b := range d.P {
			expected[at(a)*cells+at(b)] += float64(v.Len) * p * matrix.At(a, b)
		}
	}
	problem.ChiSquare(t, observed, expected)
}

// Many sweeps on several workers have the same bits as on one.
func TestWorkersChangeNothing(t *testing.T) {
	for _, m := range problem.Stored() {
		for _, kind := range kinds {
			side := jump.Side(m, 1)
			k := must(jump.New(m, 1, side, rough(t, layerOf(m, side), kind), 1))
			a, b := sampler.NewChains(m, 300, 4), sampler.NewChains(m, 300, 4)
			ctx := context.Background()
			if err := sampler.NewPool(k, 1).Run(ctx, a, 6); err != nil {
				t.Fatal(err)
			}
			pool := sampler.NewPool(k, 3)
			for range 3 {
				if err := pool.Run(ctx, b, 2); err != nil {
					t.Fatal(err)
				}
			}
			if !a.V.Equal(b.V) {
				t.Errorf("%s-%s, %s: chains depend on the workers", m.Visible.Spec(), m.Hidden.Spec(), kind)
			}
		}
	}
}
