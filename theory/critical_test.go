package theory

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"instanton/internal/vec"
	"instanton/rbm"
)

func TestCriticalPointsCoupledPair(t *testing.T) {
	set := must[*CriticalSet](t)(coupledPair(t).CriticalPoints())
	want := []struct {
		f, m          float64
		index, copies int
	}{
		{-0.767844447093, 0.792864543449, 0, 2},
		{-0.740321900777, 0.749069422683, 0, 2},
		{-0.724617312632, math.NaN(), 1, 4},
		{-math.Ln2, 0, 2, 1},
	}
	if len(set.Points) != len(want) || !set.Complete() {
		t.Fatalf("%d points; %s", len(set.Points), set.Search())
	}
	for i, w := range want {
		p := set.Points[i]
		near(t, "f", p.F, w.f, 5e-13)
		if !math.IsNaN(w.m) {
			near(t, "|m₁₁|", math.Abs(p.M[0]), w.m, 5e-13)
		}
		if p.Index != w.index || p.Copies != w.copies {
			t.Errorf("point %d has index %d and %d copies, want %d and %d", i, p.Index, p.Copies, w.index, w.copies)
		}
	}
}

// At critical points f and e agree, relaxation stands still, and the index is that of the Hessian of f in the class
// magnetizations.
func TestCriticalPointsAreCritical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLandscape(t, true)
		set, err := l.CriticalPoints()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range set.Points {
			if r := vec.MaxAbs(l.residual(p.H)); r > 1e-10 {
				t.Fatalf("relaxation moves %v by %g", p.H, r)
			}
			classes := l.ClassMagnetizations(p.H)
			if f := l.ClassFreeEnergy(classes); math.Abs(f-p.F) > 1e-12 {
				t.Fatalf("f = %g but e = %g", f, p.F)
			}
			hess := mat.NewSymDense(len(classes), nil)
			for c := range classes {
				for d := c; d < len(classes); d++ {
					s := 0.0
					for mu := range l.units {
						s -= l.share[c] * l.share[d] * l.weight[c*l.units+mu] * l.weight[d*l.units+mu]
					}
					if c == d {
						s += l.share[c] / (1 - classes[c]*classes[c])
					}
					hess.SetSym(c, d, s)
				}
			}
			var eigen mat.EigenSym
			eigen.Factorize(hess, false)
			negative, flat := 0, false
			for _, x := range eigen.Values(nil) {
				flat = flat || math.Abs(x) < 1e-7
				if x < 0 {
					negative++
				}
			}
			if negative != p.Index && !flat {
				t.Fatalf("index %d, the Hessian of f has %d negative eigenvalues", p.Index, negative)
			}
		}
	})
}

// Every hidden potential: the indices must add up, and every minimum must be a fixed point of relaxation.
func TestCriticalPointsOfAllPotentials(t *testing.T) {
	for _, name := range []string{"quadratic", "relu:0.5,0.1", "drelu:1,0.8,0.1,-0.1", "drelu:1,0.8,-0.1,0.1",
		"spin:0.05", "bernoulli:-0.4"} {
		l := mustLandscape(t, Structured{W: 2.2, Overlap: must[rbm.Overlap](t)(rbm.AllToAll(3, 0.02)),
			Hidden: []Potential{must[Potential](t)(ParsePotential(name))}})
		set := must[*CriticalSet](t)(l.CriticalPoints())
		t.Logf("%s: %s", name, set.Search())
		if !set.Complete() || len(set.Points) < 2 {
			t.Errorf("%s: %s", name, set.Search())
		}
		for _, p := range set.Points {
			if r := vec.MaxAbs(l.residual(p.H)); p.Index == 0 && r > 1e-10 {
				t.Errorf("%s: relaxation moves the minimum %v by %g", name, p.H, r)
			}
		}
		if _, err := l.Graph(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A spin in the Curie–Weiss setting: f(m) = −w|m| − S(m), minima tanh(w), a ridge at m = 0.
func TestCriticalPointsSpin(t *testing.T) {
	l := mustLandscape(t, Structured{W: 1.5, Overlap: rbm.Overlap{{1}},
		Hidden: []Potential{must[Potential](t)(Spin(0))}})
	set := must[*CriticalSet](t)(l.CriticalPoints())
	if len(set.Points) != 2 || set.Points[0].Copies != 2 || set.Points[1].Index != 1 {
		t.Fatalf("%+v", set.Points)
	}
	m := math.Tanh(1.5)
	near(t, "m", math.Abs(set.Points[0].M[0]), m, 1e-14)
	near(t, "f", set.Points[0].F, -1.5*m-Entropy(m), 1e-14)
	near(t, "ridge", set.Points[1].F, -math.Ln2, 1e-14)
}

// With its threshold at the input of m = 0 a unit can move to one side only. Where that lowers f, m = 0 is neither a
// minimum nor a pass: f has the one minimum at m > 0, and every start but m ≤ 0 falls there.
func TestCriticalPointsOneSided(t *testing.T) {
	for _, c := range []struct {
		hidden   string
		w        float64
		overlap  rbm.Overlap
		index    int // of m = 0
		minima   int
		oneSided bool
	}{
		{"relu:1,0", 1.5, rbm.Overlap{{1}}, 1, 1, true},
		{"relu:1,0", 0.9, rbm.Overlap{{1}}, 0, 1, false},
		{"bernoulli:0", 1.5, rbm.Overlap{{1}}, 1, 1, true},
		{"drelu:1,3,0,0", 1.5, rbm.Overlap{{1}}, 1, 1, true},
		{"drelu:3,1,0,0", 1.5, rbm.Overlap{{1}}, 1, 1, true},
		{"drelu:3,1,0,0", 2, rbm.Overlap{{1}}, 1, 2, false},
		{"relu:1,0", 2, must[rbm.Overlap](t)(rbm.AllToAll(2, 0.02)), 2, 1, true},
		{"drelu:1,3,0,0", 2.2, must[rbm.Overlap](t)(rbm.AllToAll(3, 0.02)), 3, 1, true},
	} {
		l := mustLandscape(t, Structured{W: c.w, Overlap: c.overlap,
			Hidden: []Potential{must[Potential](t)(ParsePotential(c.hidden))}})
		set := must[*CriticalSet](t)(l.CriticalPoints())
		last := set.Points[len(set.Points)-1]
		if vec.MaxAbs(last.M) != 0 || last.Index != c.index || last.oneSided != c.oneSided || !set.Complete() {
			t.Errorf("%s at w = %g: highest point %+v; %s", c.hidden, c.w, last, set.Search())
		}
		g := must[*Graph](t)(l.Graph())
		if len(g.Minima) != c.minima {
			t.Errorf("%s at w = %g: minima %+v, want %d", c.hidden, c.w, g.Minima, c.minima)
		}
		if c.oneSided && l.continuous("") == nil {
			near(t, "climb to m = 0", must[float64](t)(g.Limit(set.Points[0].M, last.M)), last.F-set.Points[0].F, 1e-12)
		}
	}
}

func TestCriticalPointsSayWhatIsWrong(t *testing.T) {
	l := mustLandscape(t, Hopfield{W: 1.2, M: 9})
	_, err := l.CriticalPoints()
	wantSentence(t, err, "at most 8 hidden units")
}
