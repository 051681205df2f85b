package theory

import (
	"math"

	"instanton/internal/vec"
)

// action is the action of T steps of AGS between two fixed states as a function of the hidden values h¹ … h^T alone:
//
//	Φ(h) = min over m¹ … m^{T−1} of Σ_t δΦ(m^t → h^{t+1} → m^{t+1}).
//
// The minimum over the magnetizations is a concave problem of its own at every time (joint, in legendre.go), which
// leaves
//
//	∂Φ/∂h^t   = U′(h^t) + ∇Λ(h^t) − I^{t−1} − I^t,
//	∂²Φ/∂h^t² = U″(h^t) + Λ″(h^t) − Ψ″_{t−1} − Ψ″_t,    ∂²Φ/∂h^t∂h^{t+1} = −Ψ″_t,
//
// with Ψ″ = 0 at the two ends. The Hessian has as many negative eigenvalues as that of Φ(m, h), whose block on m is
// positive.
type action struct {
	l        *Landscape
	steps    int
	from, to []float64 // fields of the end states
	first    []float64 // I⁰
	last     []float64 // I^T

	h       []float64 // steps × units
	u       []float64 // fields of m¹ … m^{T−1}
	input   []float64 // I¹ … I^{T−1}
	psi     []float64 // Ψ″ at 1 … T−1
	delta   []float64
	smooth  []float64 // gradient without U′
	hess    *blockTridiagonal
	work    *jointWork
	sum     []float64
	scratch []float64
}

func newAction(l *Landscape, from, to []float64, steps int) *action {
	m := l.units
	a := &action{
		l: l, steps: steps, from: from, to: to,
		first: make([]float64, m), last: make([]float64, m),
		h: make([]float64, steps*m), u: make([]float64, (steps-1)*m),
		input: make([]float64, (steps-1)*m), psi: make([]float64, (steps-1)*m*m),
		delta: make([]float64, steps), smooth: make([]float64, steps*m),
		hess: newBlockTridiagonal(steps, m), work: newJointWork(m),
		sum: make([]float64, m), scratch: make([]float64, m*m),
	}
	l.tilt(from, a.first, nil)
	l.tilt(to, a.last, nil)
	return a
}

// set moves to hidden values h, starting the magnetizations anew from a guess.
func (a *action) set(h []float64) {
	copy(a.h, h)
	for i := range a.u {
		a.u[i] = (a.h[i] + a.h[i+a.l.units]) / 2
	}
}

// evaluate computes Φ and, for second = true, what gradient and Hessian need.
func (a *action) evaluate(second bool) float64 {
	a.settle(second)
	total := 0.0
	for t := range a.steps {
		a.delta[t] = a.stepCost(t)
		total += a.delta[t]
	}
	if second {
		a.differentiate()
	}
	return total
}

// settle minimises over the magnetizations.
func (a *action) settle(second bool) {
	m := a.l.units
	for t := range a.steps - 1 {
		for mu := range m {
			a.sum[mu] = a.h[t*m+mu] + a.h[(t+1)*m+mu]
		}
		var psi []float64
		if second {
			psi = a.psi[t*m*m : (t+1)*m*m]
		}
		a.l.joint(a.sum, a.u[t*m:(t+1)*m], a.input[t*m:(t+1)*m], psi, a.work)
	}
}

// stepCost is δΦ(t → t+1) as a sum of non-negative terms.
func (a *action) stepCost(t int) float64 {
	m := a.l.units
	h, next := a.h[t*m:(t+1)*m], a.field(t+1)
	d := 0.0
	for mu, v := range a.l.hidden {
		d += v.cost(h[mu], a.inputAt(t)[mu])
	}
	for c, p := range a.l.share {
		row := a.l.weight[c*m : (c+1)*m]
		d += p * divergence(a.l.bias[c]+vec.Dot(row, next), a.l.bias[c]+vec.Dot(row, h))
	}
	return d
}

// field is the field of m^t and inputAt its input, for t = 0 … T.
func (a *action) field(t int) []float64 {
	switch m := a.l.units; t {
	case 0:
		return a.from
	case a.steps:
		return a.to
	default:
		return a.u[(t-1)*m : t*m]
	}
}

func (a *action) inputAt(t int) []float64 {
	switch m := a.l.units; t {
	case 0:
		return a.first
	case a.steps:
		return a.last
	default:
		return a.input[(t-1)*m : t*m]
	}
}

// differentiate fills the smooth part of the gradient and the Hessian; U enters through pin (trustregion.go).
func (a *action) differentiate() {
	m := a.l.units
	for t := range a.steps {
		g, d := a.smooth[t*m:(t+1)*m], a.hess.diag[t*m*m:(t+1)*m*m]
		a.l.tilt(a.h[t*m:(t+1)*m], g, d)
		before, after := a.inputAt(t), a.inputAt(t+1)
		for mu := range g {
			g[mu] -= before[mu] + after[mu]
		}
		if t > 0 {
			for i, x := range a.psi[(t-1)*m*m : t*m*m] {
				d[i] -= x
			}
		}
		if t+1 < a.steps {
			for i, x := range a.psi[t*m*m : (t+1)*m*m] {
				d[i] -= x
				a.hess.off[t*m*m+i] = -x
			}
		}
	}
}

// pin adds U to the gradient and the Hessian. A hidden value that sits on a kink of its potential (or at an end of its
// domain) and whose two one-sided slopes of Φ both point back to it is pinned there: its row is taken out of the
// problem. It returns the gradient of the rest.
func (a *action) pin(gradient []float64) {
	m := a.l.units
	for i := range gradient {
		mu, t := i%m, i/m
		left, right := a.l.hidden[mu].slopes(a.h[i])
		left, right = left+a.smooth[i], right+a.smooth[i]
		curv := a.l.hidden[mu].curvature(a.h[i])
		switch {
		case left == right || right < 0:
			gradient[i] = right
		case left > 0:
			gradient[i] = left
			curv = a.l.hidden[mu].curvature(math.Nextafter(a.h[i], math.Inf(-1)))
		default:
			gradient[i] = 0
			a.remove(t, mu)
			continue
		}
		a.hess.diag[t*m*m+mu*m+mu] += curv
	}
}

// remove decouples coordinate (t, μ) from the Hessian.
func (a *action) remove(t, mu int) {
	m := a.l.units
	for nu := range m {
		a.hess.diag[t*m*m+mu*m+nu], a.hess.diag[t*m*m+nu*m+mu] = 0, 0
		if t > 0 {
			a.hess.off[(t-1)*m*m+mu*m+nu] = 0
		}
		if t+1 < a.steps {
			a.hess.off[t*m*m+nu*m+mu] = 0
		}
	}
	a.hess.diag[t*m*m+mu*m+mu] = 1
}

// clip keeps a move from h to next inside the piece of the potential where it began: it may reach a kink but not jump
// it.
func (a *action) clip(h, next []float64) {
	m := a.l.units
	for i := range next {
		for _, p := range a.l.hidden[i%m].pieces {
			for _, kink := range [2]float64{p.lo, p.hi} {
				if (h[i] < kink && next[i] > kink) || (h[i] > kink && next[i] < kink) {
					next[i] = kink
				}
			}
		}
		lo, hi := a.l.hidden[i%m].Domain()
		next[i] = math.Min(math.Max(next[i], lo), hi)
	}
}
