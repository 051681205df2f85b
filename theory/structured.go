package theory

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"instanton/rbm"
)

// Structured is the structured model of the paper: visible spins connected to one or two of M hidden units with weights
// W/√N, in blocks of sizes α_μν N. Its order parameters are the magnetizations m_μμ of the blocks connected to one
// unit; those connected to two have m_μν = (m_μμ + m_νν)/(1 + m_μμ m_νν).
type Structured struct {
	W       float64
	Overlap rbm.Overlap
	// Hidden are the potentials of the hidden units; nil stands for quadratic, one entry serves all units.
	Hidden []Potential
}

var _ Model = Structured{}

// Landscape is the model with a class for every block that is not empty.
func (s Structured) Landscape() (*Landscape, error) {
	if err := checkWeight(s.W); err != nil {
		return nil, err
	}
	if err := s.Overlap.Check(); err != nil {
		return nil, err
	}
	m := len(s.Overlap)
	l := &Landscape{units: m, order: unitOrder{s.W}}
	switch len(s.Hidden) {
	case m:
		l.hidden = s.Hidden
	case 0, 1:
		for range m {
			if len(s.Hidden) == 1 {
				l.hidden = append(l.hidden, s.Hidden[0])
			} else {
				l.hidden = append(l.hidden, Quadratic())
			}
		}
	default:
		return nil, fmt.Errorf("%d hidden potentials were given for %d hidden units: give one for each, or one for all",
			len(s.Hidden), m)
	}
	for mu, v := range l.hidden {
		if len(v.pieces) == 0 {
			return nil,
				fmt.Errorf("the potential of hidden unit %d is empty: make it with Quadratic, ReLU, DReLU, Spin or "+
					"Bernoulli", mu+1)
		}
	}
	for _, b := range s.Blocks() {
		row := make([]float64, m)
		row[b.Mu], row[b.Nu] = s.W, s.W
		l.share = append(l.share, b.Share)
		l.weight = append(l.weight, row...)
		l.bias = append(l.bias, 0)
	}
	return l, nil
}

// TwoStates returns an error if the model has quadratic units alone and the weight is not above the transition,
// w²·λ_max(C) = 1, where states other than m = 0 appear.
func (s Structured) TwoStates() error {
	for _, v := range s.Hidden {
		if v.String() != Quadratic().String() {
			return nil
		}
	}
	m := len(s.Overlap)
	c := mat.NewSymDense(m, nil)
	for mu, row := range s.Overlap.Connectivity() {
		for nu := range mu + 1 {
			c.SetSym(mu, nu, row[nu])
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(c, false) {
		return fmt.Errorf("the eigenvalues of the overlaps of %d units were not found", m)
	}
	if transition := 1 / math.Sqrt(eigen.Values(nil)[m-1]); s.W <= transition {
		return fmt.Errorf("at w = %g the model has the single state m = 0: two states need w > %.7g", s.W, transition)
	}
	return nil
}

// Block is the set of spins connected to hidden units Mu ≤ Nu, a share α_μν of all.
type Block struct {
	Mu, Nu int
	Share  float64
}

// Blocks lists the blocks that are not empty.
func (s Structured) Blocks() []Block {
	var blocks []Block
	for mu := range s.Overlap {
		for nu := mu; nu < len(s.Overlap); nu++ {
			if a := s.Overlap[mu][nu]; a > 0 {
				blocks = append(blocks, Block{mu, nu, a})
			}
		}
	}
	return blocks
}
