package train

import (
	"math"

	"instanton/internal/kernel"
)

// Optimizer turns gradients into steps of ascent:
//
//	sgd:     u ← ρu + g,                               step η u
//	rmsprop: s ← β₂s + (1−β₂)g²,                       step η g/(ε + √ŝ)
//	adam:    u ← β₁u + (1−β₁)g,  s as for rmsprop,     step η û/(ε + √ŝ)
//
// where û and ŝ are corrected for their start at zero. RMSprop is what the paper's code
// calls ADAM.
type Optimizer struct {
	Name     string  `toml:"name" json:"name"`
	Rate     float64 `toml:"rate" json:"rate"`         // η
	Momentum float64 `toml:"momentum" json:"momentum"` // ρ, of sgd
	Beta1    float64 `toml:"beta1" json:"beta1"`       // of adam
	Beta2    float64 `toml:"beta2" json:"beta2"`       // of rmsprop and adam
	Epsilon  float64 `toml:"epsilon" json:"epsilon"`   // of rmsprop and adam
}

// ascent is an optimiser with its memory of past gradients, for all parameters in a row.
type ascent struct {
	Optimizer
	u, s []float64 // nil where the optimiser has no use for them

	rate           float64 // of the present update
	correctU       float64 // 1/(1−β₁^t)
	correctS, clip float64
}

func newAscent(o Optimizer, clip float64, params int) *ascent {
	a := &ascent{Optimizer: o, clip: clip}
	if o.Name != "rmsprop" {
		a.u = make([]float64, params)
	}
	if o.Name != "sgd" {
		a.s = make([]float64, params)
	}
	return a
}

// begin prepares update number t, from 1 on.
func (a *ascent) begin(t int, factor float64) {
	a.rate = a.Rate * factor
	a.correctU = 1 / (1 - math.Pow(a.Beta1, float64(t)))
	a.correctS = 1 / (1 - math.Pow(a.Beta2, float64(t)))
}

// steps replaces the gradient g of the parameters from number at on by the steps.
func (a *ascent) steps(g []float64, at int) {
	if a.clip > 0 {
		for i, x := range g {
			g[i] = min(max(x, -a.clip), a.clip)
		}
	}
	switch a.Name {
	case "sgd":
		u := a.u[at:][:len(g)]
		for i, x := range g {
			u[i] = a.Momentum*u[i] + x
			g[i] = a.rate * u[i]
		}
	case "adam":
		u, s := a.u[at:][:len(g)], a.s[at:][:len(g)]
		for i, x := range g {
			u[i] = a.Beta1*u[i] + (1-a.Beta1)*x
			s[i] = a.Beta2*s[i] + (1-a.Beta2)*x*x
			g[i] = a.rate * u[i] * a.correctU / (a.Epsilon + math.Sqrt(s[i]*a.correctS))
		}
	default:
		kernel.RMSprop(g, a.s[at:][:len(g)], a.Beta2, a.rate, a.correctS, a.Epsilon)
	}
}
