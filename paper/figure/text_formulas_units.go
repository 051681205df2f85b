package figure

import (
	"fmt"
	"math"

	"instanton/paper/verdict"
)

// hiddenUnitClaims judge appendix A by sums and quadratures at large N.
func hiddenUnitClaims(r *verdict.Result) {
	reluClaims(r)
	twoValuedClaim(r, "spin", "Γ̂(I) = |I + c|, f(I) = sign(I + c) and P(h|m) = ½(1 + h tanh(N(I + c))) for h = ±1.",
		[2]float64{-1, 1}, math.Abs,
		func(h, x float64) float64 { return (1 + h*math.Tanh(x)) / 2 })
	twoValuedClaim(r, "bernoulli",
		"Γ̂(I) = max(0, I + c), f(I) = H(I + c) and P(h|m) = exp(N h (I + c))/(1 + exp(N(I + c))) for h = 0 or 1.",
		[2]float64{0, 1}, func(x float64) float64 { return math.Max(0, x) },
		func(h, x float64) float64 { return math.Exp(h*x) / (1 + math.Exp(x)) })
}

// reluMoments are (1/N) log ∫ dh e^{N(Ih − U)} over h > 0 and mean and variance of that law, by Simpson's rule.
func reluMoments(n, input, gamma, theta float64) (cumulant, mean, variance float64) {
	exponent := func(h float64) float64 { return n * ((input-theta)*h - gamma*h*h/2) }
	top := math.Max(0, (input-theta)/gamma)
	width := 1 / math.Sqrt(n*gamma)
	if fall := theta - input; fall > 0 { // below the threshold the law falls exponentially
		width = math.Min(width, 1/(n*fall))
	}
	lo, hi := math.Max(0, top-40*width), top+40*width
	const cells = 20_000
	var z, one, two float64
	for k := range cells + 1 {
		weight := float64(2 + 2*(k%2))
		if k == 0 || k == cells {
			weight = 1
		}
		h := lo + (hi-lo)*float64(k)/cells
		p := weight * math.Exp(exponent(h)-exponent(top))
		z, one, two = z+p, one+p*h, two+p*h*h
	}
	mean = one / z
	return (math.Log(z*(hi-lo)/cells/3) + exponent(top)) / n, mean, two/z - mean*mean
}

// reluClaims judge the ReLU potential: Γ̂, the transfer function and the law of h.
func reluClaims(r *verdict.Result) {
	const n, gamma, theta = 1e6, 2, 0.5
	printed := func(x float64) float64 { return math.Max(0, (x-theta)*(x-theta)/(gamma*gamma)/2) }
	right := func(x float64) float64 { return math.Pow(math.Max(0, x-theta), 2) / (2 * gamma) }
	transfer := func(x float64) float64 { return math.Max(0, (x-theta)/gamma) }
	var wrong, close, f, spread, printedMode, printedWidth float64
	for _, input := range []float64{-1, 0.2, 0.8, 1.3} {
		cumulant, mean, variance := reluMoments(n, input, gamma, theta)
		wrong = math.Max(wrong, math.Abs(printed(input)-cumulant))
		close = math.Max(close, math.Abs(right(input)-cumulant))
		f = math.Max(f, math.Abs(transfer(input)-mean))
		if input > theta {
			spread = math.Max(spread, math.Abs(n*gamma*variance-1))
			printedMode = math.Max(printedMode, math.Abs(mean/(n*transfer(input))-1))
			printedWidth = math.Max(printedWidth, math.Abs(gamma*variance-1))
		}
	}
	r.Claim(verdict.Claim{
		Name: "relu-cumulant", Where: "appendix A, ReLU potential",
		Statement: "Γ̂(I) = max(0, ½((I − θ)/γ)²).",
		Criterion: "(1/N) log ∫ dh e^{N(Ih − U(h))} by quadrature agrees to 1e-4 at N = 10⁶, γ = 2, θ = 0.5 and " +
			"four inputs from −1 to 1.3; corrected: with ½ max(0, I − θ)²/γ",
		Measured: []verdict.Measured{{Name: "largest difference, printed", Value: wrong},
			{Name: "corrected", Value: close}},
		Verdict:    verdict.JudgeOr(wrong < 1e-4, close < 1e-4),
		Correction: "Γ̂(I) = ½ max(0, I − θ)²/γ: another power of γ, and rectified before it is squared.",
	})
	r.Claim(verdict.Claim{
		Name: "relu-transfer", Where: "appendix A, ReLU potential",
		Statement: "f(I) = max(0, (I − θ)/γ): the transfer function is a ReLU function.",
		Criterion: "the mean of h by quadrature agrees to 1e-3 at N = 10⁶",
		Measured:  []verdict.Measured{{Name: "largest difference", Value: f}},
		Verdict:   verdict.Judge(f < 1e-3),
	})
	r.Claim(verdict.Claim{
		Name: "relu-law", Where: "appendix A, ReLU potential",
		Statement: "P(h|m) is a normal law of mode N(I − θ)/γ and variance 1/γ, cut at 0.",
		Criterion: "of the rescaled h, above the threshold, the mean is N(I − θ)/γ and the variance 1/γ, to 1e-3; " +
			"corrected: (I − θ)/γ and 1/(Nγ)",
		Measured: []verdict.Measured{{Name: "largest |mean·γ/(N(I − θ)) − 1|", Value: printedMode},
			{Name: "largest |γ·variance − 1|", Value: printedWidth}, {Name: "largest |mean − (I − θ)/γ|", Value: f},
			{Name: "largest |Nγ·variance − 1|", Value: spread}},
		Verdict:    verdict.JudgeOr(printedMode < 1e-3 && printedWidth < 1e-3, f < 1e-3 && spread < 1e-3),
		Correction: "mode (I − θ)/γ and variance 1/(Nγ) for the rescaled h; and U must be infinite below 0.",
	})
}

// twoValuedClaim judges a unit of two values by the sum over both.
func twoValuedClaim(r *verdict.Result, name, statement string, values [2]float64, cumulant func(x float64) float64,
	law func(h, x float64) float64) {
	const n, c = 1e4, 0.1
	var apart, p, f float64
	for _, input := range []float64{-0.8, -0.2, 0.05, 0.6} {
		x := input + c
		top := n * math.Max(values[0]*x, values[1]*x)
		a, b := math.Exp(n*values[0]*x-top), math.Exp(n*values[1]*x-top)
		apart = math.Max(apart, math.Abs((top+math.Log(a+b))/n-cumulant(x)))
		slope := (cumulant(x+1e-6) - cumulant(x-1e-6)) / 2e-6
		f = math.Max(f, math.Abs((a*values[0]+b*values[1])/(a+b)-slope))
		const few = 10.0 // the law at a number of spins where it is not 0 or 1
		for _, h := range values {
			z := math.Exp(few*values[0]*x) + math.Exp(few*values[1]*x)
			p = math.Max(p, math.Abs(math.Exp(few*h*x)/z-law(h, few*x)))
		}
	}
	r.Claim(verdict.Claim{
		Name: name, Where: "appendix A, binary hidden units",
		Statement: fmt.Sprintf("Hidden units of two values have %s", statement),
		Criterion: "(1/N) log Σ_h e^{N(I + c)h} at N = 10⁴ agrees to 1e-4 and its mean with f to 1e-6, at four " +
			"inputs, c = 0.1; the law agrees to 1e-14 at N = 10",
		Measured: []verdict.Measured{{Name: "largest difference of Γ̂", Value: apart}, {Name: "of f", Value: f},
			{Name: "of P(h|m)", Value: p}},
		Verdict: verdict.Judge(apart < 1e-4 && f < 1e-6 && p < 1e-14),
	})
}
