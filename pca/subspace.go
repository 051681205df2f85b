package pca

import (
	"sort"

	"gonum.org/v1/gonum/mat"

	"instanton/internal/rng"
	"instanton/internal/vec"
)

// symmetric multiplies b interleaved vectors by a symmetric positive semidefinite matrix.
type symmetric interface{ times(z, y []float64, b int) }

// Limits of the iteration: the residual ‖Cx − λx‖, relative to the largest λ, at which a pair counts as found, and the
// number of restarts after which the best pairs so far are accepted.
const (
	residual = 1e-9
	restarts = 60
)

// leading finds the largest eigenvalues of a matrix, in decreasing order, and their eigenvectors, by block Krylov
// iteration (Musco and Musco, NIPS 2015): the matrix is applied repeatedly to a block of a few more vectors than
// requested, the eigenvalue problem is solved in the space they span, and the iteration restarts from the best
// vectors. Blocks also find degenerate eigenvalues. If the span is the whole space, one round is exact.
func leading(c symmetric, width, count int) ([]float64, [][]float64) {
	block := min(count+4, width)
	most := min(width, 16*block)
	r := rng.New(0, rng.Subspace, 0, 0).Rand()
	start := make([][]float64, block)
	for k := range start {
		start[k] = make([]float64, width)
		for i := range start[k] {
			start[k][i] = r.NormFloat64()
		}
	}
	for round := 0; ; round++ {
		q, cq := krylov(c, start, width, most)
		values, u := ritz(q, cq)
		if len(values) == 0 {
			return nil, nil
		}
		found := min(count, len(values))
		vectors := combine(q, u, min(block, len(values)))
		images := combine(cq, u, found)
		worst := 0.0
		for k, z := range images {
			vec.AddScaled(z, -values[k], vectors[k])
			worst = max(worst, vec.Norm(z))
		}
		if worst <= residual*values[0] || len(q) == width || round == restarts {
			return values[:found], vectors[:found]
		}
		start = vectors
	}
}

// krylov returns an orthonormal basis of start, C·start, C²·start, … with at most the given number of vectors, and its
// image under C.
func krylov(c symmetric, start [][]float64, width, most int) (q, cq [][]float64) {
	next := start
	for len(q) < most {
		from := len(q)
		for _, x := range next {
			if x = orthonormal(x, q); x != nil && len(q) < most {
				q = append(q, x)
			}
		}
		b := len(q) - from
		if b == 0 {
			break
		}
		z := make([]float64, width*b)
		c.times(z, columns(q[from:], width), b)
		next = make([][]float64, b)
		for j := range next {
			next[j] = make([]float64, width)
			for i := range next[j] {
				next[j][i] = z[i*b+j]
			}
		}
		cq = append(cq, next...)
	}
	return q, cq
}

// orthonormal returns the normalised part of x that is orthogonal to q, or nil if only rounding errors are left.
func orthonormal(x []float64, q [][]float64) []float64 {
	x = append([]float64(nil), x...)
	before := vec.Norm(x)
	for range 2 { // twice is enough (Kahan)
		for _, other := range q {
			vec.AddScaled(x, -vec.Dot(x, other), other)
		}
	}
	length := vec.Norm(x)
	if !(length > 1e-10*before) {
		return nil
	}
	for i := range x {
		x[i] /= length
	}
	return x
}

// ritz solves the eigenvalue problem of qᵀCq: values in decreasing order, coefficients in columns.
func ritz(q, cq [][]float64) ([]float64, [][]float64) {
	n := len(q)
	if n == 0 {
		return nil, nil
	}
	t := mat.NewSymDense(n, nil)
	for a := range n {
		for b := range a + 1 {
			t.SetSym(a, b, (vec.Dot(q[a], cq[b])+vec.Dot(q[b], cq[a]))/2)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(t, true) {
		return nil, nil // cannot happen with finite numbers
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	values := e.Values(nil)
	order := make([]int, n)
	for k := range order {
		order[k] = k
	}
	sort.SliceStable(order, func(a, b int) bool { return values[order[a]] > values[order[b]] })
	falling, u := make([]float64, n), make([][]float64, n)
	for k, at := range order {
		falling[k] = values[at]
		u[k] = mat.Col(nil, at, &vectors)
	}
	return falling, u
}

// combine forms linear combinations of the basis with the first few sets of coefficients.
func combine(q, u [][]float64, count int) [][]float64 {
	out := make([][]float64, count)
	for k := range out {
		out[k] = make([]float64, len(q[0]))
		for a, x := range q {
			vec.AddScaled(out[k], u[k][a], x)
		}
	}
	return out
}

// columns interleaves vectors.
func columns(x [][]float64, width int) []float64 {
	y := make([]float64, width*len(x))
	for j, row := range x {
		for i, v := range row {
			y[i*len(x)+j] = v
		}
	}
	return y
}
