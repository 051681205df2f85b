package rbm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"instanton/internal/vec"
	"instanton/unit"
)

// Gauge moves change the parameters and leave P(v) as it is. Each compensates in the potentials what it does to the
// weights.

// ZeroSum moves Potts layers to the zero-sum gauge: over the states of a unit the weights sum to zero, and so do the
// fields. The mean weight of a visible unit acts on the hidden units whatever its state, so it becomes a field of
// theirs, and the other way round. Layers of other types are left alone.
func (m *RBM) ZeroSum() {
	rows, cols := m.Visible.Spec().Width(), m.Hidden.Spec().Width()
	if v := m.Visible.Spec(); v.Type == unit.Potts {
		shift := make([]float64, cols) // input that every state gives
		for lo := 0; lo < rows; lo += v.Q {
			for mu := range cols {
				var mean float64
				for a := range v.Q {
					mean += m.W[(lo+a)*cols+mu] / float64(v.Q)
				}
				for a := range v.Q {
					m.W[(lo+a)*cols+mu] -= mean
				}
				shift[mu] += mean
			}
		}
		m.Hidden.AddField(shift)
		m.Visible.(*Potts).zeroSum()
	}
	if h := m.Hidden.Spec(); h.Type == unit.Potts {
		shift := make([]float64, rows)
		for r := range rows {
			row := m.Row(r)
			for lo := 0; lo < cols; lo += h.Q {
				mean := vec.Sum(row[lo:lo+h.Q]) / float64(h.Q)
				for a := range h.Q {
					row[lo+a] -= mean
				}
				shift[r] += mean
			}
		}
		m.Visible.AddField(shift)
		m.Hidden.(*Potts).zeroSum()
	}
}

// Scale replaces the real hidden unit h_μ by s·h_μ, s > 0: the weights are divided by s, the potential becomes U(h/s).
func (m *RBM) Scale(mu int, s float64) error {
	if !(s > 0) || math.IsInf(s, 0) {
		return fmt.Errorf("scale %g: expected a positive number", s)
	}
	if m.Hidden.Spec().Type.Discrete() {
		return fmt.Errorf("%s hidden units take fixed values: only real units can be scaled", m.Hidden.Spec().Type)
	}
	for _, p := range m.Hidden.Params() {
		if p.Positive { // γ of γh²/2
			p.Data[mu] /= s * s
		} else { // θ of θh
			p.Data[mu] /= s
		}
	}
	m.scaleColumn(mu, 1/s)
	return nil
}

func (m *RBM) scaleColumn(mu int, s float64) {
	for r := range m.Visible.Spec().Width() {
		m.Row(r)[mu] *= s
	}
}

// Shift replaces the Gaussian hidden unit h_μ by h_μ + c: the visible units lose the field W_iμ c and the potential
// becomes U(h−c), up to a constant.
func (m *RBM) Shift(mu int, c float64) error {
	l, ok := m.Hidden.(*Gaussian)
	if !ok {
		return fmt.Errorf("%s hidden units have a fixed origin: only Gaussian units can be shifted",
			m.Hidden.Spec().Type)
	}
	l.Theta[mu] -= l.Gamma[mu] * c
	m.compensate(mu, -c)
	return nil
}

// compensate gives the visible units the field c·W_iμ.
func (m *RBM) compensate(mu int, c float64) {
	field := make([]float64, m.Visible.Spec().Width())
	for r := range field {
		field[r] = c * m.Row(r)[mu]
	}
	m.Visible.AddField(field)
}

// Flip replaces the hidden unit h_μ by its mirror image: −h_μ for spin, Gaussian and dReLU units, 1−h_μ for Bernoulli
// units.
func (m *RBM) Flip(mu int) error {
	l, ok := m.Hidden.(symmetric)
	if !ok {
		return fmt.Errorf("%s hidden units have no mirror image", m.Hidden.Spec().Type)
	}
	if s := l.mirror(mu); s != 0 { // W v h = s W v − W v (s−h): the visible units get the field s W
		m.compensate(mu, s)
	}
	m.scaleColumn(mu, -1)
	return nil
}

// symmetric is a layer whose units have a mirror image.
type symmetric interface {
	// mirror changes the potential of unit i from V(x) to V(s−x), up to a constant, and returns s, for which the values
	// of s−x are those of x.
	mirror(i int) (s float64)
}

// Permute makes hidden unit order[k] the new unit k.
func (m *RBM) Permute(order []int) error {
	spec := m.Hidden.Spec()
	seen := make([]bool, spec.N)
	for _, mu := range order {
		if mu < 0 || mu >= spec.N || seen[mu] {
			return fmt.Errorf("order %v is not a permutation of the %d hidden units", order, spec.N)
		}
		seen[mu] = true
	}
	if len(order) != spec.N {
		return fmt.Errorf("order %v is not a permutation of the %d hidden units", order, spec.N)
	}
	q := spec.Channels()
	reorder := func(x []float64) {
		old := append([]float64(nil), x...)
		for k, mu := range order {
			copy(x[k*q:(k+1)*q], old[mu*q:(mu+1)*q])
		}
	}
	for r := range m.Visible.Spec().Width() {
		reorder(m.Row(r))
	}
	for _, p := range m.Hidden.Params() {
		reorder(p.Data)
	}
	return nil
}

// Rotate replaces W by W·O for an orthogonal O (M×M), after scaling the Gaussian hidden units to γ = 1: then E_eff
// depends on the inputs only through the length of I−θ.
func (m *RBM) Rotate(o *mat.Dense) error {
	l, ok := m.Hidden.(*Gaussian)
	if !ok {
		return fmt.Errorf("%s hidden units are not isotropic: only Gaussian units can be rotated", m.Hidden.Spec().Type)
	}
	n := len(l.Gamma)
	if r, c := o.Dims(); r != n || c != n {
		return fmt.Errorf("a %d×%d rotation of %d hidden units: expected %d×%d", r, c, n, n, n)
	}
	var gram mat.Dense
	gram.Mul(o.T(), o)
	for i := range n {
		for j := range n {
			want := 0.0
			if i == j {
				want = 1
			}
			if d := gram.At(i, j) - want; !(math.Abs(d) < 1e-9) {
				return fmt.Errorf("the matrix is not orthogonal: OᵀO differs from the identity by %.3g at (%d,%d)",
					d, i, j)
			}
		}
	}
	for mu := range n {
		if err := m.Scale(mu, math.Sqrt(l.Gamma[mu])); err != nil {
			return err
		}
	}
	w := mat.NewDense(m.Visible.Spec().Width(), n, m.W)
	var rotated mat.Dense
	rotated.Mul(w, o)
	w.Copy(&rotated)
	theta := mat.NewDense(1, n, l.Theta)
	rotated.Reset()
	rotated.Mul(theta, o)
	theta.Copy(&rotated)
	return nil
}
