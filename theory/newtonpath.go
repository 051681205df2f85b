package theory

import (
	"fmt"
	"math"

	"instanton/internal/vec"
)

// polish ends with a few undamped Newton steps and keeps the point of smallest gradient. Along the nearly flat
// directions of a long path they first overshoot and then land on the optimum, which the damped steps only creep up to.
func (s *solver) polish() {
	a := s.a
	copy(s.start, a.h)
	copy(s.fields, a.u)
	value := a.evaluate(true)
	a.pin(s.gradient)
	best, home := vec.MaxAbs(s.gradient), append([]float64(nil), a.h...)
	for range 7 {
		if best < 1e-15 || !s.solveIndefinite() || vec.Norm(s.step) > 3 {
			break
		}
		for i, p := range s.step {
			s.work[i] = a.h[i]
			a.h[i] += p
		}
		a.clip(s.work, a.h)
		next := a.evaluate(true)
		a.pin(s.gradient)
		if size := vec.MaxAbs(s.gradient); size < best && math.Abs(next-value) < 1e-8 {
			best = size
			copy(s.start, a.h)
			copy(s.fields, a.u)
		}
		if math.IsNaN(next) || vec.Distance(home, a.h) > 5 {
			break
		}
	}
	copy(a.h, s.start)
	copy(a.u, s.fields)
	a.evaluate(true)
	a.pin(s.gradient)
}

// newtonStep moves by the undamped Newton step, shortened until the gradient shrinks.
func (s *solver) newtonStep(size float64) error {
	a := s.a
	if !s.solveIndefinite() {
		return fmt.Errorf("the path did not converge: the Hessian of the action is singular where its gradient is %.2g",
			size)
	}
	for scale := 1.0; scale > 1e-6; scale /= 2 {
		for i, p := range s.step {
			a.h[i] = s.start[i] + scale*p
		}
		a.clip(s.start, a.h)
		a.evaluate(true)
		a.pin(s.work)
		if vec.MaxAbs(s.work) < size || size < s.tolerance {
			copy(s.gradient, s.work)
			return nil
		}
	}
	return fmt.Errorf("the path did not converge: Newton's method stalls where the gradient of the action is %.2g",
		size)
}

// solveIndefinite solves H p = −g by block elimination, without asking H to be positive.
func (s *solver) solveIndefinite() bool {
	h, m := s.a.hess, s.a.l.units
	n := h.n
	diag := append([]float64(nil), h.diag...)
	ratio := make([]float64, len(h.off)) // D_t⁻¹ E_tᵀ
	lu := make([]float64, m*m)
	for i, g := range s.gradient {
		s.step[i] = -g
	}
	for t := range n {
		d := diag[t*m*m : (t+1)*m*m]
		if t+1 < n {
			r := ratio[t*m*m : (t+1)*m*m]
			off := h.off[t*m*m : (t+1)*m*m]
			for i := range m {
				for j := range m {
					r[i*m+j] = off[j*m+i]
				}
			}
			copy(lu, d)
			if !solveInPlace(lu, r, m, m) {
				return false
			}
			copy(lu, d)
			y := s.step[t*m : (t+1)*m]
			if !solveInPlace(lu, y, m, 1) {
				return false
			}
			for i := range m {
				for j := range m {
					s.step[(t+1)*m+i] -= off[i*m+j] * y[j]
					for k := range m {
						diag[(t+1)*m*m+i*m+j] -= off[i*m+k] * r[k*m+j]
					}
				}
			}
			continue
		}
		copy(lu, d)
		if !solveInPlace(lu, s.step[t*m:(t+1)*m], m, 1) {
			return false
		}
	}
	for t := n - 2; t >= 0; t-- {
		for i := range m {
			s.step[t*m+i] -= vec.Dot(ratio[t*m*m+i*m:t*m*m+(i+1)*m], s.step[(t+1)*m:(t+2)*m])
		}
	}
	return true
}

// leaveSaddle reports whether the Hessian has a clearly negative eigenvalue, and if so moves along its eigenvector.
func (s *solver) leaveSaddle() bool {
	lowest := s.a.hess.lowestEigenvalue()
	if lowest > -1e-9 {
		return false
	}
	// inverse iteration from a fixed irregular vector
	for i := range s.step {
		s.step[i] = math.Sin(float64(3*i + 1))
	}
	if !s.factor.factor(s.a.hess, -lowest*(1+1e-6)) {
		return false
	}
	for range 30 {
		s.factor.forward(s.step)
		s.factor.backward(s.step)
		length := vec.Norm(s.step)
		for i := range s.step {
			s.step[i] /= length
		}
	}
	copy(s.start, s.a.h)
	for i, p := range s.step {
		s.a.h[i] += 0.1 * p
	}
	s.a.clip(s.start, s.a.h)
	return true
}
