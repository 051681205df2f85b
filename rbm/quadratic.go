package rbm

import "math"

// Quadratic is a layer of real units: Gaussian, ReLU, DReLU.
type Quadratic interface {
	Layer
	// Parabolas is the potential of unit i.
	Parabolas(i int) Parabolas
}

// Parabolas is the potential of a real unit: γx²/2 + θx, with a γ and a θ of its own on each side of zero.
type Parabolas struct {
	Gamma, Theta [2]float64 // on the right of zero, on the left of zero
	HalfLine     bool       // the potential is infinite on the left; γ and θ repeat those of the right
}

// At is the potential at x.
func (p *Parabolas) At(x float64) float64 {
	if x >= 0 {
		return (p.Gamma[0]*x/2 + p.Theta[0]) * x
	}
	if p.HalfLine {
		return math.Inf(1)
	}
	return (p.Gamma[1]*x/2 + p.Theta[1]) * x
}
