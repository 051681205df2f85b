package theory

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"instanton/rbm"
)

// From a pattern to its opposite the cheapest route of the Hopfield model does not come down to other patterns: it
// climbs to a 3-mixture of index 2, goes down the ridge to the 2-mixture of the other two patterns, of index 1, and up
// again.
func TestRouteAlongRidge(t *testing.T) {
	p := Hopfield{W: 1.2, M: 3}
	l := mustLandscape(t, p)
	g := must[*Graph](t)(l.Graph())
	from, to := must[[]float64](t)(p.Mattis(1, 1)), must[[]float64](t)(p.Mattis(1, -1))
	r := must[*Route](t)(g.Cheapest(from, to))
	want := []struct{ components, index int }{{1, 0}, {3, 2}, {2, 1}, {3, 2}, {1, 0}}
	if len(r.Stops) != len(want) {
		t.Fatalf("%d stops: %+v", len(r.Stops), r.Stops)
	}
	for i, s := range r.Stops {
		if s.Components() != want[i].components || s.Index != want[i].index {
			t.Errorf("stop %d has %d components and index %d, want %v", i, s.Components(), s.Index, want[i])
		}
	}
	t.Logf("M = 3, w = 1.2, pattern 1 to its opposite: %.13f over 3-mixtures of index 2, %.13f over saddles of index 1",
		r.Action, g.passLimit(r.Stops[0].H, r.Stops[4].H))
	mattis, two, three := r.Stops[0].F, r.Stops[2].F, r.Stops[1].F
	near(t, "sum of ascents", r.Action, three-mattis+three-two, 1e-14)
	near(t, "limit", r.Action, 0.0532299778802, 5e-13)
	// two climbs over 2-mixtures, by way of another pattern
	near(t, "over saddles of index one", g.passLimit(r.Stops[0].H, r.Stops[4].H), 2*(two-mattis), 1e-13)
	// the action comes down to the limit: at T = 150 it is below the route over passes
	for _, c := range []struct {
		steps  int
		action float64
	}{{150, 0.053482178236}, {200, 0.053283603791}, {400, 0.053230076221}} {
		path := must[*Path](t)(l.OptimalPath(PathProblem{From: from, To: to, Steps: c.steps}))
		near(t, fmt.Sprintf("Φ(%d)", c.steps), path.Action, c.action, 2e-12)
	}
}

// The action falls with T and never below the limit.
func TestActionFallsToLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("optimises many long paths")
	}
	type ends struct {
		name     string
		l        *Landscape
		from, to []float64
		steps    []int
	}
	var all []ends
	for _, m := range []int{2, 3, 4} {
		for _, w := range []float64{1.2, 2.5}[:m/2] {
			p := Hopfield{W: w, M: m}
			l := mustLandscape(t, p)
			from := must[[]float64](t)(p.Mattis(1, 1))
			all = append(all,
				ends{fmt.Sprintf("Hopfield M = %d, w = %g, 1 to 2", m, w), l, from, must[[]float64](t)(p.Mattis(2, 1)),
					[]int{10, 40}},
				ends{fmt.Sprintf("Hopfield M = %d, w = %g, 1 to -1", m, w), l, from,
					must[[]float64](t)(p.Mattis(1, -1)), []int{10, 40, 70}})
		}
	}
	for _, m := range []int{3, 4, 5} {
		l := mustLandscape(t, Structured{W: 1.1 * math.Sqrt(float64(m)),
			Overlap: must[rbm.Overlap](t)(rbm.Ring(m, 0.01))})
		all = append(all, ends{fmt.Sprintf("ring of %d", m), l, uniformState(t, l, 1), uniformState(t, l, -1), []int{10,
			60, 180}})
	}
	r := rand.New(rand.NewPCG(21, 22))
	for k := range 3 { // no symmetry but that under reversal of everything
		o := make(rbm.Overlap, 3)
		sum := 0.0
		for mu := range o {
			o[mu] = make([]float64, 3)
			for nu := range mu + 1 {
				o[mu][nu] = 0.1 * r.Float64()
				if nu == mu {
					o[mu][nu] *= 10
				}
				o[nu][mu] = o[mu][nu]
				sum += o[mu][nu]
			}
		}
		for mu := range o {
			for nu := range o {
				o[mu][nu] /= sum
			}
		}
		l := mustLandscape(t, Structured{W: 2.5, Overlap: o})
		lowest := must[*Graph](t)(l.Graph()).Minima[0]
		all = append(all, ends{fmt.Sprintf("random overlaps %d", k), l, lowest.M, l.Order(scaled(lowest.H, -1)),
			[]int{10, 40, 120}})
	}
	for _, e := range all {
		last := math.Inf(1)
		for _, steps := range e.steps {
			p := PathProblem{From: e.from, To: e.to, Steps: steps}
			path := must[*Path](t)(e.l.OptimalPath(p))
			limit := must[Limit](t)(e.l.Limit(p, path))
			if path.Action > last+1e-12 || path.Action < limit.Action-1e-12 || path.GradientNorm > 1e-10 ||
				!path.Minimum() {
				t.Errorf("%s, T = %d: Φ = %.14f after %.14f, limit %.14f, gradient %g, curvature %g",
					e.name, steps, path.Action, last, limit.Action, path.GradientNorm, path.LowestCurvature)
			}
			last = path.Action
		}
	}
}

// A path can cost less than any sum of ascents, where it slides down in one direction as it climbs in another.
func TestLimitBelowAscents(t *testing.T) {
	if testing.Short() {
		t.Skip("optimises many paths")
	}
	r := rand.New(rand.NewPCG(1, 6))
	found := false
	for range 3 {
		patterns := make([][]int, 3)
		for mu := range patterns {
			patterns[mu] = make([]int, 30)
			for i := range patterns[mu] {
				patterns[mu][i] = 1 - 2*r.IntN(2)
			}
		}
		l := mustLandscape(t, Hopfield{W: 1.9, Patterns: patterns})
		g := must[*Graph](t)(l.Graph())
		p := PathProblem{From: g.Minima[0].M, To: l.Order(scaled(g.Minima[0].H, -1)), Steps: 80}
		ascents := must[float64](t)(g.Limit(p.From, p.To))
		path := must[*Path](t)(l.OptimalPath(p))
		limit := must[Limit](t)(l.Limit(p, path))
		if limit.Action > path.Action+1e-12 || limit.Action > ascents {
			t.Errorf("limit %.12f, action %.12f, ascents %.12f", limit.Action, path.Action, ascents)
		}
		// the sum of positive increments of f bounds the action of every path from below
		rise := 0.0
		for k := range path.F[1:] {
			rise += math.Max(0, path.F[k+1]-path.F[k])
		}
		if path.Action < rise-1e-12 {
			t.Errorf("Φ = %.12f is below the sum of the rises of f, %.12f", path.Action, rise)
		}
		if !limit.Ascents {
			found = true
			t.Logf("limit %.9f, sum of ascents %.9f", limit.Action, ascents)
		}
	}
	if !found {
		t.Error("the sum of the ascents was the limit everywhere: choose other patterns")
	}
}

// Descending is free between saddles too, and routes of a rotated model are those of the aligned one.
func TestRouteEnds(t *testing.T) {
	p := Hopfield{W: 1.2, M: 3}
	l := mustLandscape(t, p)
	g := must[*Graph](t)(l.Graph())
	two, three := g.Critical.Points[1], g.Critical.Points[2]
	near(t, "3-mixture to a 2-mixture in it",
		must[float64](t)(g.Limit([]float64{three.M[0], three.M[0], three.M[0]}, []float64{two.M[0], two.M[0], 0})), 0,
		1e-15)
	near(t, "2-mixture to 3-mixture",
		must[float64](t)(g.Limit([]float64{two.M[0], two.M[0], 0}, []float64{three.M[0], three.M[0], three.M[0]})),
		three.F-two.F, 1e-14)
	near(t, "a point to itself", must[float64](t)(g.Limit(two.M, two.M)), 0, 0)

	turned := p
	turned.Rotation = rotation(7, 3)
	from, to := must[[]float64](t)(p.Mattis(1, 1)), must[[]float64](t)(p.Mattis(1, -1))
	r := mustLandscape(t, turned)
	near(t, "limit of the rotated model", must[float64](t)(must[*Graph](t)(r.Graph()).Limit(from, to)), 0.0532299778802,
		5e-13)
	path := must[*Path](t)(r.OptimalPath(PathProblem{From: from, To: to, Steps: 150}))
	near(t, "Φ(150) of the rotated model", path.Action, 0.053482178236, 2e-12)
}

// More units than can be searched: the best path of a model of five patterns is one of nine.
func TestPathOfManyPatterns(t *testing.T) {
	p := Hopfield{W: 1.5, M: 9}
	l := mustLandscape(t, p)
	from, to := must[[]float64](t)(p.Mattis(3, 1)), must[[]float64](t)(p.Mattis(8, -1))
	path := must[*Path](t)(l.OptimalPath(PathProblem{From: from, To: to, Steps: 20}))
	small := Hopfield{W: 1.5, M: 5}
	a, b := must[[]float64](t)(small.Mattis(1, 1)), must[[]float64](t)(small.Mattis(2, -1))
	want := must[*Path](t)(mustLandscape(t, small).OptimalPath(PathProblem{From: a, To: b, Steps: 20}))
	near(t, "Φ", path.Action, want.Action, 1e-12)
	if !path.Minimum() || path.GradientNorm > 1e-10 {
		t.Errorf("curvature %g, gradient %g", path.LowestCurvature, path.GradientNorm)
	}
	_, err := l.Limit(PathProblem{From: from, To: to, Steps: 20})
	wantSentence(t, err, "at most 8 hidden units")
}
