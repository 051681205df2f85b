package theory

import (
	"fmt"
	"math"

	"instanton/internal/vec"
)

// fieldOfInputs inverts I(u) = ∇Λ(u), the Legendre transform behind S^Hop: it minimises Λ(u) − u·I by Newton's method.
// The third derivative of log cosh is bounded by twice the second, so a step that changes no class field by more than 1
// always lowers the function, and steps longer than that are shortened instead of searched. It needs I inside the
// polytope that spin configurations can reach; towards its faces u grows like ½ log(1/distance).
func (l *Landscape) fieldOfInputs(input []float64) ([]float64, bool) {
	const farthest = 400 // class fields where tanh has been 1 for long
	m := l.units
	u, r := make([]float64, m), make([]float64, m)
	hess := make([]float64, m*m)
	x := make([]float64, len(l.share))
	best, bestNorm, stalled := make([]float64, m), math.Inf(1), 0
	for range 2000 {
		l.tilt(u, r, hess)
		for mu := range r {
			r[mu] = input[mu] - r[mu]
		}
		if n := vec.MaxAbs(r); n < bestNorm {
			bestNorm, stalled = n, 0
			copy(best, u)
		} else if stalled++; stalled > 3 && bestNorm < 1e-13 {
			break
		}
		if bestNorm == 0 {
			break
		}
		for mu := range m { // keeps the factorisation alive where a direction has saturated altogether
			hess[mu*m+mu] += 1e-300
		}
		if !solveInPlace(hess, r, m, 1) {
			break
		}
		reach := 0.0
		for c := range l.share {
			x[c] = vec.Dot(l.weight[c*m:(c+1)*m], r)
			reach = math.Max(reach, math.Abs(x[c]))
		}
		if math.IsNaN(reach) {
			break
		}
		scale := math.Min(1, 1/reach)
		for mu := range u {
			u[mu] += scale * r[mu]
		}
		l.fields(u, x)
		if vec.MaxAbs(x) > farthest {
			return nil, false
		}
	}
	return best, bestNorm < 1e-11
}

// joint solves u + f(I(u)) = s, the stationarity of
//
//	Ψ(s) = max_m [ s·I(m) − Σ_μ Γ̂_μ(I_μ(m)) + Σ_c p_c S(m_c) ],
//
// which eliminates the magnetizations of one time from the action (eqmotion2 with s = h^t + h^{t+1}). It starts from
// the u given, leaves the answer there, the input in input, and Ψ″ in curvature if that is not nil. The function is
// concave in m, so the damped Newton iteration cannot fail; false means that rounding stopped it early.
func (l *Landscape) joint(s, u, input, curvature []float64, w *jointWork) bool {
	m := l.units
	l.jointResidual(s, u, input, w)
	for range 100 {
		size := vec.MaxAbs(w.residual)
		for mu, v := range l.hidden {
			gain := v.Gain(input[mu])
			for nu := range m {
				w.jac[mu*m+nu] = gain * w.hess[mu*m+nu]
			}
			w.jac[mu*m+mu]++
		}
		if size < 1e-15 {
			break
		}
		copy(w.step, w.residual)
		copy(w.lu, w.jac)
		if !solveInPlace(w.lu, w.step, m, 1) {
			return false
		}
		copy(w.old, u)
		accepted, value := false, math.NaN()
		for scale := 1.0; scale > 1e-10 && !accepted; scale /= 2 {
			for mu := range u {
				u[mu] = w.old[mu] - scale*w.step[mu]
			}
			l.jointResidual(s, u, input, w)
			accepted = vec.MaxAbs(w.residual) < size
			if !accepted && size > 1e-10 { // the residual may grow on the way, the function may not
				if math.IsNaN(value) {
					value = l.jointValue(s, w.old)
				}
				accepted = l.jointValue(s, u) < value
			}
		}
		if !accepted {
			copy(u, w.old)
			l.jointResidual(s, u, input, w)
			break
		}
	}
	if curvature != nil { // Ψ″ = Λ″ (1 + Γ″Λ″)⁻¹, so (1 + Γ″Λ″)ᵀ Ψ″ = Λ″
		for mu := range m {
			for nu := range m {
				w.lu[mu*m+nu] = w.jac[nu*m+mu]
			}
		}
		copy(curvature, w.hess)
		if !solveInPlace(w.lu, curvature, m, m) {
			return false
		}
		for mu := range m {
			for nu := range mu {
				mean := (curvature[mu*m+nu] + curvature[nu*m+mu]) / 2
				curvature[mu*m+nu], curvature[nu*m+mu] = mean, mean
			}
		}
	}
	return vec.MaxAbs(w.residual) < 1e-12
}

// jointResidual leaves u + f(I) − s in the residual, and I and Λ″ at u.
func (l *Landscape) jointResidual(s, u, input []float64, w *jointWork) {
	l.tilt(u, input, w.hess)
	for mu, v := range l.hidden {
		w.residual[mu] = u[mu] + v.Transfer(input[mu]) - s[mu]
	}
}

// jointValue is −Ψ's argument at the magnetizations of u.
func (l *Landscape) jointValue(s, u []float64) float64 {
	input := make([]float64, l.units)
	l.tilt(u, input, nil)
	value := -l.cumulant(u)
	for mu, v := range l.hidden {
		value += v.Gamma(input[mu]) + (u[mu]-s[mu])*input[mu]
	}
	return value
}

type jointWork struct{ residual, step, old, hess, jac, lu []float64 }

func newJointWork(m int) *jointWork {
	v := func() []float64 { return make([]float64, m) }
	q := func() []float64 { return make([]float64, m*m) }
	return &jointWork{residual: v(), step: v(), old: v(), hess: q(), jac: q(), lu: q()}
}

// unitOrder is the order parameter m_μ = tanh(w u_μ): the magnetization of the spins that see hidden unit μ alone.
type unitOrder struct{ w float64 }

func (o unitOrder) field(_ *Landscape, m []float64) ([]float64, error) {
	u := make([]float64, len(m))
	for mu, x := range m {
		if math.Abs(x) == 1 {
			return nil, errSaturated(fmt.Sprintf("the magnetization of unit %d", mu+1), o.w)
		}
		if !(math.Abs(x) < 1) {
			return nil, fmt.Errorf("magnetization %g of unit %d is not between −1 and 1", x, mu+1)
		}
		u[mu] = math.Atanh(x) / o.w
	}
	return u, nil
}

func (o unitOrder) magnetization(_ *Landscape, u []float64) []float64 {
	m := make([]float64, len(u))
	for mu, x := range u {
		m[mu] = math.Tanh(o.w * x)
	}
	return m
}
