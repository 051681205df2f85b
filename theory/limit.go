package theory

// Limit is the T → ∞ limit of the least action between two critical points, as far as it was found.
type Limit struct {
	Action float64
	// Ascents tells that the limit is a sum of ascents between critical points (Graph.Limit). Otherwise a longer and
	// longer path was found to cost less, and its action is the limit to about 1e-9. Such a path leaves a saddle by
	// sliding down in one direction while it climbs in another, which costs more than the rise of f, but less than to
	// slide all the way down first.
	Ascents bool
}

// Limit finds the limit of the least action for the problem, whose Steps do not matter. Known paths between the same
// ends, if given, are lengthened until their action stops falling. In models with few symmetries, where the sum of the
// ascents is often not the least, so is the best path of 64 steps.
func (l *Landscape) Limit(p PathProblem, known ...*Path) (Limit, error) {
	from, to, err := l.endStates(&p)
	if err != nil {
		return Limit{}, err
	}
	graph, err := l.Graph()
	if err != nil {
		return Limit{}, err
	}
	ascents, err := graph.Limit(p.From, p.To)
	if err != nil {
		return Limit{}, err
	}
	limit := Limit{ascents, true}
	if l.units == 1 {
		return limit, nil
	}
	if graph.irregular() {
		p.Steps = 64
		if best, _ := l.optima(from, to, p); len(best) > 0 {
			known = append(known, best[0].Path)
		}
	} else { // a path that costs more than the sum of the ascents does not speak against it
		for len(known) > 0 && known[0].Action > limit.Action-1e-12 {
			known = known[1:]
		}
	}
	for _, path := range known {
		if a := l.lengthened(from, to, p, path, limit.Action); a < limit.Action-1e-9 {
			limit = Limit{a, false}
		}
	}
	return limit, nil
}

// lengthened is the action of a path when it is given more and more time, until it stops falling, or falls so slowly
// that it will not come below the level given. (Half as long again, what is left to fall shrinks by more than half.)
func (l *Landscape) lengthened(from, to []float64, p PathProblem, path *Path, level float64) float64 {
	action := path.Action
	for steps := len(path.H); steps*l.units <= maxGrow; {
		extra := max(4, steps/2)
		longer, err := l.solvePath(newAction(l, from, to, steps+extra), p, stretch(path, from, to, extra))
		if err != nil || longer.Action > action-1e-11 {
			break
		}
		fall := action - longer.Action
		steps, path, action = steps+extra, longer, longer.Action
		if action-2*fall > level {
			break
		}
	}
	return action
}

// irregular tells whether the model has too few symmetries to find all connections by them.
func (g *Graph) irregular() bool { return g.network.irregular }
