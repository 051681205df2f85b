package theory

import (
	"flag"
	"math"
	"os"
	"testing"

	"pgregory.net/rapid"

	"instanton/rbm"
)

// Models with known answers and random models, shared by the tests.

// Property tests draw the same models in every run; -rapid.seed overrides.
func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.seed" })
	if !given {
		_ = flag.Set("rapid.seed", "20240229")
		_ = flag.Set("rapid.nofailfile", "true")
	}
	os.Exit(m.Run())
}

func mustLandscape(t testing.TB, m Model) *Landscape {
	t.Helper()
	l, err := m.Landscape()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func must[T any](t testing.TB) func(T, error) T {
	return func(x T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

// coupledPair is the model of figure Curie-Weiss_2D.
func coupledPair(t testing.TB) *Landscape {
	return mustLandscape(t, Structured{W: 1.15 * math.Sqrt2, Overlap: must[rbm.Overlap](t)(rbm.AllToAll(2, 0.02))})
}

// ring4 is the model of figure hidden_units_circle.
func ring4(t testing.TB) *Landscape {
	return mustLandscape(t, Structured{W: 2.2, Overlap: must[rbm.Overlap](t)(rbm.Ring(4, 0.02))})
}

// uniformState are the order parameters of the state in which all hidden units are equal and positive.
func uniformState(t testing.TB, l *Landscape, sign float64) []float64 {
	t.Helper()
	h := make([]float64, l.units)
	for mu := range h {
		h[mu] = sign
	}
	h, ok := l.newtonCritical(h)
	if !ok || h[0]*sign < 0.1 {
		t.Fatalf("no uniform state: %v", h)
	}
	return l.Order(h)
}

// near fails unless got agrees with want to the absolute tolerance.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.16g, want %.16g within %g", what, got, want, tolerance)
	}
}

// drawLandscape is a random model of any kind, with quadratic hidden units only if asked for and any continuous ones
// otherwise.
func drawLandscape(t *rapid.T, quadratic bool) *Landscape {
	w := rapid.Float64Range(0.5, 2.5).Draw(t, "w")
	var model Model
	switch rapid.IntRange(0, 2).Draw(t, "kind") {
	case 0:
		model = CurieWeiss{w}
	case 1:
		patterns := make([][]int, rapid.IntRange(1, 3).Draw(t, "patterns"))
		for mu := range patterns {
			patterns[mu] = make([]int, 9)
			for i := range patterns[mu] {
				patterns[mu][i] = 1 - 2*rapid.IntRange(0, 1).Draw(t, "spin")
			}
		}
		model = Hopfield{W: w, Patterns: patterns}
	case 2:
		model = drawStructured(t, w, quadratic)
	}
	l, err := model.Landscape()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func drawStructured(t *rapid.T, w float64, quadratic bool) Structured {
	m := rapid.IntRange(1, 3).Draw(t, "units")
	o := make(rbm.Overlap, m)
	for mu := range o {
		o[mu] = make([]float64, m)
	}
	sum := 0.0
	for mu := range o {
		for nu := mu; nu < m; nu++ {
			a := rapid.Float64Range(0.05, 1).Draw(t, "share")
			o[mu][nu], o[nu][mu] = a, a
			sum += a
		}
	}
	for _, row := range o {
		for nu := range row {
			row[nu] /= sum
		}
	}
	s := Structured{W: w, Overlap: o}
	if !quadratic {
		for range m {
			s.Hidden = append(s.Hidden, drawPotential(t))
		}
	}
	return s
}

// drawPotential is a random potential with a continuous transfer function.
func drawPotential(t *rapid.T) Potential {
	positive := rapid.Float64Range(0.3, 2)
	any := rapid.Float64Range(-0.3, 0.3)
	var u Potential
	var err error
	switch rapid.IntRange(0, 2).Draw(t, "potential") {
	case 0:
		u = Quadratic()
	case 1:
		u, err = ReLU(positive.Draw(t, "gamma"), any.Draw(t, "theta"))
	case 2:
		theta := any.Draw(t, "theta")
		u, err = DReLU(positive.Draw(t, "gamma+"), positive.Draw(t, "gamma-"), theta+0.1, theta)
	}
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func drawVector(t *rapid.T, n int, lo, hi float64, name string) []float64 {
	return rapid.SliceOfN(rapid.Float64Range(lo, hi), n, n).Draw(t, name)
}
