package theory

import (
	"math"

	"instanton/internal/special"
	"instanton/internal/vec"

	"gonum.org/v1/gonum/mat"
)

// Delta is the action of one step of AGS from class magnetizations m through hidden values h to class magnetizations
// next,
//
//	δΦ = Σ_μ [U_μ(h_μ) + Γ̂_μ(I_μ(m)) − h_μ I_μ(m)] + Σ_c p_c [log 2cosh x_c(h) − next_c x_c(h) − S(next_c)],
//
// eqdeltaphi_M of the paper with its sum over pairs corrected to μ < ν. Both brackets are non-negative.
func (l *Landscape) Delta(m, h, next []float64) float64 {
	d := 0.0
	for mu, input := range l.Inputs(m) {
		d += l.hidden[mu].cost(h[mu], input)
	}
	for c, p := range l.share {
		x := l.bias[c] + vec.Dot(l.weight[c*l.units:(c+1)*l.units], h)
		d += p * (special.Log2Cosh(x) - next[c]*x - Entropy(next[c]))
	}
	return d
}

// DeltaGradient is the gradient of Delta with respect to (m, h, next) laid end to end. It needs h off the kinks of the
// potentials.
func (l *Landscape) DeltaGradient(m, h, next []float64) []float64 {
	classes, units := len(l.share), l.units
	g := make([]float64, 2*classes+units)
	inputs, x := l.Inputs(m), make([]float64, classes)
	l.fields(h, x)
	for c, p := range l.share {
		for mu, w := range l.weight[c*units : (c+1)*units] {
			g[c] += p * w * (l.hidden[mu].Transfer(inputs[mu]) - h[mu])
			g[classes+mu] += p * w * (math.Tanh(x[c]) - next[c])
		}
		g[classes+units+c] = p * (math.Atanh(next[c]) - x[c])
	}
	for mu, v := range l.hidden {
		_, slope := v.slopes(h[mu])
		g[classes+mu] += slope - inputs[mu]
	}
	return g
}

// DeltaHessian is the matrix of second derivatives of Delta with respect to (m, h, next) laid end to end.
func (l *Landscape) DeltaHessian(m, h, next []float64) *mat.SymDense {
	classes, units := len(l.share), l.units
	hess := mat.NewSymDense(2*classes+units, nil)
	inputs := l.Inputs(m)
	curvature := make([]float64, units*units)
	l.tilt(h, nil, curvature)
	for mu, v := range l.hidden {
		for nu := mu; nu < units; nu++ {
			hess.SetSym(classes+mu, classes+nu, curvature[mu*units+nu])
		}
		hess.SetSym(classes+mu, classes+mu, curvature[mu*units+mu]+v.curvature(h[mu]))
	}
	for c, p := range l.share {
		row := l.weight[c*units : (c+1)*units]
		for d := c; d < classes; d++ {
			s := 0.0
			for mu, v := range l.hidden {
				s += v.Gain(inputs[mu]) * row[mu] * l.weight[d*units+mu]
			}
			hess.SetSym(c, d, p*l.share[d]*s)
		}
		for mu, w := range row {
			hess.SetSym(c, classes+mu, -p*w)
			hess.SetSym(classes+mu, classes+units+c, -p*w)
		}
		hess.SetSym(classes+units+c, classes+units+c, p/(1-next[c]*next[c]))
	}
	return hess
}

// curvature is U″(h), taken from the right at a kink.
func (u Potential) curvature(h float64) float64 {
	for _, p := range u.pieces {
		if h >= p.lo && h < p.hi {
			return p.curv
		}
	}
	return u.pieces[len(u.pieces)-1].curv
}
