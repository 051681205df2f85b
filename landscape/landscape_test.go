package landscape_test

import (
	"math"
	"strings"
	"testing"

	"instanton/internal/problem"
	"instanton/landscape"
	"instanton/rbm"
	"instanton/unit"
)

// Curie–Weiss: e(h) = h²/2N − log 2cosh(wh/√N) has its minima at ±w√N m* with m* of theory, and by symmetry Δe_MH = 0.
func TestLandscapeOfCurieWeiss(t *testing.T) {
	const n, w, m = 128, 1.5, 0.97549582573979
	l := must(landscape.New(must(rbm.CurieWeiss(n, w)), []int{0}, []float64{0}))
	if len(l.Minima) != 2 {
		t.Fatalf("%d minima, want 2", len(l.Minima))
	}
	for _, x := range l.Minima {
		// The parabola misses by the third derivative times the square of the step, 0.06².
		if want := w * math.Sqrt(n) * m; math.Abs(math.Abs(x.H[0])-want) > 1e-3 {
			t.Errorf("minimum at %g, want ±%g", x.H[0], want)
		}
	}
	if math.Abs(*l.DeltaMH) > 1e-12 {
		t.Errorf("Δe_MH = %g, want 0", *l.DeltaMH)
	}
	// The barrier in h is Δf = 0.44350507077176 of theory.
	if got := l.E[0][len(l.X)/2]; math.Abs(got-0.44350507077176) > 1e-5 {
		t.Errorf("e(0) = %.8f, want 0.44350507", got)
	}
}

// Hopfield, at the first pattern: the pair with its unit has the four Mattis minima, a pair without it one minimum.
func TestLandscapeOfHopfield(t *testing.T) {
	m := must(rbm.Hopfield(must(rbm.OrthogonalPatterns(128, 6)), 1.5))
	h := []float64{1.5 * math.Sqrt(128) * 0.97549582573979, 0, 0, 0, 0, 0}
	with, without := must(landscape.New(m, []int{0, 3}, h)), must(landscape.New(m, []int{1, 2}, h))
	if len(with.Minima) != 4 {
		t.Errorf("pair with the pattern's unit: minima %v, want 4", with.Minima)
	}
	for _, x := range with.Minima {
		a, b := math.Abs(x.H[0]), math.Abs(x.H[1])
		if min(a, b) > 1e-6 || math.Abs(max(a, b)-h[0]) > 0.02 {
			t.Errorf("minimum at %v, want (±%.3g, 0) or (0, ±%.3g)", x.H, h[0], h[0])
		}
	}
	if len(without.Minima) != 1 {
		t.Errorf("pair without it: minima %v, want 1", without.Minima)
	}
	if with.DeltaMH != nil {
		t.Error("Δe_MH is of single units")
	}
}

// The landscape is E_eff(h)/N for every kind of units, up to a constant.
func TestLandscapeIsTheEnergy(t *testing.T) {
	for _, p := range problem.Pairs() {
		if !p.Visible.Discrete() {
			continue
		}
		m := problem.Tiny(p.Visible, p.Hidden)
		h := make([]float64, m.Hidden.Spec().N)
		if p.Hidden == unit.Spin {
			for k := range h {
				h[k] = 1
			}
		}
		l := must(landscape.New(m, []int{0}, h))
		energy := func(i int) float64 {
			h[0] = l.X[i]
			return m.HiddenEnergy(h) / float64(m.Visible.Spec().N)
		}
		first := energy(0) - l.E[0][0]
		for i := range l.X {
			if want := energy(i) - first; math.Abs(l.E[0][i]-want) > 1e-11*(1+math.Abs(want)) {
				t.Errorf("%s: e(%g) = %g, want %g", p, l.X[i], l.E[0][i], want)
				break
			}
		}
		if both := p.Hidden == unit.Spin || p.Hidden == unit.Gaussian ||
			p.Hidden == unit.DReLU; (l.DeltaMH != nil) != both {
			t.Errorf("%s: Δe_MH given %v, want %v", p, l.DeltaMH != nil, both)
		}
	}
}

func TestBadLandscape(t *testing.T) {
	m := must(rbm.Hopfield(must(rbm.OrthogonalPatterns(128, 6)), 1.5))
	h := make([]float64, 6)
	for _, c := range []struct {
		model *rbm.RBM
		units []int
		want  string
	}{
		{m, []int{6}, "hidden unit 6: expected 0 to 5"},
		{must(rbm.CurieWeiss(8, 1.5)), []int{7}, "the model has one hidden unit, number 0"},
		{m, []int{1, 1}, "different hidden units"}, {m, []int{0, 1, 2}, "one or two"},
		{problem.Tiny(unit.Gaussian, unit.Spin), []int{0}, "visible units"},
	} {
		if _, err := landscape.New(c.model, c.units, h); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want one with %q", c.units, err, c.want)
		}
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
