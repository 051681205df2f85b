package jump

import (
	"instanton/internal/kernel"
)

// stairs is a matrix of weights whose mask has the shape of stairs: receiver r sees the first senders(r), which grow
// with r. Products leave out what the mask removes, panel by panel.
type stairs struct {
	senders, receivers int
	sees               func(r int) int
	weights, gradient  []float32 // [sender][receiver]
	panels             []stair
}

// stair is a range of receivers and the number of senders that any of them sees.
type stair struct {
	lo, hi, senders int
	down            *kernel.Dense // weights [sender][receiver]
}

// stairWidth is the number of receivers of a panel, a multiple of sixteen.
const stairWidth = 64

func newStairs(senders, receivers int, sees func(r int) int, weights, gradient []float32) *stairs {
	s := &stairs{senders: senders, receivers: receivers, sees: sees, weights: weights, gradient: gradient}
	for lo := 0; lo < receivers; lo += stairWidth {
		p := stair{lo: lo, hi: min(lo+stairWidth, receivers)}
		if p.senders = sees(p.hi - 1); p.senders == 0 {
			continue
		}
		p.down = kernel.NewDense(p.senders, p.hi-p.lo)
		s.panels = append(s.panels, p)
	}
	return s
}

// set takes the present weights for products.
func (s *stairs) set() {
	for k := range s.panels {
		p := &s.panels[k]
		p.down.SetRows(s.weights[p.lo:], s.receivers)
	}
}

// forward adds what the receivers get from rows of senders.
func (s *stairs) forward(g *kernel.GEMM, to, from []float32, rows int) {
	for k := range s.panels {
		p := &s.panels[k]
		g.AddProduct(to[p.lo:], s.receivers, kernel.Left{Data: from, Row: s.senders, Step: 1}, rows, p.down)
	}
}

// derive sets the gradient of panel k: the sum over rows of sender times derivative of the receiver.
func (s *stairs) derive(g *kernel.GEMM, k int, derivative *kernel.Dense, from, receivers []float32, rows int) {
	p := &s.panels[k]
	for i := range p.senders {
		clear(s.gradient[i*s.receivers+p.lo : i*s.receivers+p.hi])
	}
	derivative.SetRows(receivers[p.lo:], s.receivers)
	g.AddProduct(s.gradient[p.lo:], s.receivers, kernel.Left{Data: from, Row: 1, Step: s.senders}, p.senders,
		derivative)
	for r := p.lo; r < p.hi; r++ {
		for i := s.sees(r); i < p.senders; i++ {
			s.gradient[i*s.receivers+r] = 0
		}
	}
}
