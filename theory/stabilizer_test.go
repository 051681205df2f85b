package theory

import (
	"math"
	"slices"
	"testing"

	"instanton/internal/vec"
)

// The symmetries of the Hopfield model are all 2^M M! signed permutations; those that keep a point leave it where it
// is, and their ties are its equal and zero components.
func TestSymmetryGroup(t *testing.T) {
	l := mustLandscape(t, Hopfield{W: 1.2, M: 4})
	g := newSymmetryGroup(4, l.symmetries())
	near(t, "order", g.order(), 16*24, 0)
	point := []float64{0.5, -0.5, 0.2, 0}
	keep := g.keeping(point)
	for _, s := range keep {
		if h := s.apply(point); vec.Distance(h, point) > 1e-12 {
			t.Errorf("%v is carried to %v", point, h)
		}
	}
	// (1 ↔ −2) and the sign of the fourth
	if n := newSymmetryGroup(4, keep).order(); n != 4 {
		t.Errorf("%g symmetries keep %v, want 4", n, point)
	}
	ties := tiesOf(4, keep)
	h := []float64{1, 3, 0.7, 2}
	ties.project(h)
	if want := []float64{-1, 1, 0.7, 0}; !slices.EqualFunc(h, want,
		func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }) {
		t.Errorf("projected to %v, want %v", h, want)
	}
	if keep := g.keeping(point, []float64{1, 0, 0, 1}); len(keep) != 0 {
		t.Errorf("%d symmetries keep two points that have none in common", len(keep))
	}
}
