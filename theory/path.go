package theory

import (
	"fmt"
	"math"
	"sort"

	"instanton/internal/vec"
)

// PathProblem asks for the most likely path of AGS between two states in a given number of steps.
type PathProblem struct {
	From, To []float64 // order parameters of the end states
	Steps    int       // T ≥ 1

	// AnyState accepts end states that are not critical points of the free energy.
	AnyState bool
	// Stationary accepts any stationary point of the action next to the start instead of going on to a minimum: a
	// symmetric start then gives the best symmetric path even where breaking the symmetry is cheaper.
	Stationary bool
	// Tolerance on the gradient of the action, 1e-10 if 0, and the limit on Newton steps, 500 if 0.
	Tolerance float64
	MaxSteps  int
}

// Path is a stationary path of the action. States are indexed by time 0 … T, hidden values by 0 … T−1 for h¹ … h^T.
type Path struct {
	M     [][]float64 `json:"m"`     // order parameters m⁰ … m^T
	H     [][]float64 `json:"h"`     // hidden values h¹ … h^T
	Delta []float64   `json:"delta"` // δΦ of each step
	F     []float64   `json:"f"`     // free energy of m⁰ … m^T

	Action       float64 `json:"action"`        // Φ, the sum of Delta
	GradientNorm float64 `json:"gradient_norm"` // largest component of ∂Φ/∂h
	// LowestCurvature is the smallest eigenvalue of ∂²Φ/∂h², the magnetizations minimised over: positive at a minimum,
	// negative at a saddle. It tends to 0 for large T, when the path can wait in a state for free.
	LowestCurvature float64 `json:"lowest_curvature"`
	Iterations      int     `json:"iterations"`

	// Order lists the hidden units in the order in which they flip, counted from 1; those that stay are left out.
	// FlipTimes are, in the same order, the first t at which the field of m^t along the unit has crossed the middle
	// between its values in the two end states (m_μμ = 0 for a flip from + to −).
	Order     []int `json:"order"`
	FlipTimes []int `json:"flip_times"`
}

// flatCurvature is the size below which a curvature of the action is rounding.
const flatCurvature = 1e-9

// Minimum reports whether no direction lowers the action, as far as rounding tells.
func (p *Path) Minimum() bool { return p.LowestCurvature > -flatCurvature }

// SolvePath finds the stationary path next to a start, hidden values h¹ … h^T. The gradient at the answer is below the
// tolerance, or else the error says that it did not converge.
func (l *Landscape) SolvePath(p PathProblem, start [][]float64) (*Path, error) {
	from, to, err := l.endStates(&p)
	if err != nil {
		return nil, err
	}
	if len(start) != p.Steps {
		return nil, fmt.Errorf("the starting path has %d hidden values: a path of %d steps has as many", len(start),
			p.Steps)
	}
	a := newAction(l, from, to, p.Steps)
	flat := make([]float64, 0, p.Steps*l.units)
	for _, h := range start {
		if len(h) != l.units {
			return nil, fmt.Errorf("the starting path has a hidden value of %d components: this model has %d units",
				len(h), l.units)
		}
		flat = append(flat, h...)
	}
	return l.solvePath(a, p, flat)
}

func (l *Landscape) solvePath(a *action, p PathProblem, start []float64) (*Path, error) {
	for i, h := range start {
		lo, hi := l.hidden[i%l.units].Domain()
		start[i] = math.Min(math.Max(h, lo), hi)
	}
	a.set(start)
	s := newSolver(a, p.Tolerance, p.MaxSteps)
	iterations, err := s.minimise(p.Stationary)
	if err != nil {
		return nil, err
	}
	return l.describe(a, s, iterations), nil
}

// describe copies the answer out of the solver.
func (l *Landscape) describe(a *action, s *solver, iterations int) *Path {
	m := l.units
	p := &Path{
		Action: a.evaluate(true), Iterations: iterations,
		Delta: append([]float64(nil), a.delta...),
	}
	a.pin(s.gradient)
	p.GradientNorm = vec.MaxAbs(s.gradient)
	p.LowestCurvature = a.hess.lowestEigenvalue()
	for t := range a.steps {
		p.H = append(p.H, append([]float64(nil), a.h[t*m:(t+1)*m]...))
	}
	fields := make([][]float64, a.steps+1)
	for t := range fields {
		fields[t] = a.field(t)
		p.M = append(p.M, l.Order(a.field(t)))
		p.F = append(p.F, l.freeEnergyAt(a.field(t)))
	}
	p.findFlips(fields)
	return p
}

// findFlips orders the hidden units by the time at which they cross the middle between their values in the two end
// states.
func (p *Path) findFlips(fields [][]float64) {
	type flip struct {
		unit, time int
		exact      float64
	}
	var flips []flip
	from, to := fields[0], fields[len(fields)-1]
	for mu := range from {
		gap := to[mu] - from[mu]
		if math.Abs(gap) < 1e-6 {
			continue
		}
		before := 0.0
		for t, u := range fields {
			done := (u[mu] - from[mu]) / gap
			if done > 0.5 {
				flips = append(flips, flip{mu + 1, t, float64(t) - (done-0.5)/(done-before)})
				break
			}
			before = done
		}
	}
	// units that flip together by symmetry stay in the order of their numbers
	sort.SliceStable(flips, func(i, j int) bool { return flips[i].exact < flips[j].exact-1e-9 })
	p.Order, p.FlipTimes = []int{}, []int{}
	for _, f := range flips {
		p.Order = append(p.Order, f.unit)
		p.FlipTimes = append(p.FlipTimes, f.time)
	}
}

// endStates checks the problem, fills its defaults and returns the fields of the end states, moved onto the exact
// critical points next to them.
func (l *Landscape) endStates(p *PathProblem) (from, to []float64, err error) {
	if err := l.continuous("optimal paths"); err != nil {
		return nil, nil, err
	}
	if p.Steps < 1 {
		return nil, nil, fmt.Errorf("a path of %d steps was asked for: it needs at least 1", p.Steps)
	}
	if p.Tolerance == 0 {
		p.Tolerance = 1e-10
	}
	if p.MaxSteps == 0 {
		p.MaxSteps = 500
	}
	if from, err = l.endState(p.From, p.AnyState); err != nil {
		return nil, nil, fmt.Errorf("the path cannot start there: %w", err)
	}
	if to, err = l.endState(p.To, p.AnyState); err != nil {
		return nil, nil, fmt.Errorf("the path cannot end there: %w", err)
	}
	return from, to, nil
}

func (l *Landscape) endState(m []float64, any bool) ([]float64, error) {
	if any {
		return l.Field(m)
	}
	return l.nearbyCritical(m)
}
