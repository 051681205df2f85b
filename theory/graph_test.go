package theory

import (
	"slices"
	"testing"

	"instanton/rbm"
)

func TestGraphCoupledPair(t *testing.T) {
	l := coupledPair(t)
	g := must[*Graph](t)(l.Graph())
	r := must[*Route](t)(g.Cheapest(uniformState(t, l, 1), uniformState(t, l, -1)))
	near(t, "sum of barriers", r.Action, 0.058931722605, 5e-13)
	near(t, "first barrier", r.Stops[1].F-r.Stops[0].F, 0.043227134460, 5e-13)
	near(t, "second barrier", r.Stops[3].F-r.Stops[2].F, 0.015704588145, 5e-13)
	near(t, "highest", r.Barrier, 0.043227134460, 5e-13)
	b := g.Barriers()
	if len(b) != 2 {
		t.Fatalf("barriers %v", b)
	}
	near(t, "lower barrier", b[0], 0.015704588145, 5e-13)
}

// The number of optimal paths on the ring is M·2^(M−2) and not 2M, and the single-flip states are no minima.
func TestErratumRingRoutes(t *testing.T) {
	l := ring4(t)
	g := must[*Graph](t)(l.Graph())
	up, down := uniformState(t, l, 1), uniformState(t, l, -1)
	r := must[*Route](t)(g.Cheapest(up, down))
	n := must[int](t)(g.CountRoutes(up, down))
	t.Logf("ring M = 4, w = 2.2, α = 0.02: limit T → ∞ of Φ = %.13f over %d stops; %d routes of least action", r.Action,
		len(r.Stops), n)
	near(t, "limit of Φ", r.Action, 0.0636605010574, 1e-13)
	if n != 16 {
		t.Errorf("%d routes, want 16", n)
	}
	for _, p := range g.Minima {
		flipped := 0
		for _, h := range p.H {
			if h < 0 {
				flipped++
			}
		}
		if flipped%2 == 1 {
			t.Errorf("%v is a minimum with %d units flipped", p.M, flipped)
		}
	}
	if len(g.Minima) != 6 {
		t.Errorf("%d minima, want 2 uniform states and 4 arcs of two", len(g.Minima))
	}
}

func TestErratumRingOverlap(t *testing.T) {
	const m, alpha = 4, 0.02
	ring := must[rbm.Overlap](t)(rbm.Ring(m, alpha))
	if err := ring.Check(); err != nil {
		t.Error(err)
	}
	printed := must[rbm.Overlap](t)(rbm.Ring(m, alpha))
	sum := 0.0
	for mu := range printed {
		printed[mu][mu] = 1/float64(m) - (m-1)*alpha/2
		for nu := mu; nu < m; nu++ {
			sum += printed[mu][nu]
		}
	}
	t.Logf("ring M = 4, α = 0.02: printed overlaps sum to %.2f, 1/M − α gives 1", sum)
	near(t, "printed sum", sum, 0.96, 1e-12)
	wantSentence(t, printed.Check(), "must sum to 1")
	if all := must[rbm.Overlap](t)(rbm.AllToAll(m, alpha)); all.Check() != nil {
		t.Error("the printed formula is that of all-to-all overlaps, and fails there")
	}
}

func TestGraphSaysWhatIsWrong(t *testing.T) {
	l := coupledPair(t)
	g := must[*Graph](t)(l.Graph())
	_, err := g.Lowest([]float64{0, 0}, uniformState(t, l, 1))
	wantSentence(t, err, "not a minimum")
	_, err = g.Cheapest([]float64{0.5, 0.1}, uniformState(t, l, 1))
	wantSentence(t, err, "not a critical point")
	_, err = g.Lowest([]float64{0.5, 0.1}, uniformState(t, l, 1))
	wantSentence(t, err, "not a critical point")
}

// Lowest and Cheapest can differ in general; on the pair they agree, and every stop alternates minimum and saddle.
func TestGraphLowest(t *testing.T) {
	l := coupledPair(t)
	g := must[*Graph](t)(l.Graph())
	r := must[*Route](t)(g.Lowest(uniformState(t, l, 1), uniformState(t, l, -1)))
	near(t, "barrier", r.Barrier, 0.043227134460, 5e-13)
	var indices []int
	for _, s := range r.Stops {
		indices = append(indices, s.Index)
	}
	if !slices.Equal(indices, []int{0, 1, 0, 1, 0}) {
		t.Errorf("indices along the route %v", indices)
	}
}

// The limit for ends that are not minima: descending is free, climbing to a saddle or a maximum costs the difference.
func TestGraphLimit(t *testing.T) {
	l := coupledPair(t)
	g := must[*Graph](t)(l.Graph())
	up, down, top := uniformState(t, l, 1), uniformState(t, l, -1), []float64{0, 0}
	saddle := g.Passes[0].Saddle
	near(t, "up to down", must[float64](t)(g.Limit(up, down)), 0.058931722605, 5e-13)
	near(t, "top to down", must[float64](t)(g.Limit(top, down)), 0, 1e-13)
	near(t, "up to top", must[float64](t)(g.Limit(up, top)), g.Critical.Points[3].F-g.Critical.Points[0].F, 1e-13)
	near(t, "stay", must[float64](t)(g.Limit(saddle.M, saddle.M)), 0, 0)
	// the path solver agrees at finite T, on the way to the maximum
	p := must[*Path](t)(l.OptimalPath(PathProblem{From: up, To: top, Steps: 40}))
	near(t, "Φ(40) to the top", p.Action, must[float64](t)(g.Limit(up, top)), 1e-4)
}
