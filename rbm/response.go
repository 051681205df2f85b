package rbm

import (
	"fmt"

	"instanton/unit"
)

// AddMeanResponse adds scale_i·∂⟨x_i|I_i⟩/∂params to g, a layer of the same shape that
// holds a gradient. Potentials are linear in their parameters, so the derivative is
// −Cov(x, ∂V/∂p) in the law of one unit. Potts units have q means each and are refused.
func AddMeanResponse(l, g Layer, I, scale []float64) error {
	switch l := l.(type) {
	case *Spin:
		to := g.(*Spin)
		variance := make([]float64, len(I))
		l.Variance(variance, I)
		for i, s := range scale {
			to.Fields[i] += s * variance[i]
		}
	case *Bernoulli:
		to := g.(*Bernoulli)
		variance := make([]float64, len(I))
		l.Variance(variance, I)
		for i, s := range scale {
			to.Fields[i] += s * variance[i]
		}
	case *Gaussian: // Cov(x, x²/2) = ⟨x⟩ Var x
		to := g.(*Gaussian)
		for i, s := range scale {
			mean, variance := (I[i]-l.Theta[i])/l.Gamma[i], 1/l.Gamma[i]
			to.Gamma[i] -= s * mean * variance
			to.Theta[i] -= s * variance
		}
	case *ReLU:
		to := g.(*ReLU)
		for i, s := range scale {
			h := l.unit(i, I[i])
			to.Gamma[i] -= s * (h.third() - h.mean()*h.second()) / 2
			to.Theta[i] -= s * h.variance()
		}
	case *DReLU:
		addSidesResponse(l, g.(*DReLU), I, scale)
	default:
		return fmt.Errorf("the response of the means of %s units: expected units with one mean each", unit.Potts)
	}
	return nil
}

// addSidesResponse covers two half-line laws: ⟨x ∂V/∂p⟩ comes from one side only, ⟨x⟩
// from both.
func addSidesResponse(l, to *DReLU, I, scale []float64) {
	for i, s := range scale {
		u := l.unit(i, I[i])
		right, left := u.right.mean(), u.left.mean()
		right2, left2 := u.right.second(), u.left.second()
		mean := u.pRight*right - u.pLeft*left
		to.GammaPlus[i] -= s * u.pRight * (u.right.third() - mean*right2) / 2
		to.ThetaPlus[i] -= s * u.pRight * (right2 - mean*right)
		to.GammaMinus[i] -= s * u.pLeft * (-u.left.third() - mean*left2) / 2
		to.ThetaMinus[i] -= s * u.pLeft * (left2 + mean*left)
	}
}

// third is ⟨x³⟩ = (2⟨x⟩ − b⟨x²⟩)/γ, from ∫(x² e^{−γx²/2−bx})' dx = 0.
func (h half) third() float64 { return (2*h.mean() - h.b*h.second()) / h.gamma }
