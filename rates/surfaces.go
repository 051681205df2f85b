package rates

import (
	"math"
	"slices"
)

// surfaces are all dividing surfaces between the states, with weights ∝ 1/P(q). The flux through each of them is the
// same. With these weights, the probability that a step x → y crosses the surface is the difference of its committors
// if q diffused, so most shots are spent on the steps that matter.
type surfaces struct {
	w     *umbrella
	level float64   // f of the lowest bins near the top
	first int       // the bin above the first surface
	below []float64 // cumulative weight of the surfaces
}

func newSurfaces(w *umbrella) *surfaces {
	top, sum := slices.Max(w.f), 0.0
	s := &surfaces{w: w, level: top - 6, first: w.a + 1}
	for b := w.a + 1; b <= w.b; b++ {
		sum += math.Exp((w.f[b-w.lo]+w.f[b-1-w.lo])/2 - top)
		s.below = append(s.below, sum)
	}
	return s
}

// draw returns the bin above a surface, given a uniform random number.
func (s *surfaces) draw(u float64) int {
	k, _ := slices.BinarySearch(s.below, u*s.below[len(s.below)-1])
	return s.first + min(k, len(s.below)-1)
}

// near reports whether steps from a bin are worth taking: from more than 6 nats below the top, steps across it are
// better observed from their other ends.
func (s *surfaces) near(b int) bool {
	return s.w.f[b-s.w.lo] > s.level
}
