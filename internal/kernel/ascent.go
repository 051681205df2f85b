package kernel

import "math"

// The loops of a training step work on one row of weights at a time, which stays in the first-level cache from its
// gradient to its new value. They round after every product and every sum. Sums over a row are kept in four lanes:
// element i belongs to lane i%4, and the elements beyond the last multiple of four to the first lane.

// fours is the number of vectors of four, out of n numbers, that the assembly handles.
func fours(n int) int {
	if !vector {
		return 0
	}
	return n / 4
}

// RMSprop turns gradients into steps of ascent, given the running mean s of their squares:
//
//	for i := range g {
//		s[i] = keep*s[i] + (1-keep)*g[i]*g[i]
//		g[i] = rate * g[i] / (epsilon + sqrt(s[i]*correct))
//	}
func RMSprop(g, s []float64, keep, rate, correct, epsilon float64) {
	n := fours(len(g))
	if n > 0 {
		_ = s[4*n-1]
		rmspropAVX2(&g[0], &s[0], n, keep, 1-keep, rate, correct, epsilon)
	}
	rmspropGo(g[4*n:], s[4*n:], keep, 1-keep, rate, correct, epsilon)
}

func rmspropGo(g, s []float64, keep, take, rate, correct, epsilon float64) {
	for i, x := range g {
		s[i] = float64(keep*s[i]) + float64(float64(take*x)*x)
		g[i] = float64(rate*x) / (epsilon + math.Sqrt(s[i]*correct))
	}
}

// Moments are the parameters with which Adam keeps the running means of gradients and of their squares and corrects
// them for their start at zero.
type Moments struct {
	KeepU, KeepS       float64
	CorrectU, CorrectS float64
}

// Adam turns gradients into steps of ascent, given the running means u of them and s of their squares:
//
//	for i := range g {
//		u[i] = KeepU*u[i] + (1-KeepU)*g[i]
//		s[i] = KeepS*s[i] + (1-KeepS)*g[i]*g[i]
//		g[i] = rate * u[i] * CorrectU / (epsilon + sqrt(s[i]*CorrectS))
//	}
func Adam(g, u, s []float64, m Moments, rate, epsilon float64) {
	n := fours(len(g))
	if n > 0 {
		_, _ = u[4*n-1], s[4*n-1]
		adamAVX2(&g[0], &u[0], &s[0], n, m.KeepU, 1-m.KeepU, m.KeepS, 1-m.KeepS, rate, m.CorrectU, m.CorrectS, epsilon)
	}
	adamGo(g[4*n:], u[4*n:], s[4*n:], m, rate, epsilon)
}

func adamGo(g, u, s []float64, m Moments, rate, epsilon float64) {
	takeU, takeS := 1-m.KeepU, 1-m.KeepS
	for i, x := range g {
		u[i] = float64(m.KeepU*u[i]) + float64(takeU*x)
		s[i] = float64(m.KeepS*s[i]) + float64(float64(takeS*x)*x)
		g[i] = float64(rate*u[i]) * m.CorrectU / (epsilon + math.Sqrt(s[i]*m.CorrectS))
	}
}

// Momentum turns gradients into steps of ascent, given the memory u of earlier ones:
//
//	for i := range g {
//		u[i] = keep*u[i] + g[i]
//		g[i] = rate * u[i]
//	}
func Momentum(g, u []float64, keep, rate float64) {
	n := fours(len(g))
	if n > 0 {
		_ = u[4*n-1]
		momentumAVX2(&g[0], &u[0], n, keep, rate)
	}
	momentumGo(g[4*n:], u[4*n:], keep, rate)
}

func momentumGo(g, u []float64, keep, rate float64) {
	for i, x := range g {
		u[i] = float64(keep*u[i]) + x
		g[i] = rate * u[i]
	}
}

// Clip limits numbers to ±limit; one that is not a number stays:
//
//	for i := range x {
//		x[i] = min(max(x[i], -limit), limit)
//	}
func Clip(x []float64, limit float64) {
	n := fours(len(x))
	if n > 0 {
		clipAVX2(&x[0], n, -limit, limit)
	}
	for i, v := range x[4*n:] {
		x[4*n+i] = min(max(v, -limit), limit)
	}
}

// Centre subtracts two rows:
//
//	for i := range g {
//		g[i] -= a*x[i] + b*y[i]
//	}
func Centre(g []float64, a float64, x []float64, b float64, y []float64) {
	n := fours(len(g))
	if n > 0 {
		_, _ = x[4*n-1], y[4*n-1]
		centreAVX2(&g[0], &x[0], &y[0], n, a, b)
	}
	for i := 4 * n; i < len(g); i++ {
		g[i] -= float64(a*x[i]) + float64(b*y[i])
	}
}

// Advance adds steps to weights and returns the sum of their squares after it:
//
//	for i := range w {
//		w[i] += g[i]
//		sum += w[i] * w[i]
//	}
func Advance(w, g []float64) (sum float64) {
	var sums [4]float64
	n := fours(len(w))
	if n > 0 {
		_ = g[4*n-1]
		advanceAVX2(&w[0], &g[0], n, &sums)
	}
	for i := 4 * n; i < len(w); i++ {
		w[i] += g[i]
		sums[lane(i, len(w))] += float64(w[i] * w[i])
	}
	return total(&sums)
}

// Compensate subtracts a times the steps g from dst and returns their product with x:
//
//	for i := range g {
//		dst[i] -= a * g[i]
//		sum += g[i] * x[i]
//	}
func Compensate(dst []float64, a float64, g, x []float64) (sum float64) {
	var sums [4]float64
	n := fours(len(g))
	if n > 0 {
		_, _ = dst[4*n-1], x[4*n-1]
		compensateAVX2(&dst[0], &g[0], &x[0], n, a, &sums)
	}
	for i := 4 * n; i < len(g); i++ {
		dst[i] -= float64(a * g[i])
		sums[lane(i, len(g))] += float64(g[i] * x[i])
	}
	return total(&sums)
}

// Squares is the sum of squares:
//
//	for i := range x {
//		sum += x[i] * x[i]
//	}
func Squares(x []float64) (sum float64) {
	var sums [4]float64
	n := fours(len(x))
	if n > 0 {
		squaresAVX2(&x[0], n, &sums)
	}
	for i := 4 * n; i < len(x); i++ {
		sums[lane(i, len(x))] += float64(x[i] * x[i])
	}
	return total(&sums)
}

// lane is the lane of element i out of n.
func lane(i, n int) int {
	if i < n&^3 {
		return i % 4
	}
	return 0
}

// total is the sum of the lanes.
func total(sums *[4]float64) float64 { return (sums[0] + sums[1]) + (sums[2] + sums[3]) }
