package dynamics

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"instanton/internal/special"
	"instanton/internal/vec"
	"instanton/theory"
)

// Chain is a reversible Markov chain on a finite number of states: a sampler at finite N, lumped exactly onto the
// quantities its transitions depend on. Its times are computed by eliminations that add, multiply and divide
// non-negative numbers only (Grassmann, Taksar and Heyman), so that they keep their relative accuracy when they are
// 10⁴⁰ steps long.
type Chain struct {
	// State describes each state: the number of up spins for Curie–Weiss, one number of up spins per block for
	// structured models, hidden values for hidden chains.
	State [][]float64
	// Method says in words what the chain is and how exact.
	Method string

	p *bandMatrix
	// logWeight is the logarithm of the stationary probability that the chain ought to have, up to a constant.
	logWeight []float64
	model     *theory.Landscape
	spins     int
	onHidden  bool
	// hidden is the hidden value of a state, not rescaled: the input that it gives to the hidden units.
	hidden func(state []float64) []float64
}

// States is the number of states.
func (c *Chain) States() int { return len(c.State) }

// Probability is the transition probability from state i to state j.
func (c *Chain) Probability(i, j int) float64 { return c.p.at(i, j) }

// Known is the stationary distribution that the sampler ought to have, from the energies of the states.
func (c *Chain) Known() []float64 {
	top := math.Inf(-1)
	for _, w := range c.logWeight {
		top = math.Max(top, w)
	}
	pi, sum := make([]float64, len(c.logWeight)), 0.0
	for i, w := range c.logWeight {
		pi[i] = math.Exp(w - top)
		sum += pi[i]
	}
	for i := range pi {
		pi[i] /= sum
	}
	return pi
}

// Stationary is the stationary distribution of the transition matrix, by elimination, each entry accurate by itself.
func (c *Chain) Stationary() []float64 {
	root := c.likeliest()
	e := c.eliminate(func(i int) bool { return i == root })
	return c.stationary(e, root)
}

func (c *Chain) stationary(e *elimination, root int) []float64 {
	// visits to each state between two visits to the root
	b := make([]float64, len(e.states))
	for k, i := range e.states {
		b[k] = c.p.at(root, i)
	}
	e.solveLeft(b)
	pi := make([]float64, c.States())
	pi[root] = 1
	sum := 1.0
	for k, i := range e.states {
		pi[i] = b[k]
		sum += b[k]
	}
	for i := range pi {
		pi[i] /= sum
	}
	return pi
}

// Law is the stationary law of one quantity of the chain, with its values in order: the number of up spins, or for a
// hidden chain the sum of the hidden values.
func (c *Chain) Law() (value, probability []float64) {
	sums := map[int64]float64{}
	for i, p := range c.Stationary() {
		s := 0.0
		for _, x := range c.State[i] {
			s += x
		}
		sums[int64(math.Round(s*1e6))] += p
	}
	keys := make([]int64, 0, len(sums))
	for k := range sums {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		value, probability = append(value, float64(k)/1e6), append(probability, sums[k])
	}
	return value, probability
}

// OnHidden tells whether the states are hidden values and not numbers of spins.
func (c *Chain) OnHidden() bool { return c.onHidden }

// StationarityError is the largest difference between the logarithms of the stationary distribution of the matrix and
// of the known one, over the states that carry more than 1e-300 of it.
func (c *Chain) StationarityError() float64 {
	worst := 0.0
	known := c.Known()
	for i, x := range c.Stationary() {
		if known[i] > 1e-300 {
			worst = math.Max(worst, math.Abs(math.Log(x/known[i])))
		}
	}
	return worst
}

func (c *Chain) likeliest() int {
	best := 0
	for i, w := range c.logWeight {
		if w > c.logWeight[best] {
			best = i
		}
	}
	return best
}

// LogTimeEstimate is N times the free-energy barrier from the deepest state of the model to its opposite, the logarithm
// of the relaxation time of AGS or Metropolis to leading order in N; 0 where there is none.
func (c *Chain) LogTimeEstimate() float64 {
	g, err := c.model.Graph()
	if err != nil || len(g.Minima) < 2 {
		return 0
	}
	r, err := g.Lowest(g.Minima[0].M, c.model.Order(opposite(g.Minima[0].H)))
	if err != nil {
		return 0
	}
	return float64(c.spins) * r.Barrier
}

// opposite is −h.
func opposite(h []float64) []float64 {
	minus := make([]float64, len(h))
	for mu, x := range h {
		minus[mu] = -x
	}
	return minus
}

// MeanFirstPassage is the mean number of steps from a state until the chain is first in a target state.
func (c *Chain) MeanFirstPassage(from int, target func(state []float64) bool) (float64, error) {
	if from < 0 || from >= c.States() {
		return 0, fmt.Errorf("the chain cannot start in state %d: it has states 0 to %d", from, c.States()-1)
	}
	hit := func(i int) bool { return target(c.State[i]) }
	if hit(from) {
		return 0, nil
	}
	e := c.eliminate(hit)
	if len(e.states) == c.States() {
		return 0, fmt.Errorf("no state of the chain is a target, so the first passage takes for ever")
	}
	if !e.finite() {
		return 0, fmt.Errorf("the first passage of a chain of %d states: %w", c.States(), ErrBeyondRange)
	}
	b := make([]float64, len(e.states))
	for k := range b {
		b[k] = 1
	}
	e.solveRight(b)
	for k, i := range e.states {
		if i != from {
			continue
		}
		if !special.Finite(b[k]) {
			return 0, fmt.Errorf("the first passage of a chain of %d states: %w", c.States(), ErrBeyondRange)
		}
		return b[k], nil
	}
	return 0, fmt.Errorf("the chain cannot start in state %d", from)
}

// ErrSingleState says that there is no passage between states.
var ErrSingleState = errors.New("the model has the single state m = 0 at this w and number of spins, so there is no " +
	"passage between states")

// Passage is the mean first-passage time from the deepest state of the model, in its copy where the hidden units are
// positive, to the opposite one: from the state of the chain nearest to it until every hidden input is at most minus
// what it was there. For Curie–Weiss that is from k* up spins, the number nearest to N(1+m*)/2, to N − k* or fewer.
func (c *Chain) Passage() (float64, error) {
	g, err := c.model.Graph()
	if err != nil {
		return 0, err
	}
	if len(g.Minima) < 2 {
		return 0, ErrSingleState
	}
	home := make([]float64, c.model.Units())
	for mu, h := range g.Minima[0].H {
		home[mu] = h * math.Sqrt(float64(c.spins))
	}
	start, nearest := 0, math.Inf(1)
	for i, state := range c.State {
		if d := vec.SquaredDistance(c.hidden(state), home); d < nearest {
			start, nearest = i, d
		}
	}
	from := c.hidden(c.State[start])
	if vec.MaxAbs(from) < 1e-9 { // too few spins to tell the states from m = 0
		return 0, ErrSingleState
	}
	return c.MeanFirstPassage(start, func(state []float64) bool {
		for mu, x := range c.hidden(state) {
			if x > -from[mu]+1e-9 {
				return false
			}
		}
		return true
	})
}
