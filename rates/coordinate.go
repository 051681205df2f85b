package rates

import (
	"fmt"
	"math"
	"math/bits"

	"instanton/internal/special"
	"instanton/rbm"
	"instanton/unit"
)

// coordinate is the collective variable q(v) = Σ_i a_i v_i, or Σ_i a_{i,v_i} for Potts units, divided into bins. A bin
// is as wide as the largest change that one unit can make, so single-unit moves stay in a bin or lead to the next one.
type coordinate struct {
	spec   unit.Spec
	value  []float64 // contribution of state s of unit i, at i·States+s
	ground float64   // q with every unit in its first state
	lowest float64   // the smallest value of q
	width  float64
	bins   int
}

// newCoordinate returns the collective variable of direction a, which has one entry per channel.
func newCoordinate(spec unit.Spec, a []float64) (*coordinate, error) {
	if !spec.Type.Discrete() {
		return nil, fmt.Errorf("a model with %s visible units: rates need discrete ones, spin, bernoulli or potts",
			spec.Type)
	}
	if len(a) != spec.Width() {
		return nil, fmt.Errorf("a direction of %d numbers: expected %d, one per channel of the %s visible units",
			len(a), spec.Width(), spec)
	}
	states := spec.States()
	c := &coordinate{spec: spec, value: make([]float64, spec.N*states)}
	var highest float64
	for i := range spec.N {
		lo, hi := math.Inf(1), math.Inf(-1)
		for s := range states {
			channel, factor := spec.Channel(i, spec.StateValue(s))
			x := a[channel] * factor
			if !special.Finite(x) {
				return nil, fmt.Errorf("a direction with the entry %g at unit %d: expected finite numbers", x, i+1)
			}
			c.value[i*states+s] = x
			lo, hi = min(lo, x), max(hi, x)
		}
		c.ground += c.value[i*states]
		c.lowest += lo
		highest += hi
		c.width = max(c.width, hi-lo)
	}
	if c.width == 0 {
		return nil, fmt.Errorf("a direction along which all configurations are equal: expected two different states")
	}
	c.bins = c.bin(highest) + 1
	return c, nil
}

// moves tells whether q depends on a unit.
func (c *coordinate) moves(i int) bool {
	states := c.spec.States()
	for _, x := range c.value[i*states+1 : (i+1)*states] {
		if x != c.value[i*states] {
			return true
		}
	}
	return false
}

// bin is the index of the bin that holds q. A small shift keeps rounding from moving values that lie exactly on the
// edges.
func (c *coordinate) bin(q float64) int { return int(math.Floor((q-c.lowest)/c.width + 1e-6)) }

// edge is the lower end of a bin.
func (c *coordinate) edge(b int) float64 { return c.lowest + float64(b)*c.width }

// of is q of configuration k.
func (c *coordinate) of(v *unit.States, k int) float64 {
	var q float64
	if v.Codes != nil {
		for i, s := range v.CodeRow(k)[:c.spec.N] {
			q += c.value[i*c.spec.Q+int(s)]
		}
		return q
	}
	q = c.ground
	for w, word := range v.BitRow(k) {
		for ; word != 0; word &= word - 1 {
			i := 64*w + bits.TrailingZeros64(word)
			q += c.value[2*i+1] - c.value[2*i]
		}
	}
	return q
}

// between is the direction from one configuration to another, per channel.
func between(spec unit.Spec, from, to []float64) []float64 {
	a := make([]float64, spec.Width())
	for i := range from {
		there, x := spec.Channel(i, to[i])
		here, y := spec.Channel(i, from[i])
		a[there] += x
		a[here] -= y
	}
	return a
}

// away is the direction that leads away from a configuration, per channel: q decreases with the number of units that
// agree with it.
func away(spec unit.Spec, from []float64) []float64 {
	a := make([]float64, spec.Width())
	for i, x := range from {
		if c, factor := spec.Channel(i, x); spec.Channels() > 1 {
			a[c] = -factor
		} else { // the other state minus this one
			a[c] = spec.StateValue(1-spec.StateIndex(x)) - x
		}
	}
	return a
}

// Pattern returns a stored pattern of a model, counted from 1; a negative number stands for the opposite of a pattern
// of spins or Bernoulli units.
func Pattern(m *rbm.RBM, number int) ([]float64, error) {
	stored := 0
	if m.Patterns != nil {
		stored = m.Patterns.Len
	}
	mu := max(number, -number)
	if mu < 1 || mu > stored {
		return nil, fmt.Errorf("state %d: the model stores %d patterns, expected a number from 1 on, or minus it",
			number, stored)
	}
	x := make([]float64, m.Patterns.N)
	m.Patterns.Values(x, mu-1)
	if number > 0 {
		return x, nil
	}
	if m.Patterns.States() != 2 {
		return nil, fmt.Errorf("state %d: %s units have no opposite, expected a positive number",
			number, m.Patterns.Type)
	}
	for i := range x {
		x[i] = m.Patterns.StateValue(1 - m.Patterns.StateIndex(x[i]))
	}
	return x, nil
}
