package kernel

import "math"

// RMSprop turns gradients into steps of ascent, given the running mean s of their
// squares:
//
//	for i := range g {
//		s[i] = keep*s[i] + (1-keep)*g[i]*g[i]
//		g[i] = rate * g[i] / (epsilon + sqrt(s[i]*correct))
//	}
func RMSprop(g, s []float64, keep, rate, correct, epsilon float64) {
	n := 0
	if vector {
		if n = len(g) &^ 7; n > 0 {
			_ = s[n-1]
			rmspropAVX2(&g[0], &s[0], n/8, keep, 1-keep, rate, correct, epsilon)
		}
	}
	rmspropGo(g[n:], s[n:], keep, 1-keep, rate, correct, epsilon)
}

func rmspropGo(g, s []float64, keep, take, rate, correct, epsilon float64) {
	for i, x := range g {
		s[i] = float64(keep*s[i]) + float64(float64(take*x)*x)
		g[i] = float64(rate*x) / (epsilon + math.Sqrt(s[i]*correct))
	}
}
