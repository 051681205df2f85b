package rates

import (
	"fmt"
	"math"

	"instanton/rbm"
	"instanton/unit"
)

// flows holds sums over the configurations seen in each bin: their number, and the rates at which single-unit moves
// would have carried them to the bins above and below.
type flows struct {
	seen, up, down []float64
}

func newFlows(bins int) *flows {
	return &flows{make([]float64, bins), make([]float64, bins), make([]float64, bins)}
}

func (f *flows) add(g *flows) {
	for b := range f.seen {
		f.seen[b] += g.seen[b]
		f.up[b] += g.up[b]
		f.down[b] += g.down[b]
	}
}

// slope is log P_{b+1} − log P_b, NaN if too little was seen. Single-unit moves with rates r(x→y) =
// 1/(1+e^{E(y)−E(x)}) satisfy detailed balance with P, hence
//
//	P_b ⟨Σ_{y above} r(x→y)⟩_b = P_{b+1} ⟨Σ_{y below} r(x→y)⟩_{b+1},
//
// whatever the weights with which the bins themselves were visited.
func (f *flows) slope(b int, least float64) float64 {
	if f.seen[b] < least || f.seen[b+1] < least || f.up[b] <= 0 || f.down[b+1] <= 0 {
		return math.NaN()
	}
	return math.Log(f.up[b] / f.seen[b] * f.seen[b+1] / f.down[b+1])
}

// profile is the normalised log P of the bins from lo on: of all bins connected with those between the two states.
func (f *flows) profile(c *coordinate, w *umbrella) (logP []float64, lo int, err error) {
	lo, hi := w.a, w.b
	for b := lo; b < hi; b++ {
		if math.IsNaN(f.slope(b, 1)) {
			return nil, 0, &notKnown{NotJoined, fmt.Sprintf("the chains did not connect the bins of q on both sides "+
				"of %g: more sweeps or chains are needed", c.edge(b+1))}
		}
	}
	for lo > w.lo && !math.IsNaN(f.slope(lo-1, 1)) {
		lo--
	}
	for hi < w.hi && !math.IsNaN(f.slope(hi, 1)) {
		hi++
	}
	logP = make([]float64, hi-lo+1)
	for b := lo; b < hi; b++ {
		logP[b-lo+1] = logP[b-lo] + f.slope(b, 1)
	}
	total := logSum(logP)
	for b := range logP {
		logP[b] -= total
	}
	return logP, lo, nil
}

func logSum(x []float64) float64 {
	top, sum := math.Inf(-1), 0.0
	for _, y := range x {
		top = max(top, y)
	}
	for _, y := range x {
		sum += math.Exp(y - top)
	}
	return top + math.Log(sum)
}

// observer computes the flows of single configurations.
type observer struct {
	m           *rbm.RBM
	c           *coordinate
	field       []float64 // slope of the visible potential, which is linear
	x           []float64
	inputs, new []float64
	up, down    float64 // rates of the last configuration
}

func newObserver(m *rbm.RBM, c *coordinate) *observer {
	o := &observer{
		m: m, c: c, field: make([]float64, c.spec.Width()), x: make([]float64, c.spec.N),
		inputs: make([]float64, m.Hidden.Spec().Width()), new: make([]float64, m.Hidden.Spec().Width()),
	}
	for i := range o.x {
		o.x[i] = c.spec.StateValue(0)
	}
	m.Visible.Slope(o.field, o.x)
	return o
}

// see adds configuration k of v, whose collective variable is q.
func (o *observer) see(f *flows, v *unit.States, k int, q float64) {
	v.Values(o.x, k)
	o.m.Inputs(o.inputs, o.x)
	energy := -o.m.Hidden.CGF(o.inputs)
	states, here := o.c.spec.States(), o.c.bin(q)
	f.seen[here]++
	o.up, o.down = 0, 0
	for i, from := range o.x {
		old := o.c.spec.StateIndex(from)
		for s := range states {
			if s == old {
				continue
			}
			there := o.c.bin(q + o.c.value[i*states+s] - o.c.value[i*states+old])
			if there == here {
				continue
			}
			rate := 1 / (1 + math.Exp(o.raise(i, from, o.c.spec.StateValue(s))-energy))
			if there > here {
				f.up[here] += rate
				o.up += rate
			} else {
				f.down[here] += rate
				o.down += rate
			}
		}
	}
}

// raise is the energy after a move of unit i, minus the visible potential before it.
func (o *observer) raise(i int, from, to float64) float64 {
	copy(o.new, o.inputs)
	o.m.MoveInputs(o.new, i, from, to)
	potential := o.field[i] * (to - from)
	if q := o.c.spec.Q; o.c.spec.Type == unit.Potts {
		potential = o.field[i*q+int(to)] - o.field[i*q+int(from)]
	}
	return potential - o.m.Hidden.CGF(o.new)
}
