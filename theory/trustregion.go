package theory

import (
	"fmt"
	"math"
	"slices"

	"instanton/internal/vec"
)

// solver minimises the action by Newton's method with a trust region, one block-tridiagonal factorisation a trial.
type solver struct {
	a         *action
	factor    *blockCholesky
	gradient  []float64
	step      []float64
	work      []float64
	start     []float64
	fields    []float64
	before    []float64
	tolerance float64
	limit     int
}

func newSolver(a *action, tolerance float64, limit int) *solver {
	n := len(a.h)
	v := func() []float64 { return make([]float64, n) }
	return &solver{a: a, factor: newBlockCholesky(a.steps, a.l.units), gradient: v(), step: v(), work: v(), start: v(),
		before: v(),
		fields: make([]float64, len(a.u)), tolerance: tolerance, limit: limit}
}

// minimise runs from the action's present hidden values to a stationary point. With saddles it takes undamped Newton
// steps and accepts any stationary point; without, it leaves a saddle along its descending direction and goes on to a
// minimum.
func (s *solver) minimise(saddles bool) (iterations int, err error) {
	region := s.enter()
	best, stalled, kicks := math.Inf(1), 0, 0
	it := 0
	for ; it < s.limit && region.radius > 1e-14; it++ {
		size := vec.MaxAbs(s.gradient)
		if math.IsNaN(size) {
			break
		}
		// Below the tolerance the iteration goes on for as long as it still gains, because the directions that shift
		// the path in time are nearly flat and a small gradient along them is still far from the optimum.
		if size < best/2 {
			best, stalled = size, 0
		} else {
			stalled++
		}
		if size < s.tolerance && (stalled >= 3 || size < 1e-15) {
			if saddles || kicks >= 5 || !s.leaveSaddle() {
				s.polish()
				return it, nil
			}
			kicks++
			region = s.enter()
			best, stalled = math.Inf(1), 0
			continue
		}
		copy(s.start, s.a.h)
		copy(s.fields, s.a.u)
		if !saddles {
			s.advance(&region)
		} else if err := s.newtonStep(size); err != nil {
			return it, err
		}
	}
	if size := vec.MaxAbs(s.gradient); !(size < s.tolerance) {
		return it,
			fmt.Errorf("the path did not converge: after %d Newton steps the gradient of the action is "+
				"%.2g, above %.0e", it, size, s.tolerance)
	}
	return it, nil
}

// trustRegion is the state of the search: the action where it stands, the actions of the last points, and the length up
// to which the quadratic model is trusted.
type trustRegion struct {
	value  float64
	recent [3]float64
	turn   int
	radius float64
}

// enter evaluates the present point and opens a trust region around it.
func (s *solver) enter() trustRegion {
	value := s.a.evaluate(true)
	s.a.pin(s.gradient)
	return trustRegion{value: value, recent: [3]float64{value, value, value}, radius: 1}
}

// advance tries the step of the trust region and takes it if the action falls as foreseen: below the present one, or
// below the highest of the last three. The search has to follow curved valleys, along which flips shift in time at next
// to no cost: a step along the valley climbs its wall, so a step that fails is followed back to the floor (descend)
// before it is judged.
func (s *solver) advance(region *trustRegion) {
	a := s.a
	s.trial(region.radius)
	for i, p := range s.step {
		a.h[i] = s.start[i] + p
	}
	a.clip(s.start, a.h)
	for i := range s.step {
		s.step[i] = a.h[i] - s.start[i]
	}
	a.hess.multiply(s.step, s.work)
	predicted := -vec.Dot(s.gradient, s.step) - vec.Dot(s.step, s.work)/2
	length := vec.Norm(s.step)
	noise := 1e-15 * (1 + math.Abs(region.value)) * math.Sqrt(float64(a.steps))
	before := vec.Norm(s.gradient)
	accepted := func(next float64) bool {
		if predicted <= noise { // too small for Φ to tell: the gradient must shrink instead
			return vec.Norm(s.work) < before
		}
		return region.value-next >= 1e-4*predicted || slices.Max(region.recent[:])-next >= predicted
	}
	next := a.evaluate(true)
	a.pin(s.work)
	taken := accepted(next)
	for k := 0; k < 3 && !taken && length > 1e-3; k++ {
		if !s.descend() {
			break
		}
		next = a.evaluate(true)
		a.pin(s.work)
		taken = accepted(next)
	}
	switch {
	case !taken:
		region.radius = 0.25 * length
		copy(a.h, s.start)
		copy(a.u, s.fields)
		a.evaluate(true)
		a.pin(s.gradient)
		return
	case predicted > noise && region.value-next > 0.75*predicted && length > 0.6*region.radius:
		region.radius = math.Min(2.5*region.radius, 1e6)
	}
	region.value = next
	region.recent[region.turn%len(region.recent)] = next
	region.turn++
	copy(s.gradient, s.work)
}

// stiff is the curvature of the action above which a direction leads up the wall of a valley.
const stiff = 1e-3

// descend moves from a point on the wall of a valley to its floor: by a Newton step in the stiff directions alone, the
// others held by a shift of the Hessian. Its gradient is in work.
func (s *solver) descend() bool {
	a := s.a
	if !s.factor.factor(a.hess, stiff) {
		return false
	}
	for i, g := range s.work {
		s.step[i] = -g
	}
	s.factor.forward(s.step)
	s.factor.backward(s.step)
	copy(s.before, a.h)
	for i, p := range s.step {
		a.h[i] += p
	}
	a.clip(s.before, a.h)
	return true
}

// trial puts into step the minimiser of the quadratic model within the radius, by Moré and Sorensen's iteration on the
// shift σ ≥ 0 for which H + σ is positive definite and the step just fits.
func (s *solver) trial(radius float64) {
	// Directions along which the path can be shifted for free make H singular to rounding: a shift of that size is no
	// shift.
	const rounding = 1e-12
	lo, hi := 0.0, math.Inf(1)
	between := func() float64 {
		switch {
		case math.IsInf(hi, 1):
			return math.Max(1e-3, 8*lo)
		case lo <= rounding:
			return math.Max(rounding, hi/30)
		}
		return math.Sqrt(lo * hi)
	}
	sigma := 0.0
	for range 40 {
		if !s.factor.factor(s.a.hess, sigma) {
			lo = sigma
			if sigma == 0 {
				sigma = rounding
				continue
			}
			if hi < 1.001*lo {
				sigma = hi
			} else {
				sigma = between()
			}
			continue
		}
		for i, g := range s.gradient {
			s.step[i] = -g
		}
		s.factor.forward(s.step)
		s.factor.backward(s.step)
		length := vec.Norm(s.step)
		if length <= 1.1*radius && (sigma <= rounding || length >= 0.7*radius || hi < 1.001*lo) {
			return
		}
		if length > 1.1*radius {
			lo = sigma
		} else {
			hi = sigma
		}
		copy(s.work, s.step)
		s.factor.forward(s.work)
		next := sigma + (length/radius-1)*length*length/vec.Dot(s.work, s.work)
		if !(next > lo && next < hi) {
			next = between()
		}
		sigma = next
	}
	if length := vec.Norm(s.step); length > radius {
		for i := range s.step {
			s.step[i] *= radius / length
		}
	}
}
