package kernel

// Coefficients of the half-line law from minimax fits.
var (
	// millsRatio(z) = t·Σ c_k t^k with t = 1/(z+3.5).
	millsPoly = [9]float32{
		0.9999998211860657, 3.5000195503234863, 11.252700805664062, 32.112152099609375, 87.7444076538086,
		24.852540969848633, 1137.788330078125, -4798.83154296875, 4817.08837890625,
	}
	// Q⁻¹(p)/(1−2p) as a function of w = −log2(4p(1−p)): in w−4 where w < 8,
	quantilePoly = [9]float32{
		2.2179200649261475, 0.23928293585777283, -0.0034697321243584156, -0.0004809460951946676, 6.810962804593146e-05,
		-2.0643024072342087e-06, -4.1960063867918507e-07, 3.838414386336808e-08, 8.907495296917034e-10,
	}
	// and in √w−4.5 beyond.
	quantileTail = [9]float32{
		5.068497657775879, 1.1876119375228882, 0.0020410106517374516, -0.0010647018207237124, 0.00034101674100384116,
		-0.00013759391731582582, 0.00010118437057826668, -5.008013249607757e-05, 9.211147698806599e-06,
	}
)

const (
	ln2       = 0.6931471805599453
	halfLog2E = 0.7213475204444817 // log2(e)/2: 2^(−halfLog2E·z²) = e^(−z²/2)
	rootHalf  = 0.3989422804014327 // 1/√(2π)
	rootTwoPi = 2.5066282746310002
	farSide   = 3 // where the two methods for a quantile meet
)

// millsRatio is ∫₀^∞ exp(−y²/2 − zy) dy for z ≥ 0.
func millsRatio(z float32) float32 {
	t := 1 / (z + 3.5)
	return float32(t * polynomial9(t, &millsPoly))
}

// logMills is log2 of ∫₀^∞ exp(−y²/2 − ay) dy for any a.
func logMills(a float32) float32 {
	z := max(a, -a)
	m := millsRatio(z)
	if a >= 0 {
		return log2(m)
	}
	c := float32(float32(z*z) * halfLog2E)
	return c + log2(rootTwoPi-float32(m*exp2Down(-c)))
}

// halfQuantile is the y > 0 that a variable with density ∝ exp(−y²/2 − ay) on the half-line exceeds with probability
// u: Q(a+y) = u·Q(a), where Q is the upper tail of the normal distribution.
func halfQuantile(a float32, word uint32) float32 {
	z := max(a, -a)
	m := millsRatio(z)
	u, rest := uniform(word), uniform(^word)
	if a >= farSide {
		return quantileFar(a, m, u)
	}
	return quantileNear(a, z, m, u, rest)
}

// quantileNear inverts Q. Both p = uQ(a) and 1−p = (1−u) + u(1−Q(a)) are sums of positive terms, so neither tail loses
// digits.
func quantileNear(a, z, m, u, rest float32) float32 {
	tail := float32(float32(exp2Down(-float32(float32(z*z)*halfLog2E))*rootHalf) * m) // Q(|a|)
	upper, lower := tail, 1-tail
	if !(a >= 0) {
		upper, lower = lower, upper
	}
	p := float32(u * upper)
	q := rest + float32(u*lower)
	w := -log2(float32(float32(p*q) * 4))
	var r float32
	if w < 8 {
		r = polynomial9(w-4, &quantilePoly)
	} else {
		r = polynomial9(sqrt(w)-4.5, &quantileTail)
	}
	return max(float32((q-p)*r)-a, 0)
}

// quantileFar works with v = y²/2 + ay, which is close to −log u: with x² = a²+2v and M the Mills ratio, F(v) = v +
// log(M(a)/M(x)) + log u vanishes. With F′ = 1/xM and F″/2F′ = (1 − xM − M/x)/2xM, one step of Halley's method
// suffices; it starts from the slope at v = 0, which bounds v from below.
func quantileFar(a, m, u float32) float32 {
	a = min(a, 1e9)
	t := float32(log2(u) * -ln2)
	a2 := float32(a * a)
	least := float32(t * float32(m*a))
	x2 := a2 + (least + least)
	x := sqrt(x2)
	mx := millsRatio(x)
	xm := float32(x * mx)
	f := (least - float32(log2(mx/m)*ln2)) - t
	step := float32(f * xm)
	bend := ((1 - xm) - xm/x2) / (xm + xm)
	v := least - step/(1-float32(step*bend))
	v = min(max(v, least), t)
	return (v + v) / (a + sqrt(a2+(v+v)))
}
