package theory

import (
	"fmt"
	"math"

	"instanton/internal/vec"

	"gonum.org/v1/gonum/mat"
)

// CriticalPoint is a critical point of the free energy f, and of the hidden energy e at the same time.
type CriticalPoint struct {
	M []float64 `json:"m"` // order parameters
	H []float64 `json:"h"` // hidden values, which are also the field of the state
	F float64   `json:"f"` // free energy
	// number of directions along which f decreases: 0 for a minimum, 1 for a saddle of passage
	Index int `json:"index"`
	// Copies is the number of critical points that the symmetries of the model make out of this one, itself included.
	Copies int `json:"copies"`

	// oneSided tells that f decreases to one side only of some direction, as at m = 0 for a ReLU unit with θ = 0. Such
	// a point is no minimum and no pass, and does not count in the test of Morse.
	oneSided bool
}

// Components is the number of order parameters that are not zero: 1 for a Mattis state, n for an n-mixture.
func (p CriticalPoint) Components() int {
	n := 0
	for _, m := range p.M {
		if math.Abs(m) > 1e-9 {
			n++
		}
	}
	return n
}

// residual is h − f(I(h)), zero at a critical point. It serves the units whose transfer function is continuous.
func (l *Landscape) residual(h []float64) []float64 {
	r := l.relaxField(h)
	for mu := range r {
		r[mu] = h[mu] - r[mu]
	}
	return r
}

// nearbyCritical is the field of the critical point next to the state m. A state given to a few digits is accepted, one
// that is no critical point is not.
func (l *Landscape) nearbyCritical(m []float64) ([]float64, error) {
	u, err := l.Field(m)
	if err != nil {
		return nil, err
	}
	h, ok := l.newtonCritical(append([]float64(nil), u...))
	if !ok || vec.Distance(h, u) > 1e-3*(1+vec.Norm(u)) {
		r := vec.MaxAbs(l.residual(u))
		return nil,
			fmt.Errorf("the state %v is not a critical point of the free energy: one step of relaxation moves its "+
				"hidden values by %.2g", m, r)
	}
	return h, nil
}

// newtonCritical solves U′(h) = I(h) by Newton's method, damped so that the residual h − f(I(h)) shrinks, and reports
// whether it got there. It changes h.
func (l *Landscape) newtonCritical(h []float64) ([]float64, bool) {
	m := l.units
	jac, input, old := make([]float64, m*m), make([]float64, m), make([]float64, m)
	r := l.residual(h)
	for range 100 {
		size := vec.Norm(r)
		if size < 1e-15 {
			break
		}
		l.tilt(h, input, jac)
		for mu, v := range l.hidden {
			gain := v.Gain(input[mu])
			for nu := range m {
				jac[mu*m+nu] *= -gain
			}
			jac[mu*m+mu]++
		}
		if !solveInPlace(jac, r, m, 1) {
			return h, false
		}
		copy(old, h)
		step, shrunk := append([]float64(nil), r...), false
		for scale := 1.0; scale > 1e-3; scale /= 2 {
			for mu := range h {
				h[mu] = old[mu] - scale*step[mu]
			}
			r = l.residual(h)
			if vec.Norm(r) < size {
				shrunk = true
				break
			}
		}
		if !shrunk {
			copy(h, old)
			r = l.residual(h)
			break
		}
	}
	return h, vec.MaxAbs(r) < 1e-11
}

// cleanOrder is Order without the rounding of overlaps that are zero.
func (l *Landscape) cleanOrder(h []float64) []float64 {
	m := l.Order(h)
	for mu, x := range m {
		if math.Abs(x) < 1e-15 {
			m[mu] = 0
		}
	}
	return m
}

// describeCritical makes a critical point of its hidden values.
func (l *Landscape) describeCritical(h []float64) CriticalPoint {
	index, _, _ := l.index(h)
	bothSides := descending(l.modes(h, lowGain))
	return CriticalPoint{M: l.cleanOrder(h), H: append([]float64(nil), h...), F: l.HiddenEnergy(h), Index: index,
		Copies: 1, oneSided: bothSides < index}
}

// descending counts the descending directions among modes.
func descending(multipliers []float64, _ [][]float64, jump []bool) (count int) {
	for _, x := range multipliers {
		if x > 1 {
			count++
		}
	}
	for _, jumps := range jump {
		if jumps {
			count++
		}
	}
	return count
}

// index counts the descending directions at a critical point, those that descend to one side only included. It also
// returns the largest multiplier of the relaxation map there, above 1 at a saddle and below 1 at a minimum, and its
// direction in hidden space.
func (l *Landscape) index(h []float64) (count int, multiplier float64, direction []float64) {
	values, directions, jump := l.modes(h, highGain)
	count = descending(values, directions, jump)
	if values == nil {
		return count, 0, nil
	}
	direction = directions[0]
	for mu, jumps := range jump {
		if jumps {
			direction[mu] = 1
		}
	}
	if n := vec.Norm(direction); n > 0 {
		for mu := range direction {
			direction[mu] /= n
		}
	}
	return count, values[0], direction
}

// unstable lists the descending directions at a critical point whose units have continuous transfer functions, steepest
// first, with the multipliers of the relaxation map along them.
func (l *Landscape) unstable(h []float64) (directions [][]float64, multipliers []float64) {
	values, all, _ := l.modes(h, highGain)
	for k, x := range values {
		if x > 1 {
			directions, multipliers = append(directions, all[k]), append(multipliers, x)
		}
	}
	return directions, multipliers
}

// modes are the multipliers of the relaxation map around a critical point, largest first, and their directions in
// hidden space. The Hessian of f in the class magnetizations and the matrix 1 − Γ″^½ Λ″ Γ″^½ on the M hidden units have
// the same number of negative eigenvalues (Haynsworth); Γ″ = 0 takes a pinned unit out. A unit at the jump of its
// transfer function (Γ″ = ∞) is taken out as well: it has a descending direction of its own. Where Γ″ differs on the
// two sides, the lower or the higher is taken.
func (l *Landscape) modes(h []float64, side gainSide) (multipliers []float64, directions [][]float64, jump []bool) {
	m := l.units
	input, hess := make([]float64, m), make([]float64, m*m)
	l.tilt(h, input, hess)
	root := make([]float64, m)
	jump = make([]bool, m)
	for mu, v := range l.hidden {
		gain := v.gains(h[mu], input[mu])[side]
		if jump[mu] = math.IsInf(gain, 1); jump[mu] {
			gain = 0
		}
		root[mu] = math.Sqrt(gain)
	}
	sym := mat.NewSymDense(m, nil)
	for mu := range m {
		for nu := mu; nu < m; nu++ {
			sym.SetSym(mu, nu, root[mu]*hess[mu*m+nu]*root[nu])
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(sym, true) {
		return nil, nil, jump
	}
	values := eigen.Values(nil)
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	for k := m - 1; k >= 0; k-- {
		direction := make([]float64, m)
		for mu := range direction {
			direction[mu] = vectors.At(mu, k) * root[mu]
		}
		multipliers, directions = append(multipliers, values[k]), append(directions, direction)
	}
	return multipliers, directions, jump
}
