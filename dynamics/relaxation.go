package dynamics

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"instanton/internal/special"
	"instanton/internal/vec"
)

// Relaxation are the time scales of a chain.
type Relaxation struct {
	Gap float64 `json:"gap"` // 1 − λ₂, λ₂ the second largest eigenvalue of the transition matrix
	// τ = −1/log λ₂, in steps of the chain; 0 if λ₂ is 0 within rounding, when one step forgets everything
	Time float64 `json:"relaxation_time"`
}

// ErrBeyondRange says that a time is too long for a number of the machine, or the probabilities it is made of too
// small.
var ErrBeyondRange = errors.New("its times are longer than about 1e308 steps, more than the elimination can hold")

// Relaxation computes the slowest mode. With G the expected visits before the chain is killed in its likeliest state,
// and Π the projection on constants, (1−Π)G(1−Π) has the eigenvalues 1/(1−λ) of the modes that decay. G comes from the
// elimination with full relative accuracy, and its largest eigenvalue is the slowest mode, found by Lanczos' method.
// Nothing large is subtracted: the slow mode lives in the states from which the likeliest one is hard to reach, where G
// is all of one sign.
func (c *Chain) Relaxation() (Relaxation, error) {
	n := c.States()
	if n < 2 {
		return Relaxation{}, fmt.Errorf("the chain has %d state: relaxation needs at least 2", n)
	}
	root := c.likeliest()
	e := c.eliminate(func(i int) bool { return i == root })
	if !e.finite() {
		return Relaxation{}, fmt.Errorf("the chain of %d states: %w", n, ErrBeyondRange)
	}
	pi := c.stationary(e, root)
	apply := func(x []float64) {
		mean := vec.Dot(pi, x)
		b := make([]float64, len(e.states))
		for k, i := range e.states {
			b[k] = x[i] - mean
		}
		e.solveRight(b)
		x[root] = 0
		for k, i := range e.states {
			x[i] = b[k]
		}
		mean = vec.Dot(pi, x)
		for i := range x {
			x[i] -= mean
		}
	}
	// Lanczos in the scalar product of π, where the operator is symmetric, with full orthogonalisation.
	r := rand.New(rand.NewPCG(8, 9))
	next := make([]float64, n)
	for i := range next {
		next[i] = r.NormFloat64()
	}
	apply(next)
	var basis [][]float64
	var diagonal, beside []float64
	longest, steady := 0.0, 0
	for range min(n-1, 300) {
		size := orthogonalise(next, basis, pi)
		if size == 0 {
			break
		}
		if len(basis) > 0 {
			beside = append(beside, size)
		}
		q := append([]float64(nil), next...)
		basis = append(basis, q)
		apply(next)
		diagonal = append(diagonal, weighted(pi, q, next))
		top := largestEigenvalue(diagonal, beside)
		if math.Abs(top-longest) < 1e-14*top {
			if steady++; steady == 2 {
				return relaxationOf(top), nil
			}
		} else {
			steady = 0
		}
		longest = top
	}
	if len(basis) == 0 || !special.Finite(longest) {
		return Relaxation{}, fmt.Errorf("the chain of %d states: %w", n, ErrBeyondRange)
	}
	if k := len(basis); k < n-1 && k == 300 {
		return Relaxation{}, fmt.Errorf("the slowest mode of a chain of %d states did not converge in %d iterations", n,
			k)
	}
	return relaxationOf(longest), nil
}

// largestEigenvalue is that of the symmetric tridiagonal matrix, by bisection on whether x − T is positive definite.
func largestEigenvalue(diagonal, beside []float64) float64 {
	above := func(x float64) bool {
		pivot := x - diagonal[0]
		for i := 0; i < len(beside) && pivot > 0; i++ {
			pivot = x - diagonal[i+1] - beside[i]/pivot*beside[i]
		}
		return pivot > 0
	}
	lo, hi := slices.Max(diagonal), slices.Max(diagonal)
	for !above(hi) {
		hi += math.Max(math.Abs(hi), slices.Max(append(beside, 1e-300)))
	}
	for range 1100 {
		mid := lo + (hi-lo)/2
		if mid == lo || mid == hi {
			break
		}
		if above(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

// relaxationOf turns 1/(1−λ₂) into the time scales.
func relaxationOf(inverseGap float64) Relaxation {
	r := Relaxation{Gap: 1 / inverseGap}
	if r.Gap < 1-1e-11 {
		r.Time = -1 / math.Log1p(-r.Gap)
	}
	return r
}

// weighted is the scalar product with weights.
func weighted(weight, x, y []float64) float64 {
	s := 0.0
	for i, w := range weight {
		s += w * x[i] * y[i]
	}
	return s
}

// length is the norm with weights, of numbers whose squares need not be within the range of float64.
func length(x, weight []float64) float64 {
	top := vec.MaxAbs(x)
	if top == 0 || !special.Finite(top) {
		return top
	}
	s := 0.0
	for i, w := range weight {
		s += w * (x[i] / top) * (x[i] / top)
	}
	return top * math.Sqrt(s)
}

// orthogonalise takes from x its components along the basis, twice over for accuracy, normalises it and returns the
// length it had left: 0 if the basis already holds all of x.
func orthogonalise(x []float64, basis [][]float64, weight []float64) float64 {
	before := length(x, weight)
	for range 2 {
		for _, b := range basis {
			s := weighted(weight, b, x)
			for i := range x {
				x[i] -= s * b[i]
			}
		}
	}
	size := length(x, weight)
	if !(size > 1e-14*before) {
		return 0
	}
	for i := range x {
		x[i] /= size
	}
	return size
}
