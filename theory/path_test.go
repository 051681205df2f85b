package theory

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"instanton/internal/vec"
	"instanton/rbm"
)

func TestPathCurieWeissReference(t *testing.T) {
	c := CurieWeiss{1.1}
	l := mustLandscape(t, c)
	m := must[float64](t)(c.Magnetization())
	for _, want := range []struct {
		steps             int
		action, tolerance float64
	}{
		{1, 0.5167472077, 5e-11}, {5, 0.1100893171, 5e-11}, {25, 0.0308941488896, 5e-14}, {50, 0.0265334529839, 5e-14},
	} {
		p := must[*Path](t)(l.OptimalPath(PathProblem{From: []float64{m}, To: []float64{-m}, Steps: want.steps}))
		near(t, "Φ", p.Action, want.action, want.tolerance)
		checkPath(t, l, p)
	}
}

// checkPath holds for every minimum: it satisfies the equations of motion, its action is the sum of its steps, and the
// Hessian in (m, h) together has no negative eigenvalue either.
func checkPath(t *testing.T, l *Landscape, p *Path) {
	t.Helper()
	if p.GradientNorm > 1e-10 || !p.Minimum() {
		t.Errorf("gradient %g, lowest curvature %g", p.GradientNorm, p.LowestCurvature)
	}
	sum := 0.0
	steps, c, u := len(p.H), l.Classes(), l.units
	classes := make([][]float64, steps+1)
	for k, m := range p.M {
		field, err := l.Field(m)
		if err != nil {
			t.Fatal(err)
		}
		classes[k] = l.ClassMagnetizations(field)
		near(t, "f on the path", l.ClassFreeEnergy(classes[k]), p.F[k], 1e-12)
	}
	full := mat.NewSymDense(steps*u+(steps-1)*c, nil)
	gradient := make([]float64, steps*u+(steps-1)*c)
	place := func(k, i int) int { // position of coordinate i of step k in (h, m) order, −1 for the fixed ends
		switch {
		case i < c && k > 0:
			return steps*u + (k-1)*c + i
		case i >= c && i < c+u:
			return k*u + i - c
		case i >= c+u && k < steps-1:
			return steps*u + k*c + i - c - u
		}
		return -1
	}
	for k := range steps {
		sum += p.Delta[k]
		near(t, "δΦ", l.Delta(classes[k], p.H[k], classes[k+1]), p.Delta[k], 1e-13)
		g, h := l.DeltaGradient(classes[k], p.H[k], classes[k+1]), l.DeltaHessian(classes[k], p.H[k], classes[k+1])
		for i := range g {
			a := place(k, i)
			if a < 0 {
				continue
			}
			gradient[a] += g[i]
			for j := i; j < len(g); j++ {
				if b := place(k, j); b >= 0 {
					full.SetSym(a, b, full.At(a, b)+h.At(i, j))
				}
			}
		}
	}
	near(t, "Φ − Σ δΦ", p.Action-sum, 0, 1e-13)
	if g := vec.MaxAbs(gradient); g > 1e-9 {
		t.Errorf("the equations of motion are off by %g", g)
	}
	if steps*u+(steps-1)*c <= 600 {
		var eigen mat.EigenSym
		eigen.Factorize(full, false)
		if lowest := eigen.Values(nil)[0]; (lowest < -1e-9) != (p.LowestCurvature < -1e-9) {
			t.Errorf("lowest eigenvalue %g in (m, h), %g in h", lowest, p.LowestCurvature)
		}
	}
}

func TestPathGreenAndRed(t *testing.T) {
	l := coupledPair(t)
	up, down := uniformState(t, l, 1), uniformState(t, l, -1)
	problem := PathProblem{From: up, To: down, Steps: 100}
	green := must[*Path](t)(l.OptimalPath(problem))
	near(t, "green Φ", green.Action, 0.058972078554, 5e-13)
	checkPath(t, l, green)

	tied, err := l.Tied([]int{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	red := must[*Path](t)(tied.OptimalPath(PathProblem{From: up[:1], To: down[:1], Steps: 100}))
	// 0.0746972665813815 from the equations of motion solved with 40 digits
	near(t, "red Φ", red.Action, 0.0746972665813815, 5e-15)

	// in the full space the red path is stationary, and a saddle
	var start [][]float64
	for _, h := range red.H {
		start = append(start, []float64{h[0], h[0]})
	}
	problem.Stationary = true
	full := must[*Path](t)(l.SolvePath(problem, start))
	near(t, "red Φ in the full space", full.Action, red.Action, 1e-13)
	if full.Minimum() || full.GradientNorm > 1e-10 {
		t.Errorf("red path: lowest curvature %g, gradient %g", full.LowestCurvature, full.GradientNorm)
	}
}

// The straight line between two Mattis states never moves the third hidden unit, and the best path that does not is a
// saddle of the action: the solver must leave it.
func TestPathLeavesSaddle(t *testing.T) {
	p := Hopfield{W: 1.5, M: 3}
	l := mustLandscape(t, p)
	from, to := must[[]float64](t)(p.Mattis(1, 1)), must[[]float64](t)(p.Mattis(2, 1))
	start := StraightStart(must[[]float64](t)(l.Field(from)), must[[]float64](t)(l.Field(to)), 50)
	path := must[*Path](t)(l.SolvePath(PathProblem{From: from, To: to, Steps: 50}, start))
	near(t, "Φ", path.Action, 0.20761048333161, 1e-12)
	if third := path.H[25][2]; !path.Minimum() || math.Abs(third) < 0.1 {
		t.Errorf("curvature %g, third unit at %g", path.LowestCurvature, third)
	}
}

func TestPathRing(t *testing.T) {
	l := ring4(t)
	optima := must[[]Optimum](t)(l.Optima(PathProblem{From: uniformState(t, l, 1), To: uniformState(t, l, -1),
		Steps: 250}))
	if len(optima) < 2 {
		t.Fatalf("%d optima", len(optima))
	}
	for i, want := range []struct {
		order  []int
		action float64
	}{{[]int{1, 2, 4, 3}, 0.063660535069703}, {[]int{1, 2, 3, 4}, 0.063660538142651}} {
		o := optima[i]
		t.Logf("T = 250: Φ = %.15f, order %v at t = %v, %d routes", o.Action, o.Order, o.FlipTimes, o.Copies)
		near(t, "Φ", o.Action, want.action, 3e-15)
		if !slices.Equal(o.Order, want.order) || !slices.Equal(o.FlipTimes, []int{14, 37, 214, 237}) || o.Copies != 8 {
			t.Errorf("order %v at %v with %d copies", o.Order, o.FlipTimes, o.Copies)
		}
		if o.GradientNorm > 1e-10 || !o.Minimum() {
			t.Errorf("gradient %g, curvature %g", o.GradientNorm, o.LowestCurvature)
		}
	}
}

// The time of a long path is spent waiting, and its action is the limit.
func TestPathLong(t *testing.T) {
	c := CurieWeiss{1.1}
	l := mustLandscape(t, c)
	m := must[float64](t)(c.Magnetization())
	p := must[*Path](t)(l.OptimalPath(PathProblem{From: []float64{m}, To: []float64{-m}, Steps: 10000}))
	near(t, "Φ(10000)", p.Action, must[float64](t)(c.Barrier()), 1e-13)
	if p.GradientNorm > 1e-10 {
		t.Errorf("gradient %g", p.GradientNorm)
	}
}

// Paths for hidden units with a kink: from all units on to one unit off costs the barrier.
func TestPathReLU(t *testing.T) {
	l := mustLandscape(t, Structured{W: 2.2, Overlap: must[rbm.Overlap](t)(rbm.AllToAll(3, 0.02)),
		Hidden: []Potential{must[Potential](t)(ReLU(0.5, 0.1))}})
	g := must[*Graph](t)(l.Graph())
	off := slices.IndexFunc(g.Minima, func(p CriticalPoint) bool { return p.H[0] > 0.5 && p.H[1] > 0.5 && p.H[2] == 0 })
	p := must[*Path](t)(l.OptimalPath(PathProblem{From: g.Minima[0].M, To: g.Minima[off].M, Steps: 40}))
	r := must[*Route](t)(g.Cheapest(g.Minima[0].M, g.Minima[off].M))
	near(t, "Φ(40) − limit", p.Action-r.Action, 0, 1e-9)
	if p.GradientNorm > 1e-10 || !p.Minimum() || p.H[39][2] != 0 {
		t.Errorf("gradient %g, curvature %g, last h %v", p.GradientNorm, p.LowestCurvature, p.H[39])
	}
}

// From any state: one step between arbitrary states is checked by brute force over h.
func TestPathAnyState(t *testing.T) {
	c := CurieWeiss{1.3}
	l := mustLandscape(t, c)
	p := must[*Path](t)(l.OptimalPath(PathProblem{From: []float64{0.4}, To: []float64{-0.2}, Steps: 1, AnyState: true}))
	best := math.Inf(1)
	for h := -2.0; h < 2; h += 1e-4 {
		best = math.Min(best, c.Delta(0.4, h, -0.2))
	}
	near(t, "Φ(1)", p.Action, best, 1e-8)
}

func TestPathSaysWhatIsWrong(t *testing.T) {
	l := mustLandscape(t, CurieWeiss{1.1})
	_, err := l.OptimalPath(PathProblem{From: []float64{0.3}, To: []float64{-0.67}, Steps: 10})
	wantSentence(t, err, "not a critical point")
	_, err = l.OptimalPath(PathProblem{From: []float64{0.66993}, To: []float64{-0.66993}, Steps: 0})
	wantSentence(t, err, "at least 1")
	_, err = l.OptimalPath(PathProblem{From: []float64{0.66993, 0}, To: []float64{-0.66993}, Steps: 3})
	wantSentence(t, err, "2 order parameters")
	_, err = l.SolvePath(PathProblem{From: []float64{0.66993}, To: []float64{-0.66993}, Steps: 3}, nil)
	wantSentence(t, err, "0 hidden values")
	_, err = l.SolvePath(PathProblem{From: []float64{0.66993}, To: []float64{-0.66993}, Steps: 40, MaxSteps: 1},
		StraightStart([]float64{0.7}, []float64{-0.7}, 40))
	wantSentence(t, err, "did not converge")
	spins := mustLandscape(t, Structured{W: 1.5, Overlap: rbm.Overlap{{1}},
		Hidden: []Potential{must[Potential](t)(Spin(0))}})
	_, err = spins.OptimalPath(PathProblem{From: []float64{0.5}, To: []float64{-0.5}, Steps: 3})
	wantSentence(t, err, "transfer function is continuous")
	if _, err = l.Tied([]int{1, 1}); err == nil {
		t.Error("a unit was tied twice")
	}
}
