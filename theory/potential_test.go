package theory

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Γ̂ is the Legendre transform of U, f its derivative, Γ̂″ the derivative of f.
func TestPotentialLegendre(t *testing.T) {
	potentials := []string{"quadratic", "relu:2,0.5", "relu", "drelu:1,0.5,0.2,-0.3", "drelu:1,0.5,-0.2,0.3",
		"spin:0.1", "bernoulli:-0.2"}
	for _, name := range potentials {
		u := must[Potential](t)(ParsePotential(name))
		lo, hi := u.Domain()
		lo, hi = math.Max(lo, -8), math.Min(hi, 8)
		for input := -2.04; input < 2; input += 0.11 {
			best := math.Inf(-1)
			for i := range 4001 {
				h := lo + (hi-lo)*float64(i)/4000
				best = math.Max(best, h*input-u.Value(h))
			}
			// the grid misses the maximum by at most curvature·spacing²/8
			near(t, name+" Γ̂", u.Gamma(input), best, 2*(hi-lo)*(hi-lo)/4000/4000)
			const d = 1e-6
			near(t, name+" f", u.Transfer(input), (u.Gamma(input+d)-u.Gamma(input-d))/(2*d), 1e-8)
			near(t, name+" Γ̂″", u.Gain(input), (u.Transfer(input+d)-u.Transfer(input-d))/(2*d), 1e-8)
		}
		if again := must[Potential](t)(ParsePotential(u.String())); again.String() != u.String() {
			t.Errorf("%s reads back as %s", u, again)
		}
	}
}

func TestPotentialCostIsNotNegative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := drawPotential(t)
		input, h := rapid.Float64Range(-3, 3).Draw(t, "I"), rapid.Float64Range(0, 3).Draw(t, "h")
		direct := u.Value(h) + u.Gamma(input) - h*input
		if c := u.cost(h, input); c < 0 || math.Abs(c-direct) > 1e-13 {
			t.Fatalf("cost %g, directly %g", c, direct)
		}
	})
}

func TestPotentialSaysWhatIsWrong(t *testing.T) {
	for text, phrase := range map[string]string{
		"gelu":          "not known",
		"relu:1":        "takes 2",
		"relu:x,0":      "not a number",
		"relu:-1,0":     "must be positive",
		"relu:1,NaN":    "must be finite",
		"drelu:1,0,0,0": "must be positive",
		"spin:Inf":      "must be finite",
		"bernoulli:NaN": "must be finite",
	} {
		_, err := ParsePotential(text)
		wantSentence(t, err, phrase)
	}
}

// Items 7 to 9 of the errata. At finite N the cumulant generating function of a ReLU unit is
// log[√(π/2γ) erfcx((θ−I)/√(2γ))], the integral over h ≥ 0, and over N it tends to ½ max(0, I−θ)²/γ.
func TestErratumReLU(t *testing.T) {
	const gamma, theta = 2.0, 0.5
	u := must[Potential](t)(ReLU(gamma, theta))
	for _, c := range []struct{ input, want, printed float64 }{{1.3, 0.16, 0.08}, {-1, 0, 0.28125}} {
		printed := math.Max(0, math.Pow((c.input-theta)/gamma, 2)/2)
		t.Logf("γ = 2, θ = 0.5, I = %g: Γ̂ = %g, as printed %g", c.input, u.Gamma(c.input), printed)
		near(t, "Γ̂", u.Gamma(c.input), c.want, 1e-15)
		near(t, "printed Γ̂", printed, c.printed, 1e-15)
	}
	if !math.IsInf(u.Value(-0.1), 1) {
		t.Error("U is finite below 0")
	}
	// the finite-N cumulant, by quadrature and in closed form
	for _, input := range []float64{-1, 0.4, 1.3} {
		const step = 1e-4
		sum := 0.5
		for h := step; h < 20; h += step {
			sum += math.Exp(input*h - gamma*h*h/2 - theta*h)
		}
		x := (theta - input) / math.Sqrt(2*gamma)
		closed := math.Log(math.Sqrt(math.Pi/(2*gamma)) * math.Exp(x*x) * math.Erfc(x))
		near(t, "finite-N Γ", math.Log(sum*step), closed, 1e-7)
	}
	// the rescaled law at N: exp(−N(U(h) − hI)) on h ≥ 0 has mode (I−θ)/γ and variance 1/(Nγ) while the truncation is
	// far
	const n, input = 4000.0, 1.3
	var z, mean, square float64
	for h := 0.0; h < 2; h += 1e-5 {
		p := math.Exp(-n * u.cost(h, input))
		z, mean, square = z+p, mean+p*h, square+p*h*h
	}
	mean /= z
	near(t, "mode of P(h|m)", mean, (input-theta)/gamma, 1e-6)
	near(t, "variance of P(h|m)", square/z-mean*mean, 1/(n*gamma), 1e-8)
}
