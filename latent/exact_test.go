package latent_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"instanton/internal/problem"
	"instanton/latent"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// latentCases are the moves beyond single units, each over every kind of visible units.
func latentCases(t *testing.T, f func(t *testing.T, k sampler.Enumerable)) {
	directions := [][]float64{{1, 1}, {0.5, -1}, {0, 2}}
	for _, visible := range []unit.Type{unit.Spin, unit.Bernoulli, unit.Potts} {
		for _, c := range []struct {
			hidden  string
			options latent.Options
		}{
			{"spin:3", latent.Options{Block: 2}},
			{"spin:3", latent.Options{Groups: [][]int{{0, 2}, {1}}}},
			{"bernoulli:3", latent.Options{Block: 3}},
			{"bernoulli:4", latent.Options{Block: 1, Groups: [][]int{{3, 1, 2}, {0}}}},
			{"potts:2x3", latent.Options{Block: 2}},
			{"gaussian:2", latent.Options{Block: 1}},
			{"gaussian:2", latent.Options{Block: 2}},
			{"relu:2", latent.Options{Block: 2}},
			{"drelu:2", latent.Options{Block: 2}},
			{"gaussian:2", latent.Options{Directions: directions}},
			{"relu:2", latent.Options{Directions: directions}},
			{"drelu:2", latent.Options{Directions: directions}},
		} {
			v := problem.Tiny(visible, unit.Spin).Visible.Spec()
			// Weights strong enough for laws with two modes.
			m := must(rbm.Random(v, must(unit.ParseSpec(c.hidden)), 1.6, 11))
			name := fmt.Sprintf("%s-%s/D=%d", visible, c.hidden, c.options.Block)
			if c.options.Groups != nil {
				name += fmt.Sprint(c.options.Groups)
			}
			if c.options.Directions != nil {
				name += "directions"
			}
			t.Run(name, func(t *testing.T) { f(t, must(latent.New(m, 1, c.options))) })
		}
	}
}

func hiddenSpace(l rbm.Layer) *rbm.Space {
	if l.Spec().Type.Discrete() {
		return must(rbm.NewSpace(l.Spec()))
	}
	return must(rbm.NewGrid(l.Spec(), -22, 22, 12)) // good to 1e-9 for γ near one and |I| below 14
}

// The written-out matrix of every kind of block is in detailed balance with P(v).
func TestLatentDetailedBalance(t *testing.T) {
	latentCases(t, func(t *testing.T, k sampler.Enumerable) {
		v := must(rbm.NewSpace(k.Model().Visible.Spec()))
		matrix, err := k.Transition(v, hiddenSpace(k.Model().Hidden))
		if strings.HasSuffix(t.Name(), "directions") {
			if err == nil {
				t.Error("moves along directions have no matrix on a grid")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		d := must(rbm.NewDistribution(k.Model(), v, 1))
		tol := 1e-14
		if !k.Model().Hidden.Spec().Type.Discrete() {
			tol = 1e-9
		}
		if e := matrix.BalanceError(d.P); e > tol {
			t.Errorf("detailed balance fails by %g, want below %g", e, tol)
		}
		if e := matrix.StationaryError(d.P); e > 10*tol {
			t.Errorf("the law is not stationary: error %g", e)
		}
	})
}

// The code leaves P(v) unchanged: two sweeps from equilibrium, compared by χ², and where there is a matrix one sweep of
// discrete units, pair by pair.
func TestLatentStationarity(t *testing.T) {
	if testing.Short() {
		t.Skip("many sweeps of every latent move")
	}
	const sweeps = 2
	latentCases(t, func(t *testing.T, k sampler.Enumerable) {
		m := k.Model()
		n := 10000
		if strings.HasSuffix(t.Name(), ":2/D=2") {
			n = 2500 // pairs of real units take their time
		}
		d := must(rbm.NewDistribution(m, nil, 1))
		c := sampler.NewChains(m, n, 17)
		start := problem.Equilibrium(c.V, d)
		pool, x := sampler.NewPool(k, 2), make([]float64, m.Visible.Spec().N)
		if err := pool.Run(context.Background(), c, 1); err != nil {
			t.Fatal(err)
		}
		size := d.Space.Size()
		if matrix, err := k.Transition(d.Space, hiddenSpace(m.Hidden)); err == nil {
			observed, expected := make([]float64, size*size), make([]float64, size*size)
			for j := range n {
				c.V.Values(x, j)
				observed[start[j]*size+d.Space.Index(x)]++
			}
			for a, p := range d.P {
				for b := range size {
					expected[a*size+b] = float64(n) * p * matrix.At(a, b)
				}
			}
			problem.ChiSquare(t, observed, expected)
		}
		if err := pool.Run(context.Background(), c, sweeps-1); err != nil {
			t.Fatal(err)
		}
		compareStates(t, d, c.V)
		if a := c.Acceptance(); a < 0.95 {
			t.Errorf("acceptance %g, want nearly one", a)
		}
	})
}

// compareStates compares the configurations with a law by χ².
func compareStates(t *testing.T, d *rbm.Distribution, v *unit.States) {
	t.Helper()
	observed, expected := make([]float64, len(d.P)), make([]float64, len(d.P))
	x := make([]float64, v.N)
	for j := range v.Len {
		v.Values(x, j)
		observed[d.Space.Index(x)]++
	}
	for a, p := range d.P {
		expected[a] = float64(v.Len) * p
	}
	problem.ChiSquare(t, observed, expected)
}

// upLaw is the law of the number of up spins in Curie–Weiss, from the law of h on points with given weights: Σ_g p_g
// B(k; n, σ(2wh_g/√n)).
func upLaw(n int, w float64, h []float64) []float64 {
	weights := make([]float64, len(h))
	m := must(rbm.CurieWeiss(n, w))
	var top, sum float64
	for g, x := range h {
		weights[g] = -m.HiddenEnergy([]float64{x})
		top = max(top, weights[g])
	}
	for g := range weights {
		weights[g] = math.Exp(weights[g] - top)
		sum += weights[g]
	}
	law := make([]float64, n+1)
	for g, x := range h {
		field := w / math.Sqrt(float64(n)) * x
		logUp, logDown := -math.Log1p(math.Exp(-2*field)), -math.Log1p(math.Exp(2*field))
		for k := range law {
			law[k] += weights[g] / sum * math.Exp(logBinomial(n, k)+float64(k)*logUp+float64(n-k)*logDown)
		}
	}
	return law
}

func logBinomial(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

func gridPoints(spacing, reach float64) []float64 {
	var h []float64
	for k := -math.Floor(reach / spacing); k*spacing <= reach*(1+1e-12); k++ {
		h = append(h, k*spacing)
	}
	return h
}

// For Curie–Weiss N = 128, w = 1.5, tower sampling on a grid misses P(v) by the known total variation, and by less and
// less as the grid becomes finer and wider. One hidden unit is drawn independently of v, so the law of v is that of one
// step.
func TestTowerBias(t *testing.T) {
	const n, w = 128, 1.5
	exact := upLaw(n, w, gridPoints(0.05, 40))
	bias := func(spacing, reach float64) (tv float64) {
		for k, p := range upLaw(n, w, gridPoints(spacing, reach)) {
			tv += math.Abs(p-exact[k]) / 2
		}
		return tv
	}
	for _, c := range []struct{ spacing, reach, want float64 }{
		{1, 40, 1.8e-9}, {2, 40, 4.5e-3}, {4, 40, 6.6e-2}, {0.25, 18, 1.7e-2}, {0.25, 16, 0.15},
	} {
		if got := bias(c.spacing, c.reach); math.Abs(got/c.want-1) > 0.05 { // two digits
			t.Errorf("spacing %g, range %g: total variation %.3g, want %.2g", c.spacing, c.reach, got, c.want)
		}
	}
}

// The code of tower sampling follows the law of the grid, not P(v): at the spacing 4 the two are told apart.
func TestTowerFollowsTheGrid(t *testing.T) {
	const n, w, chains = 128, 1.5, 20000
	m := must(rbm.CurieWeiss(n, w))
	k := must(latent.New(m, 1, latent.Options{Grid: &latent.Grid{Spacing: 4, Range: 40}}))
	c := sampler.NewChains(m, chains, 5)
	if err := sampler.NewPool(k, 2).Run(context.Background(), c, 1); err != nil {
		t.Fatal(err)
	}
	observed := make([]float64, n+1)
	for j := range chains {
		up := 0
		for i := range n {
			if c.V.Value(j, i) > 0 {
				up++
			}
		}
		observed[up]++
	}
	grid, exact := upLaw(n, w, gridPoints(4, 40)), upLaw(n, w, gridPoints(0.05, 40))
	expected := make([]float64, n+1)
	var far float64
	for k := range expected {
		expected[k] = chains * grid[k]
		far += math.Abs(observed[k]/chains - exact[k])
	}
	problem.ChiSquare(t, observed, expected)
	if far/2 < 0.05 {
		t.Errorf("total variation %g from P(v): the bias of 0.066 does not show", far/2)
	}
}

func TestBadLatent(t *testing.T) {
	gauss := must(rbm.Random(must(unit.ParseSpec("spin:6")), must(unit.ParseSpec("gaussian:3")), 1, 1))
	spins := must(rbm.Random(must(unit.ParseSpec("spin:6")), must(unit.ParseSpec("spin:20")), 1, 1))
	for _, c := range []struct {
		model   *rbm.RBM
		options latent.Options
		want    string
	}{
		{problem.Tiny(unit.Gaussian, unit.Spin), latent.Options{}, "use the gibbs sampler"},
		{gauss, latent.Options{Block: -1}, "blocks of -1"},
		{gauss, latent.Options{Groups: [][]int{{0, 1}}}, "unit 2 is in no group"},
		{gauss, latent.Options{Groups: [][]int{{0, 1}, {1, 2}}}, "unit 1 is in two groups"},
		{gauss, latent.Options{Groups: [][]int{{0, 1, 3}}}, "expected 0 to 2"},
		{gauss, latent.Options{Directions: [][]float64{{1, 2}}}, "2 entries: expected 3"},
		{gauss, latent.Options{Directions: [][]float64{{0, 0, 0}}}, "length 0"},
		{gauss, latent.Options{Directions: [][]float64{{0, 0, 1}}, Block: 2}, "one direction"},
		{gauss, latent.Options{Grid: &latent.Grid{}}, "grid spacing 0"},
		{gauss, latent.Options{Block: 2, Grid: &latent.Grid{Spacing: 0.01, Range: 20}}, "4001 grid points"},
		{spins, latent.Options{Block: 13}, "too many states"},
		{spins, latent.Options{Directions: [][]float64{make([]float64, 20)}}, "have no directions"},
		{spins, latent.Options{Grid: &latent.Grid{Spacing: 1}}, "need no grid"},
	} {
		if _, err := latent.New(c.model, 1, c.options); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.options, err, c.want)
		}
	}
}
