// Package vec provides sums and products of float64 vectors. The vectors passed to a function have the same length.
//
// Dot and SumSquares add in four lanes, because a single running sum would wait for the adder at every term. The order
// of all sums is fixed, so results are the same to the last bit everywhere.
package vec

import "math"

// Dot is the scalar product x·y, in four lanes:
//
//	for i := range x {
//		lane[i%4] += x[i] * y[i] // the last len(x)%4 terms go to lane 0
//	}
//	return (lane[0] + lane[1]) + (lane[2] + lane[3])
func Dot(x, y []float64) float64 {
	var a, b, c, d float64
	for y = y[:len(x)]; len(x) >= 4; x, y = x[4:], y[4:] {
		a += x[0] * y[0]
		b += x[1] * y[1]
		c += x[2] * y[2]
		d += x[3] * y[3]
	}
	for i, v := range x {
		a += v * y[i]
	}
	return (a + b) + (c + d)
}

// SumSquares is Dot(x, x).
func SumSquares(x []float64) float64 {
	var a, b, c, d float64
	for ; len(x) >= 4; x = x[4:] {
		a += x[0] * x[0]
		b += x[1] * x[1]
		c += x[2] * x[2]
		d += x[3] * x[3]
	}
	for _, v := range x {
		a += v * v
	}
	return (a + b) + (c + d)
}

// Norm is the Euclidean norm √(x·x).
func Norm(x []float64) float64 { return math.Sqrt(SumSquares(x)) }

// Sum is the sum of the elements, in their order:
//
//	for _, v := range x {
//		sum += v
//	}
func Sum(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}

// Add adds x to y:
//
//	for i := range x {
//		y[i] += x[i]
//	}
func Add(y, x []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += v
	}
}

// AddScaled adds s·x to y, the axpy of BLAS:
//
//	for i := range x {
//		y[i] += s * x[i]
//	}
func AddScaled(y []float64, s float64, x []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += s * v
	}
}

// Scale multiplies x by s:
//
//	for i := range x {
//		x[i] *= s
//	}
func Scale(s float64, x []float64) {
	for i := range x {
		x[i] *= s
	}
}

// SquaredDistance is |x − y|², summed in order:
//
//	for i := range x {
//		sum += (x[i] - y[i]) * (x[i] - y[i])
//	}
func SquaredDistance(x, y []float64) (sum float64) {
	y = y[:len(x)]
	for i, v := range x {
		d := v - y[i]
		sum += d * d
	}
	return sum
}

// Distance is the Euclidean distance |x − y|.
func Distance(x, y []float64) float64 { return math.Sqrt(SquaredDistance(x, y)) }

// MaxAbs is the largest absolute value: zero for an empty vector, NaN if any element is NaN.
func MaxAbs(x []float64) (top float64) {
	for _, v := range x {
		top = math.Max(top, math.Abs(v))
	}
	return top
}

// WeightedMean is Σ w·x / Σ w, summed in order; nil weights are all one. Elements of weight zero do not count,
// whatever their value. The mean is NaN if the weights sum to zero.
func WeightedMean(x, weights []float64) float64 {
	if weights == nil {
		return Sum(x) / float64(len(x))
	}
	var sum, total float64
	for i, w := range weights[:len(x)] {
		if w != 0 {
			sum += w * x[i]
			total += w
		}
	}
	return sum / total
}

// Pick returns the elements of x at the given indices: all of them if at is nil, and nil if x is nil.
func Pick(x []float64, at []int) []float64 {
	if x == nil || at == nil {
		return x
	}
	out := make([]float64, len(at))
	for i, k := range at {
		out[i] = x[k]
	}
	return out
}
