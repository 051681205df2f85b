package rbm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"instanton/internal/vec"
)

// Transition is the written-out matrix of a Markov kernel on the configurations of a Space: At(a,b) is the probability
// of going from a to b in one step.
type Transition struct {
	n int
	p []float64
}

// NewTransition asks the kernel's law for every row: law calls emit for each state that the kernel can go to, and the
// probabilities of repeated calls add up. Rows that do not sum to one within tol are an error.
func NewTransition(n int, tol float64, law func(from int, emit func(to int, p float64))) (*Transition, error) {
	t := &Transition{n: n, p: make([]float64, n*n)}
	for from := range n {
		row := t.p[from*n : (from+1)*n]
		law(from, func(to int, p float64) { row[to] += p })
		if total := vec.Sum(row); !(math.Abs(total-1) <= tol) {
			return nil, fmt.Errorf("the probabilities to leave state %d sum to %.15g: expected 1", from, total)
		}
	}
	return t, nil
}

// Size is the number of states.
func (t *Transition) Size() int { return t.n }

// At is the probability of one step from a to b.
func (t *Transition) At(a, b int) float64 { return t.p[a*t.n+b] }

// StationaryError is the largest |Σ_a π_a T_ab − π_b|: zero when π is stationary.
func (t *Transition) StationaryError(pi []float64) float64 {
	out := make([]float64, t.n)
	for a, p := range pi {
		vec.AddScaled(out, p, t.p[a*t.n:(a+1)*t.n])
	}
	var worst float64
	for b := range out {
		worst = max(worst, math.Abs(out[b]-pi[b]))
	}
	return worst
}

// BalanceError is the largest |π_a T_ab − π_b T_ba|: zero when the kernel is in detailed balance with π.
func (t *Transition) BalanceError(pi []float64) float64 {
	var worst float64
	for a := range t.n {
		for b := range a {
			worst = max(worst, math.Abs(pi[a]*t.At(a, b)-pi[b]*t.At(b, a)))
		}
	}
	return worst
}

// Power is the matrix of n steps, n ≥ 1.
func (t *Transition) Power(n int) *Transition {
	one := mat.NewDense(t.n, t.n, t.p)
	var many mat.Dense
	many.Pow(one, n)
	return &Transition{n: t.n, p: many.RawMatrix().Data}
}
