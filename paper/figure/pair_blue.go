package figure

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// The blue path of the figure is a run of N spins. Its steps have the action of their noise on top of what it takes to
// cross, N·δΦ = ½ for each of the three block magnetizations, and there are thousands of them, so that their sum says
// how long the path is. What is left for N → ∞ and T → ∞ of the action of an optimal path is the sum of its ascents
// (the descents are free, and so is waiting). That is taken of the blue path.

// cutAt is the t in the figure at which the wait in the local minimum is cut short.
const cutAt = 50

// bluePath is the transition that is drawn, along its steps.
type bluePath struct {
	climbed []float64 // cost of the climbs so far, at every step of the transition
	Cost    float64   // of all climbs
	Literal float64   // the action of all its steps, each through its likeliest hidden values

	// What is drawn against t = 0…100: both passages with the steps around them, and the number of steps of the wait
	// between that are left out.
	t       []float64
	steps   []int // positions in the long run
	f, cost []float64
	cut     int
}

// height is f at the magnetizations of the two areas of single units, as panel (a) shows it. The area that both units
// share holds 8 of 400 spins; where they point from step to step would hide the rest.
func (p *pairTheory) height(m []float64) float64 {
	const most = 0.999 // areas may be saturated
	u := []float64{m[0], m[2]}
	for mu := range u {
		u[mu] = math.Atanh(math.Max(-most, math.Min(most, u[mu]))) / p.model.W
	}
	return p.ClassFreeEnergy(p.ClassMagnetizations(u))
}

// climbs is the cost of the climbs of a transition path up to each step. A passage begins at the last step in a state;
// the highest f since then, less that of the state, is its climb.
func (p *pairTheory) climbs(path [][]float64) []float64 {
	total := make([]float64, len(path))
	first, last, rests := p.rest(path)
	if !rests { // from one global minimum to the other in one passage
		first, last = len(path)-1, len(path)
	}
	done := 0.0
	for t, m := range path {
		switch {
		case t <= first:
			done = math.Max(done, p.height(m)-p.aligned.F)
			total[t] = done
		case t < last:
			total[t] = done
		default:
			total[t] = math.Max(total[t-1], done+p.height(m)-p.mixed.F)
		}
	}
	return total
}

// follow measures the path that is drawn.
func (s *pairSimulation) follow(p *pairTheory) bluePath {
	path := s.long[s.begin : s.begin+s.paths[s.shown].Len()]
	b := bluePath{climbed: p.climbs(path)}
	b.Cost = b.climbed[len(path)-1]
	for t := range len(path) - 1 {
		b.Literal += p.Delta(path[t], p.likeliest(path[t], path[t+1]), path[t+1])
	}
	const half = cutAt / 2 // steps before and after the middle of a passage
	first, last, rests := p.rest(path)
	if !rests {
		first, last = len(path)/2, len(path)/2
	}
	up, down := s.begin+first/2, s.begin+(last+len(path))/2
	if b.cut = down - up - cutAt; b.cut < 0 { // the wait is short enough to be shown
		up, b.cut = (up+down)/2-half, 0
	}
	for t := 0; t <= 2*cutAt; t++ {
		k := up - half + t
		if t >= cutAt {
			k += b.cut
		}
		cost := 0.0
		switch {
		case k < 0 || k >= len(s.long):
			continue
		case k >= s.begin+len(path):
			cost = b.Cost
		case k >= s.begin:
			cost = b.climbed[k-s.begin]
		}
		b.t, b.steps = append(b.t, float64(t)), append(b.steps, k)
		b.f, b.cost = append(b.f, p.height(s.long[k])), append(b.cost, cost)
	}
	return b
}

// likeliest are the hidden values through which a step costs least, by Newton's method: δΦ is convex in them.
func (p *pairTheory) likeliest(m, next []float64) []float64 {
	units, classes := len(p.model.Overlap), len(m)
	h := p.Inputs(m) // the mean given m
	var step mat.VecDense
	for range 50 {
		slope := mat.NewVecDense(units, p.DeltaGradient(m, h, next)[classes:classes+units])
		curvature := p.DeltaHessian(m, h, next).SliceSym(classes, classes+units)
		if err := step.SolveVec(curvature, slope); err != nil || mat.Norm(&step, 2) < 1e-12 {
			break
		}
		for mu := range h {
			h[mu] -= step.AtVec(mu)
		}
	}
	return h
}
