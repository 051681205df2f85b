package latent_test

import (
	"context"
	"math"
	"testing"

	"instanton/internal/problem"
	"instanton/latent"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

func jumpCases(t *testing.T) map[string]*latent.Jumps {
	t.Helper()
	parse := func(text string) unit.Spec { return must(unit.ParseSpec(text)) }
	model := func(visible, hidden string) *rbm.RBM { return must(rbm.Random(parse(visible), parse(hidden), 1, 7)) }
	gaussian := model("spin:2", "gaussian:2")
	r := 1.875 / math.Sqrt(1.7) // a jump over three panels of the quadrature, so that its border is one of theirs
	all := map[string]*latent.Jumps{
		"swaps":                 must(latent.NewSwaps(gaussian, 1, nil)),
		"swaps, rotated, β=1.7": must(latent.NewSwaps(gaussian, 1.7, rbm.RandomRotation(2, 5))),
		"swaps of dReLU":        must(latent.NewSwaps(model("potts:1x3", "drelu:2"), 1, nil)),
		"jumps":                 must(latent.NewJumps(model("bernoulli:3", "gaussian:1"), 1.7, [][]float64{{-r}, {r}})),
		"jumps of spins": must(latent.NewJumps(model("spin:3", "spin:3"), 1,
			[][]float64{{0.9, 0.8, -0.9}, {-1, -1, 1}, {1, -1, 1}})),
		"jumps of Bernoulli units": must(latent.NewJumps(model("spin:3", "bernoulli:2"), 1,
			[][]float64{{0, 0}, {1, 1}})),
	}
	return all
}

// Signed swaps and jumps between prototypes satisfy detailed balance with P(v)^β, and the code follows the matrix.
func TestJumpsFollowTheMatrix(t *testing.T) {
	const n = 20000
	for name, k := range jumpCases(t) {
		t.Run(name, func(t *testing.T) {
			v := problem.Space(k.Model().Visible)
			h := problem.Space(k.Hidden())
			if spec := k.Hidden().Spec(); !spec.Type.Discrete() && spec.N > 1 {
				h = must(rbm.NewGrid(spec, -11, 11, 6))
			}
			matrix := must(k.Transition(v, h))
			d := must(rbm.NewDistribution(k.Model(), v, k.Beta()))
			if e := matrix.BalanceError(d.P); e > 1e-8 {
				t.Errorf("detailed balance fails by %g", e)
			}
			c := sampler.NewChains(k.Model(), n, 17)
			start := problem.Equilibrium(c.V, d)
			if err := sampler.NewPool(k, 2).Run(context.Background(), c, 1); err != nil {
				t.Fatal(err)
			}
			size := v.Size()
			observed, expected := make([]float64, size*size), make([]float64, size*size)
			x := make([]float64, v.Spec().N)
			for j := range n {
				c.V.Values(x, j)
				observed[start[j]*size+v.Index(x)]++
			}
			for a, p := range d.P {
				for b := range size {
					expected[a*size+b] = n * p * matrix.At(a, b)
				}
			}
			problem.ChiSquare(t, observed, expected)
			if a := c.Acceptance(); !(a > 0.05) {
				t.Errorf("acceptance %g: nothing to compare", a)
			}
		})
	}
}

// Hopfield model N = 128, M = 6, w = 1.5 with rotated weights: chains from one pattern visit all twelve states in the
// axes of the patterns, by pairs of moves, by signed swaps and by jumps between the states.
func TestRotatedHopfieldInItsAxes(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of sweeps")
	}
	m := hopfield(t, true)
	axes := must(m.Axes(nil))
	var states [][]float64
	x, I := make([]float64, 128), make([]float64, 6)
	magnetisation := 1.0
	for range 100 {
		magnetisation = math.Tanh(1.5 * 1.5 * magnetisation)
	}
	for mu := range 6 {
		for _, sign := range []float64{1, -1} {
			m.Patterns.Values(x, mu)
			for i := range x {
				x[i] *= sign * magnetisation
			}
			h := make([]float64, 6)
			m.Inputs(I, x)
			m.Hidden.Mean(h, I)
			states = append(states, h)
		}
	}
	for _, c := range []struct {
		name     string
		kernel   sampler.Kernel
		switches int // at least, in 1000 sweeps
	}{
		{"pairs", must(latent.New(m, 1, latent.Options{Block: 2, Rotation: axes})), 600},
		{"swaps", must(latent.NewSwaps(m, 1, axes)), 600},
		{"jumps", must(latent.NewJumps(m, 1, states)), 600},
	} {
		const chains, sweeps = 8, 500
		seen, switches, kept := visits(t, c.kernel, chains, sweeps)
		rate := switches * 1000 / (chains * sweeps)
		t.Logf("%s: %d switches in 1000 sweeps", c.name, rate)
		if len(seen) != 12 || rate < c.switches {
			t.Errorf("%s: %d states of 12 seen and %d switches in 1000 sweeps, want at least %d", c.name, len(seen),
				rate, c.switches)
		}
		for state, n := range seen { // independent draws would scatter by √(kept/12); successive ones are correlated
			if share := float64(n) / float64(kept); math.Abs(share-1.0/12) > 8*math.Sqrt(1.0/12/float64(kept)) {
				t.Errorf("%s: state %d has a share of %.4f, want 1/12", c.name, state, share)
			}
		}
	}
}

func TestBadJumps(t *testing.T) {
	spin := must(rbm.Random(unit.Spec{Type: unit.Spin, N: 3}, unit.Spec{Type: unit.Spin, N: 2}, 1, 1))
	if _, err := latent.NewSwaps(spin, 1, nil); err == nil {
		t.Error("swaps of spins")
	}
	if _, err := latent.NewJumps(spin, 1, [][]float64{{1, 1}}); err == nil {
		t.Error("a single prototype")
	}
	if _, err := latent.NewJumps(spin, 2, [][]float64{{1, 1}, {-1, -1}}); err == nil {
		t.Error("β = 2 with hidden spins")
	}
	if _, err := latent.NewJumps(spin, 1, [][]float64{{1, 1}, {-1}}); err == nil {
		t.Error("a prototype that is too short")
	}
}
