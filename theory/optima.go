package theory

import (
	"fmt"
	"math"
	"sort"
)

// Optima solves the problem from several starts and returns the distinct stationary paths, lowest action first. The
// starts are the routes of least action over critical points of any index and over saddles of index one, one for each
// that no symmetry maps to another; the straight line for a short path; and for a longer one the best path of half as
// many steps, with time added where it waits. (The action cannot rise with T between critical points, where waiting is
// free, so that what is good in few steps leads to something good in many.) Where the critical points are too many to
// search, they are the best paths with all but a few units zero, or else straight and bent lines, and lines along which
// the hidden units that differ between the ends move one by one, in all orders. Paths whose actions agree to 1e-11 are
// listed once, but for a path and its reversal, which have the same action between a state and its opposite.
func (l *Landscape) Optima(p PathProblem) ([]Optimum, error) {
	from, to, err := l.endStates(&p)
	if err != nil {
		return nil, err
	}
	optima, failure := l.optima(from, to, p)
	if len(optima) == 0 {
		return nil, fmt.Errorf("no start led to a path from %v to %v: %w", p.From, p.To, failure)
	}
	return l.reversals(optima, from, to, p), nil
}

// optima solves between fields; the error is that of the last start that failed.
func (l *Landscape) optima(from, to []float64, p PathProblem) (optima []Optimum, failure error) {
	for _, start := range l.pathStarts(from, to, p) {
		path, err := l.solveStart(from, to, p, start)
		if err != nil {
			failure = err
			continue
		}
		optima = addOptimum(optima, Optimum{Path: path, Copies: start.copies, routed: start.route != nil})
	}
	if l.units > 1 && l.units <= maxSearchUnits && p.Steps > 2*shortPath &&
		(p.Steps*l.units <= maxGrow || len(optima) == 0) {
		if path, err := l.lengthenHalf(from, to, p, optima); err != nil {
			failure = err
		} else if path != nil {
			optima = addOptimum(optima, Optimum{Path: path, Copies: 1})
		}
	}
	sort.SliceStable(optima, func(i, j int) bool { return optima[i].Action < optima[j].Action })
	return optima, failure
}

// lengthenHalf solves for half as many steps and lengthens the best path, unless it followed a route as one of the
// optima that are known already does with less action.
func (l *Landscape) lengthenHalf(from, to []float64, p PathProblem, known []Optimum) (*Path, error) {
	half := p
	half.Steps = p.Steps / 2
	short, err := l.optima(from, to, half)
	if len(short) == 0 {
		return nil, err
	}
	for _, o := range known {
		if short[0].routed && o.routed && o.Action <= short[0].Action+1e-12 {
			return nil, nil
		}
	}
	q := p
	q.MaxSteps = min(p.MaxSteps, 150)
	return l.solvePath(newAction(l, from, to, p.Steps), q, stretch(short[0].Path, from, to, p.Steps-half.Steps))
}

// solveStart solves from one start: straight away, and if that takes too long along a route, by lengthening a shorter
// path.
func (l *Landscape) solveStart(from, to []float64, p PathProblem, start pathStart) (*Path, error) {
	q := p
	if start.route != nil {
		q.MaxSteps = min(p.MaxSteps, 150)
	}
	path, err := l.solvePath(newAction(l, from, to, p.Steps), q, start.h)
	if err != nil && start.route != nil && p.MaxSteps > q.MaxSteps {
		return l.solveRoute(from, to, p, *start.route)
	}
	return path, err
}

// OptimalPath is the path of lowest action among the Optima.
func (l *Landscape) OptimalPath(p PathProblem) (*Path, error) {
	optima, err := l.Optima(p)
	if err != nil {
		return nil, err
	}
	return optima[0].Path, nil
}

// sameAction is the difference below which two actions are the same.
const sameAction = 1e-11

// Optimum is a stationary path and the number of routes of least action that lead to it or to a symmetric copy of it, 1
// where it was not found from a route.
type Optimum struct {
	*Path
	Copies int `json:"copies"`
	routed bool
}

func addOptimum(optima []Optimum, found Optimum) []Optimum {
	for i := range optima {
		if math.Abs(optima[i].Action-found.Action) < sameAction {
			optima[i].Copies = max(optima[i].Copies, found.Copies)
			optima[i].routed = optima[i].routed || found.routed
			if found.Action < optima[i].Action-1e-15 {
				optima[i].Path = found.Path
			}
			return optima
		}
	}
	return append(optima, found)
}
