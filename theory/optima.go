package theory

import (
	"fmt"
	"math"
	"sort"
)

// Optima solves the problem from several starts and returns the distinct stationary paths, lowest action first. The starts
// are the routes of least action over saddles, one for each that no symmetry maps to another, and the straight line. Where there
// are no routes because an end is not a minimum, they are the straight line, two bent ones, and lines along which the
// hidden units that differ between the ends move one by one, in all orders. Paths whose actions agree to 1e-11 are listed once.
func (l *Landscape) Optima(p PathProblem) ([]Optimum, error) {
	from, to, err := l.endStates(&p)
	if err != nil {
		return nil, err
	}
	var optima []Optimum
	var failure error
	for _, start := range l.pathStarts(from, to, p.Steps) {
		// a straight line is no substitute for routes that all failed, and finds nothing new on a long path
		if start.extra && (len(optima) == 0 || p.Steps*l.units > maxExtra) {
			continue
		}
		path, err := l.solveStart(from, to, p, start)
		if err != nil {
			failure = err
			continue
		}
		optima = addOptimum(optima, Optimum{path, start.copies})
	}
	if len(optima) == 0 {
		return nil, fmt.Errorf("no start led to a path from %v to %v: %w", p.From, p.To, failure)
	}
	sort.SliceStable(optima, func(i, j int) bool { return optima[i].Action < optima[j].Action })
	return optima, nil
}

// maxExtra is the number of unknowns up to which starts that seldom lead anywhere new are tried all the same.
const maxExtra = 600

// solveStart solves from one start: straight away, and if that takes too long along a route, by lengthening a shorter path.
func (l *Landscape) solveStart(from, to []float64, p PathProblem, start pathStart) (*Path, error) {
	q := p
	switch {
	case start.extra:
		q.MaxSteps = min(p.MaxSteps, 50)
	case start.route != nil:
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

// Optimum is a stationary path and the number of routes of least action that lead to it or to a symmetric copy of it, 1 where
// it was not found from a route.
type Optimum struct {
	*Path
	Copies int `json:"copies"`
}

func addOptimum(optima []Optimum, found Optimum) []Optimum {
	for i := range optima {
		if math.Abs(optima[i].Action-found.Action) < 1e-11 {
			optima[i].Copies = max(optima[i].Copies, found.Copies)
			if found.Action < optima[i].Action-1e-15 {
				optima[i].Path = found.Path
			}
			return optima
		}
	}
	return append(optima, found)
}
