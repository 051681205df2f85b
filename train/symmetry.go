package train

import (
	"fmt"

	"instanton/rbm"
)

// Symmetry ties weights by a permutation of the visible units that is its own inverse, such as the transposition of a
// square image: hidden unit σ(μ) receives from a configuration the input that μ receives from its mirror image,
//
//	W_{π(i)σ(μ)} = W_iμ,  V_{π(i)} = V_i,  U_{σ(μ)} = U_μ,
//
// so that P(πv) = P(v) holds exactly.
type Symmetry struct {
	Visible, Hidden []int // π and σ
}

// NewSymmetry ties hidden units in pairs μ, μ + M/2. If M is odd, the last one is made symmetric itself.
func NewSymmetry(visible []int, hidden int) (*Symmetry, error) {
	for i, j := range visible {
		if j < 0 || j >= len(visible) || visible[j] != i {
			return nil, fmt.Errorf("the permutation of the visible units takes %d to %d: "+
				"expected a permutation that is its own inverse", i, j)
		}
	}
	s := &Symmetry{Visible: visible, Hidden: make([]int, hidden)}
	half := hidden / 2
	for mu := range half {
		s.Hidden[mu], s.Hidden[mu+half] = mu+half, mu
	}
	if hidden%2 == 1 {
		s.Hidden[hidden-1] = hidden - 1
	}
	return s, nil
}

// Transposition is the permutation of the pixels of a square image that exchanges rows and columns.
func Transposition(shape []int, n int) ([]int, error) {
	if len(shape) != 2 || shape[0] != shape[1] || shape[0]*shape[1] != n {
		return nil, fmt.Errorf("tying by transposition needs square images: the data have the shape %v with %d units",
			shape, n)
	}
	side := shape[0]
	p := make([]int, n)
	for i := range p {
		p[i] = i%side*side + i/side
	}
	return p, nil
}

// copyWeights copies the weights of the first half to their partners.
func (s *Symmetry) copyWeights(m *rbm.RBM) {
	s.pairs(m, func(a, b int) {
		if a != b {
			m.W[b] = m.W[a]
		}
	})
}

// averageRows replaces the entries of dst, a row of weights or of derivatives with q channels per hidden unit, with the
// means over tied weights, given the row of its partner.
func (s *Symmetry) averageRows(dst, partner []float64, q int) {
	for mu, nu := range s.Hidden {
		for a := range q {
			dst[mu*q+a] = (dst[mu*q+a] + partner[nu*q+a]) / 2
		}
	}
}

// pairs calls f with the indices of each pair of tied weights once.
func (s *Symmetry) pairs(m *rbm.RBM, f func(a, b int)) {
	cols := m.Hidden.Spec().Width()
	qv, qh := m.Visible.Spec().Channels(), m.Hidden.Spec().Channels()
	for i := range cols * m.Visible.Spec().Width() {
		r, c := i/cols, i%cols
		r2 := s.Visible[r/qv]*qv + r%qv
		c2 := s.Hidden[c/qh]*qh + c%qh
		if j := r2*cols + c2; i <= j {
			f(i, j)
		}
	}
}

// averageLayers replaces the parameters of tied units of both layers with their means.
func (s *Symmetry) averageLayers(visible, hidden rbm.Layer) {
	average := func(l rbm.Layer, partner []int) {
		for _, p := range l.Params() {
			averagePartners(p.Data, partner, l.Spec().Channels())
		}
	}
	average(visible, s.Visible)
	average(hidden, s.Hidden)
}

// averagePartners replaces the q channels of partners with their means.
func averagePartners(x []float64, partner []int, q int) {
	for i, j := range partner {
		for a := 0; a < q && i < j; a++ {
			mean := (x[i*q+a] + x[j*q+a]) / 2
			x[i*q+a], x[j*q+a] = mean, mean
		}
	}
}
