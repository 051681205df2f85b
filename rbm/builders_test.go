package rbm_test

import (
	"math"
	"strings"
	"testing"

	"instanton/rbm"
	"instanton/unit"
)

// E_eff of Hopfield is −(w²/2N) Σ (ξ·v)² − (M/2) log 2π, aligned and rotated.
func TestHopfieldEnergy(t *testing.T) {
	const n, patterns, w = 24, 3, 1.4
	p, err := rbm.RandomPatterns(n, patterns, 5)
	if err != nil {
		t.Fatal(err)
	}
	m, err := rbm.Hopfield(p, w)
	if err != nil {
		t.Fatal(err)
	}
	rotated := m.Clone()
	if err := rotated.Rotate(rbm.RandomRotation(patterns, 2)); err != nil {
		t.Fatal(err)
	}
	states, _ := rbm.RandomPatterns(n, 10, 6)
	v, xi := make([]float64, n), make([]float64, n)
	for k := range states.Len {
		states.Values(v, k)
		want := -patterns * math.Log(2*math.Pi) / 2
		for mu := range patterns {
			p.Values(xi, mu)
			var overlap float64
			for i := range v {
				overlap += xi[i] * v[i]
			}
			want -= w * w * overlap * overlap / (2 * n)
		}
		near(t, "E_eff", m.EffectiveEnergy(v), want, 1e-12)
		near(t, "E_eff rotated", rotated.EffectiveEnergy(v), want, 1e-12)
	}
}

// Every sign combination stands at the same number of sites, so the patterns are orthogonal and independent.
func TestOrthogonalPatterns(t *testing.T) {
	for _, c := range []struct{ n, m int }{{128, 6}, {128, 7}, {24, 3}, {2, 1}} {
		p, err := rbm.OrthogonalPatterns(c.n, c.m)
		if err != nil {
			t.Fatal(err)
		}
		count := map[int]int{}
		for i := range c.n {
			key := 0
			for mu := range c.m {
				key = 2*key + int(p.Value(mu, i)+1)/2
			}
			count[key]++
		}
		if len(count) != 1<<c.m {
			t.Errorf("n = %d, m = %d: %d sign combinations, want %d", c.n, c.m, len(count), 1<<c.m)
		}
		for key, k := range count {
			if k != c.n>>c.m {
				t.Errorf("n = %d, m = %d: combination %b stands %d times, want %d", c.n, c.m, key, k, c.n>>c.m)
			}
		}
	}
	for _, c := range []struct{ n, m int }{{100, 6}, {128, 8}, {128, 0}, {0, 1}} {
		if _, err := rbm.OrthogonalPatterns(c.n, c.m); err == nil {
			t.Errorf("n = %d, m = %d accepted", c.n, c.m)
		}
	}
}

func TestOverlaps(t *testing.T) {
	all, err := rbm.AllToAll(2, 0.02)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "α_11 of two units", all[0][0], 0.49, 1e-15)
	ring, err := rbm.Ring(4, 0.02)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "α_11 of the ring", ring[0][0], 0.23, 1e-15)
	near(t, "α_13 of the ring", ring[0][2], 0, 0)
	near(t, "α_14 of the ring", ring[0][3], 0.02, 0)
	if r3, err := rbm.Ring(3, 0.1); err != nil || math.Abs(r3[0][0]-(1.0/3-0.1)) > 1e-15 {
		t.Errorf("ring of three: %v, %v", r3, err)
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{second(rbm.Ring(2, 0.1)), "at least 3"},
		{second(rbm.Ring(4, 0.3)), "take a smaller α"},
		{second(rbm.AllToAll(3, -0.1)), "at least 0"},
		{rbm.Overlap{{0.5, 0.1}, {0.1, 0.5}}.Check(), "sum to 1.1"},
		{rbm.Overlap{{0.5, 0}, {0.1, 0.5}}.Check(), "symmetric"},
		{rbm.Overlap{{0.5, 0}, {}}.Check(), "2 by 2"},
		{rbm.Overlap{{math.NaN()}}.Check(), "at least 0"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", c.err, c.want)
		}
	}
}

func second[A any](_ A, err error) error { return err }

// The structured model at N = 400, M = 2, α = 0.02: 196 + 8 + 196 units.
func TestStructuredBlocks(t *testing.T) {
	o, _ := rbm.AllToAll(2, 0.02)
	m, err := rbm.Structured(400, 1.5, o)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[[2]bool]int{}
	for i := range 400 {
		counts[[2]bool{m.Row(i)[0] != 0, m.Row(i)[1] != 0}]++
	}
	want := map[[2]bool]int{{true, false}: 196, {true, true}: 8, {false, true}: 196}
	for k, n := range want {
		if counts[k] != n {
			t.Errorf("units tied to %v: %d, want %d", k, counts[k], n)
		}
	}
	for n := 1; n < 60; n++ { // whatever the rounding, every unit has a block
		total := 0
		for _, b := range o.Blocks(n) {
			total += b.Size
		}
		if total != n {
			t.Errorf("blocks of %d units hold %d", n, total)
		}
	}
}

func TestBuildersRefuse(t *testing.T) {
	spin, gauss := unit.Spec{Type: unit.Spin, N: 3}, unit.Spec{Type: unit.Gaussian, N: 3}
	many := unit.Spec{Type: unit.Spin, N: 1 << 20}
	for name, err := range map[string]error{
		"no spins":        second(rbm.CurieWeiss(0, 1)),
		"negative w":      second(rbm.CurieWeiss(4, -1)),
		"NaN w":           second(rbm.CurieWeiss(4, math.NaN())),
		"negative scale":  second(rbm.Random(spin, gauss, -1, 1)),
		"divergent":       second(rbm.Random(gauss, gauss, 50, 1)),
		"q = 1":           second(rbm.New(unit.Spec{Type: unit.Potts, N: 3, Q: 1}, spin)),
		"too many":        second(rbm.New(many, many)),
		"no patterns":     second(rbm.RandomPatterns(4, 0, 1)),
		"patterns of 0/1": second(rbm.Hopfield(unit.NewStates(unit.Spec{Type: unit.Bernoulli, N: 4}, 2), 1)),
	} {
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestPatternsAndOpposites(t *testing.T) {
	p, _ := rbm.RandomPatterns(70, 3, 5)
	m := &rbm.RBM{Patterns: p}
	all := m.PatternsAndOpposites()
	for k := range 3 {
		if all.Hamming(k, p, k) != 0 || all.Hamming(k+3, p, k) != 70 {
			t.Errorf("pattern %d is not followed by its opposite", k)
		}
	}
	m.Patterns = unit.NewStates(unit.Spec{Type: unit.Bernoulli, N: 4}, 2)
	if m.PatternsAndOpposites() != m.Patterns || (&rbm.RBM{}).PatternsAndOpposites() != nil {
		t.Error("expected patterns of other units as they are")
	}
}
