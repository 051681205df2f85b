package clamp_test

import (
	"context"
	"fmt"
	"testing"

	"instanton/clamp"
	"instanton/internal/kernels"
	"instanton/internal/problem"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

var mask = []bool{false, true, false, true, false}

// model is a random model of five visible units.
func model(t testing.TB, visible, hidden unit.Type) *rbm.RBM {
	t.Helper()
	v, h := unit.Spec{Type: visible, N: 5}, unit.Spec{Type: hidden, N: 3}
	if visible == unit.Potts {
		v.Q = 3
	}
	m, err := rbm.Random(v, h, 0.8, 3)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// starts alternate between two sets of clamped values.
func starts(m *rbm.RBM) *unit.States {
	v := sampler.NewChains(m, 2, 1).V
	states := v.Spec.States()
	for i, c := range mask {
		if c {
			v.Set(0, i, v.Spec.StateValue(0))
			v.Set(1, i, v.Spec.StateValue(states-1))
		}
	}
	return v
}

// Chains that start in equilibrium given their clamped units stay there, for every kernel; the clamped units keep
// their values.
func TestConditionalLawIsInvariant(t *testing.T) {
	const n = 6000
	for _, visible := range []unit.Type{unit.Spin, unit.Bernoulli, unit.Potts} {
		for _, name := range kernels.Simple() {
			hidden := unit.Gaussian
			if name == "gibbs" {
				hidden = unit.Bernoulli
			}
			t.Run(fmt.Sprintf("%s/%s", visible, name), func(t *testing.T) {
				m := model(t, visible, hidden)
				from := starts(m)
				k, err := clamp.New(m, 1, mask, from, func(free *rbm.RBM) (sampler.Kernel, error) {
					return kernels.New(name, free, 1, kernels.Options{})
				})
				if err != nil {
					t.Fatal(err)
				}
				c := sampler.NewChains(m, n, 5)
				if err := c.Begin(from); err != nil {
					t.Fatal(err)
				}
				laws := [2]*rbm.Distribution{law(t, m, from, 0), law(t, m, from, 1)}
				for g, d := range laws { // exact draws of the free units
					draws := unit.NewStates(d.Space.Spec(), n/2)
					problem.Equilibrium(draws, d)
					for j := range n / 2 {
						copyFree(c.V, 2*j+g, draws, j)
					}
				}
				if err := sampler.NewPool(k, 3).Run(context.Background(), c, 3); err != nil {
					t.Fatal(err)
				}
				for g, d := range laws {
					seen := make([]float64, len(d.P))
					want := make([]float64, len(d.P))
					x, full := make([]float64, 3), make([]float64, 5)
					for row := g; row < n; row += 2 {
						c.V.Values(full, row)
						for i, clamped := range mask {
							if clamped && full[i] != from.Value(g, i) {
								t.Fatalf("clamped unit %d of chain %d changed", i, row)
							}
						}
						x[0], x[1], x[2] = full[0], full[2], full[4]
						seen[d.Space.Index(x)]++
					}
					for s, p := range d.P {
						want[s] = p * n / 2
					}
					problem.ChiSquare(t, seen, want)
				}
			})
		}
	}
}

// law is P(v_free | v_clamped) by enumeration.
func law(t *testing.T, m *rbm.RBM, from *unit.States, row int) *rbm.Distribution {
	t.Helper()
	v := make([]float64, from.N)
	from.Values(v, row)
	free, _, err := m.Given(mask, v)
	if err != nil {
		t.Fatal(err)
	}
	d, err := rbm.NewDistribution(free, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func copyFree(dst *unit.States, row int, src *unit.States, from int) {
	k := 0
	for i, clamped := range mask {
		if !clamped {
			dst.Set(row, i, src.Value(from, k))
			k++
		}
	}
}

// The number of workers changes nothing.
func TestWorkersDoNotMatter(t *testing.T) {
	m := model(t, unit.Spin, unit.Spin)
	from := starts(m)
	k, err := clamp.New(m, 1, mask, from, func(free *rbm.RBM) (sampler.Kernel, error) {
		return sampler.NewGibbs(free, 1)
	})
	if err != nil {
		t.Fatal(err)
	}
	var prints []string
	for _, workers := range []int{1, 3} {
		c := sampler.NewChains(m, 100, 5)
		if err := c.Begin(from); err != nil {
			t.Fatal(err)
		}
		if err := sampler.NewPool(k, workers).Run(context.Background(), c, 20); err != nil {
			t.Fatal(err)
		}
		prints = append(prints, c.V.Fingerprint())
	}
	if prints[0] != prints[1] {
		t.Error("one and three workers give different chains")
	}
}

// Half of the spins of a ferromagnet are held up: the others follow.
func Example() {
	m, err := rbm.CurieWeiss(10, 2)
	if err != nil {
		panic(err)
	}
	up := unit.NewStates(m.Visible.Spec(), 1)
	half := make([]bool, 10)
	for i := range 10 {
		up.Set(0, i, 1)
		half[i] = i < 5
	}
	kernel, err := clamp.New(m, 1, half, up, func(free *rbm.RBM) (sampler.Kernel, error) {
		return sampler.NewGibbs(free, 1)
	})
	if err != nil {
		panic(err)
	}
	chains := sampler.NewChains(m, 1000, 1)
	if err := chains.Begin(up); err != nil {
		panic(err)
	}
	if err := sampler.NewPool(kernel, 0).Run(context.Background(), chains, 100); err != nil {
		panic(err)
	}
	sum := 0.0
	for k := range chains.V.Len {
		sum += chains.V.Value(k, 9)
	}
	fmt.Printf("a free spin is up in %.0f %% of the chains\n", 100*(1+sum/1000)/2)
	// Output: a free spin is up in 100 % of the chains
}
