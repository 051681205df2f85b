package kernel

import (
	"math"
	"math/bits"
)

// A density on a line consists of pieces: its logarithm is interpolated by cubics at equally spaced points between the
// nodes, and is linear between neighbouring points.

// MinSubdivision and MaxSubdivision bound the number of pieces between two nodes, a power of two.
const MinSubdivision, MaxSubdivision = 4, 16

// cubic holds the Lagrange weights of nodes 0 to 3 at the points that follow nodes 0, 1 and 2, for 4, 8 and 16 points.
var cubic = func() (w [3][3][4 * MaxSubdivision]float64) {
	for size := range w {
		subdivision := MinSubdivision << size
		for j := range w[size] {
			for m := range subdivision {
				for k, x := range Lagrange(float64(j) + float64(m)/float64(subdivision)) {
					w[size][j][k*subdivision+m] = x
				}
			}
		}
	}
	return w
}()

// Lagrange returns the weights of the values at 0, 1, 2, 3 in the value at x of the cubic through them.
func Lagrange(x float64) [4]float64 {
	a, b, c, d := x, x-1, x-2, x-3
	return [4]float64{-b * c * d / 6, a * c * d / 2, -a * b * d / 2, a * b * c / 6}
}

// Cubics interpolates between at least four nodes by the cubic through the nearest four: dst gets subdivision points
// from each node to the next, and the last node at the end.
func Cubics(dst, node []float64, subdivision int) {
	n, weights := len(node), &cubic[bits.Len(uint(subdivision/MinSubdivision))-1]
	cubics(dst, node[:4], &weights[0], subdivision, 1)
	cubics(dst[subdivision:], node, &weights[1], subdivision, n-3)
	cubics(dst[subdivision*(n-2):], node[n-4:], &weights[2], subdivision, 1)
	dst[subdivision*(n-1)] = node[n-1]
}

// cubics interpolates by n cubics through four nodes, each at a multiple of four points:
//
//	for j := range n {
//		for m := range subdivision {
//			w := weights[m:]
//			dst[j*subdivision+m] = w[0]*node[j] + w[subdivision]*node[j+1] +
//				w[2*subdivision]*node[j+2] + w[3*subdivision]*node[j+3]
//		}
//	}
func cubics(dst, node []float64, weights *[4 * MaxSubdivision]float64, subdivision, n int) {
	if n > 0 && vector {
		_, _, _ = dst[n*subdivision-1], node[n+2], weights[4*subdivision-1]
		cubicsAVX2(&dst[0], &node[0], &weights[0], subdivision, n)
		return
	}
	for j := range n {
		p := node[j : j+4]
		for m := range subdivision {
			sum := float64(weights[m]*p[0]) + float64(weights[subdivision+m]*p[1])
			dst[j*subdivision+m] = sum + float64(weights[2*subdivision+m]*p[2]) + float64(weights[3*subdivision+m]*p[3])
		}
	}
}

// Parabola is the potential of a real unit, γx²/2 + θx with parameters for either side of zero.
type Parabola struct {
	Gamma, Theta [2]float64 // right and left of zero
}

// At is the potential at x.
func (p *Parabola) At(x float64) float64 {
	if x >= 0 {
		return float64(float64(p.Gamma[0]*x/2)+p.Theta[0]) * x
	}
	return float64(float64(p.Gamma[1]*x/2)+p.Theta[1]) * x
}

// AddAlong adds the potential at points of a line:
//
//	for k := range dst {
//		dst[k] += p.At(origin + (lo+k*step)*d)
//	}
func (p *Parabola) AddAlong(dst []float64, lo, step, origin, d float64) {
	from := 0
	if vector {
		if from = len(dst) &^ 3; from > 0 {
			var copies [8][4]float64
			for k, x := range [8]float64{lo, step, origin, d, p.Gamma[0], p.Theta[0], p.Gamma[1], p.Theta[1]} {
				copies[k] = [4]float64{x, x, x, x}
			}
			addParabolaAVX2(&dst[0], &copies[0][0], from/4)
		}
	}
	for k := from; k < len(dst); k++ {
		s := lo + float64(float64(k)*step)
		dst[k] += p.At(origin + float64(s*d))
	}
}

// PieceDensity turns levels into the pieces of a density. On input, height holds a potential, which is subtracted from
// the levels together with their largest value. On output, height is the exponential of the levels, zero where a level
// is not above negligible, and mass holds the cumulative integrals of the pieces.
func PieceDensity(level, height, mass []float64, step, negligible float64) {
	top := subtractMax(level, height)
	exponentials(height, level, top, negligible)
	pieces(mass, level, height, step)
	var sum float64
	for k, x := range mass {
		sum += x
		mass[k] = sum
	}
}

// subtractMax subtracts a potential from levels and returns their largest value.
func subtractMax(level, potential []float64) float64 {
	none := math.Inf(-1)
	lanes := [4]float64{none, none, none, none}
	from := 0
	if vector {
		if from = len(level) &^ 3; from > 0 {
			_ = potential[from-1]
			subtractMaxAVX2(&lanes, &level[0], &potential[0], from/4)
		}
	}
	for k := from; k < len(level); k++ {
		if level[k] -= potential[k]; level[k] > lanes[0] {
			lanes[0] = level[k]
		}
	}
	return max(lanes[0], lanes[1], lanes[2], lanes[3])
}

// exponentials turns levels into heights:
//
//	for k := range level {
//		if level[k] -= top; level[k] > negligible {
//			height[k] = expDouble(level[k])
//		} else {
//			level[k], height[k] = -Inf, 0
//		}
//	}
func exponentials(height, level []float64, top, negligible float64) {
	from := 0
	if vector {
		if from = len(level) &^ 7; from > 0 {
			_ = height[from-1]
			exponentialsAVX2(&height[0], &level[0], top, negligible, from/8)
		}
	}
	for k := from; k < len(level); k++ {
		if level[k] -= top; level[k] > negligible {
			height[k] = expDouble(level[k])
		} else {
			level[k], height[k] = math.Inf(-1), 0
		}
	}
}

// expDouble is e^x for −700 < x < 700, by the Taylor series at x/16 and four squarings (N. Shibata, Efficient
// evaluation methods of elementary functions suitable for SIMD computation, 2010). On amd64 it equals math.Exp.
func expDouble(x float64) float64 {
	n := math.RoundToEven(x * math.Log2E)
	f := math.FMA(-ln2High, n, x)
	f = math.FMA(-ln2Low, n, f) * 0.0625
	p := expTaylor[len(expTaylor)-1]
	for k := len(expTaylor) - 2; k >= 0; k-- {
		p = math.FMA(p, f, expTaylor[k])
	}
	f *= p
	for range 3 {
		f *= f + 2
	}
	f = math.FMA(f, f+2, 1)
	return math.Float64frombits(math.Float64bits(f) + uint64(int64(n))<<52)
}

// expTaylor holds the coefficients 1/(k+1)! of (e^f−1)/f.
var expTaylor = [8]float64{
	1, 0.5, 1.6666666666666666667e-1, 4.1666666666666666667e-2, 8.3333333333333333333e-3, 1.3888888888888888889e-3,
	1.9841269841269841270e-4, 2.4801587301587301587e-5,
}

// ln2High and ln2Low are log 2 in two parts.
const (
	ln2High = 0.69314718055966295651160180568695068359375
	ln2Low  = 0.28235290563031577122588448175013436025525412068e-12
)

// pieces integrates the exponential of a straight line between neighbouring points:
//
//	for k := range mass {
//		a, b, d := height[k], height[k+1], level[k+1]-level[k]
//		mass[k] = a == 0 || b == 0 ? 0 : abs(d) < 1e-4 ? step*(a+b)/2*(1-d*d/12) : step*(b-a)/d
//	}
func pieces(mass, level, height []float64, step float64) {
	from := 0
	if vector {
		if from = len(mass) &^ 3; from > 0 {
			_, _ = level[from], height[from]
			piecesAVX2(&mass[0], &level[0], &height[0], step, from/4)
		}
	}
	for k := from; k < len(mass); k++ {
		a, b, d := height[k], height[k+1], level[k+1]-level[k]
		switch {
		case a == 0 || b == 0:
			mass[k] = 0
		case math.Abs(d) < 1e-4:
			mass[k] = step * (a + b) / 2 * (1 - float64(d*d/12))
		default:
			mass[k] = step * (b - a) / d
		}
	}
}
