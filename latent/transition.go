package latent

import (
	"fmt"
	"math"

	"instanton/rbm"
	"instanton/sampler"
)

// Hidden is the layer whose space Transition needs.
func (k *Kernel) Hidden() rbm.Layer { return k.proposal.Hidden }

// Steps is the number of steps of Transition in one sweep.
func (k *Kernel) Steps() int { return 1 }

// Transition propagates a law over the hidden space through one sweep: P(h|v), then the blocks in every possible order,
// each redrawn from its law given the rest, then P(v|h). For real hidden units this neglects the rejections of the
// Metropolis test.
func (k *Kernel) Transition(v, h *rbm.Space) (*rbm.Transition, error) {
	if k.options.Grid != nil || k.options.Directions != nil {
		return nil, fmt.Errorf("tower sampling and moves along directions leave the points of the hidden space: " +
			"there is no matrix to write out")
	}
	orders, err := k.scan.all()
	if err != nil {
		return nil, err
	}
	return k.transition(v, h, orders)
}

// transition is the mean of the matrices of the given orders.
func (k *Kernel) transition(v, h *rbm.Space, orders []order) (*rbm.Transition, error) {
	up := sampler.Conditional(k.proposal, v, h)
	down := sampler.Conditional(k.proposal.Transpose(), h, v)
	blocks := newBlockGibbs(k.proposal, h)
	excess := k.gibbs.Excess(v)
	law, row := make([]float64, h.Size()), make([]float64, v.Size())
	return rbm.NewTransition(v.Size(), 1e-9, func(from int, emit func(to int, p float64)) {
		clear(row)
		for _, o := range orders {
			copy(law, up[from])
			for _, units := range o.moves {
				blocks.redraw(law, units)
			}
			for b, p := range law {
				for to, q := range down[b] {
					row[to] += o.probability * p * q
				}
			}
		}
		for to, p := range row {
			accept := min(1, math.Exp(excess[from]-excess[to]))
			emit(to, p*accept)
			emit(from, p*(1-accept))
		}
	})
}

// blockGibbs redraws blocks of hidden units of a law over a space.
type blockGibbs struct {
	base   int       // number of values of one unit
	weight []float64 // e^{−E_eff(h)} with the weight of quadrature
	mass   []float64
	norm   []float64
}

func newBlockGibbs(m *rbm.RBM, h *rbm.Space) *blockGibbs {
	n := h.Size()
	b := &blockGibbs{weight: make([]float64, n), mass: make([]float64, n), norm: make([]float64, n)}
	b.base = int(math.Round(math.Pow(float64(n), 1/float64(h.Spec().N))))
	x := make([]float64, h.Spec().N)
	least := math.Inf(1)
	for k := range n {
		h.State(x, k)
		b.weight[k] = m.HiddenEnergy(x)
		least = min(least, b.weight[k])
	}
	for k := range n {
		b.weight[k] = h.Weight(k) * math.Exp(least-b.weight[k])
	}
	return b
}

// redraw replaces p(h) by P(block|rest)·p(rest).
func (b *blockGibbs) redraw(p []float64, units []int) {
	rest := func(k int) int {
		for _, mu := range units {
			place := 1
			for range mu {
				place *= b.base
			}
			k -= k / place % b.base * place
		}
		return k
	}
	clear(b.mass)
	clear(b.norm)
	for k, x := range p {
		r := rest(k)
		b.mass[r] += x
		b.norm[r] += b.weight[k]
	}
	for k := range p {
		r := rest(k)
		p[k] = 0
		if b.norm[r] > 0 {
			p[k] = b.weight[k] * (b.mass[r] / b.norm[r])
		}
	}
}

// order is a sequence of moves and its probability.
type order struct {
	moves       [][]int
	probability float64
}

// all lists every order of the moves of a sweep.
func (s *scan) all() ([]order, error) {
	const most = 20000
	index := map[string]int{}
	var orders []order
	a := s.sequence()
	for d := (&enumeration{}); ; {
		d.begin()
		s.fill(a, d)
		name := fmt.Sprint(a.moves)
		at, known := index[name]
		if !known {
			at = len(orders)
			index[name] = at
			o := order{}
			for _, m := range a.moves {
				o.moves = append(o.moves, append([]int(nil), m...))
			}
			orders = append(orders, o)
		}
		orders[at].probability += d.probability
		if d.count++; d.count > most {
			return nil, fmt.Errorf("the moves of a sweep have more than %d orders: too many to write out", most)
		}
		if !d.next() {
			return orders, nil
		}
	}
}

// enumeration is an intSource that goes through every possible sequence of numbers.
type enumeration struct {
	digits, bases []int
	at, count     int
	probability   float64
}

func (c *enumeration) begin() { c.at, c.probability = 0, 1 }

func (c *enumeration) below(n int) int {
	if c.at == len(c.digits) {
		c.digits, c.bases = append(c.digits, 0), append(c.bases, n)
	}
	c.at++
	c.probability /= float64(n)
	return c.digits[c.at-1]
}

func (c *enumeration) next() bool {
	for k := len(c.digits) - 1; k >= 0; k-- {
		if c.digits[k]++; c.digits[k] < c.bases[k] {
			return true
		}
		c.digits, c.bases = c.digits[:k], c.bases[:k]
	}
	return false
}
