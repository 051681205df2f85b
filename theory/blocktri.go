package theory

import (
	"math"

	"instanton/internal/vec"
)

// blockTridiagonal is a symmetric matrix of n×n blocks of size m×m that couples neighbouring blocks only: the Hessian
// of the action. Work with it costs n·m³.
type blockTridiagonal struct {
	n, m int
	diag []float64 // block (t, t) at t·m²
	off  []float64 // block (t+1, t) at t·m²
}

func newBlockTridiagonal(n, m int) *blockTridiagonal {
	return &blockTridiagonal{n, m, make([]float64, n*m*m), make([]float64, max(0, n-1)*m*m)}
}

// multiply is y = H x.
func (h *blockTridiagonal) multiply(x, y []float64) {
	m := h.m
	clear(y)
	for t := range h.n {
		addProduct(h.diag[t*m*m:], x[t*m:], y[t*m:], m)
		if t+1 < h.n {
			off := h.off[t*m*m:]
			addProduct(off, x[t*m:], y[(t+1)*m:], m)
			for i := range m {
				for j := range m {
					y[t*m+j] += off[i*m+j] * x[(t+1)*m+i]
				}
			}
		}
	}
}

func addProduct(a, x, y []float64, m int) {
	for i := range m {
		y[i] += vec.Dot(a[i*m:(i+1)*m], x[:m])
	}
}

// blockCholesky is the factor L of H + σ = L Lᵀ: lower triangles on the diagonal, full blocks below.
type blockCholesky struct {
	n, m int
	diag []float64
	off  []float64
}

func newBlockCholesky(n, m int) *blockCholesky {
	return &blockCholesky{n, m, make([]float64, n*m*m), make([]float64, max(0, n-1)*m*m)}
}

// factor computes the factor of H + σ and reports whether that matrix is positive definite.
func (f *blockCholesky) factor(h *blockTridiagonal, sigma float64) bool {
	m := f.m
	copy(f.diag, h.diag)
	for t := range f.n {
		d := f.diag[t*m*m : (t+1)*m*m]
		for i := range m {
			d[i*m+i] += sigma
		}
		if t > 0 {
			w := f.off[(t-1)*m*m : t*m*m]
			for i := range m {
				for j := range i + 1 {
					d[i*m+j] -= vec.Dot(w[i*m:(i+1)*m], w[j*m:(j+1)*m])
				}
			}
		}
		for j := range m {
			for i := j; i < m; i++ {
				s := d[i*m+j] - vec.Dot(d[i*m:i*m+j], d[j*m:j*m+j])
				if i == j {
					if !(s > 0) {
						return false
					}
					d[i*m+i] = math.Sqrt(s)
				} else {
					d[i*m+j] = s / d[j*m+j]
				}
			}
		}
		if t+1 < f.n { // W = E L⁻ᵀ, row by row
			w := f.off[t*m*m : (t+1)*m*m]
			copy(w, h.off[t*m*m:(t+1)*m*m])
			for i := range m {
				row := w[i*m : (i+1)*m]
				for j := range m {
					row[j] = (row[j] - vec.Dot(d[j*m:j*m+j], row[:j])) / d[j*m+j]
				}
			}
		}
	}
	return true
}

// forward solves L y = x in place.
func (f *blockCholesky) forward(x []float64) {
	m := f.m
	for t := range f.n {
		y, d := x[t*m:(t+1)*m], f.diag[t*m*m:]
		for i := range m {
			if t > 0 {
				y[i] -= vec.Dot(f.off[(t-1)*m*m+i*m:(t-1)*m*m+(i+1)*m], x[(t-1)*m:t*m])
			}
			y[i] = (y[i] - vec.Dot(d[i*m:i*m+i], y[:i])) / d[i*m+i]
		}
	}
}

// backward solves Lᵀ y = x in place.
func (f *blockCholesky) backward(x []float64) {
	m := f.m
	for t := f.n - 1; t >= 0; t-- {
		y, d := x[t*m:(t+1)*m], f.diag[t*m*m:]
		for i := m - 1; i >= 0; i-- {
			s := y[i]
			if t+1 < f.n {
				for k := range m {
					s -= f.off[t*m*m+k*m+i] * x[(t+1)*m+k]
				}
			}
			for k := i + 1; k < m; k++ {
				s -= d[k*m+i] * y[k]
			}
			y[i] = s / d[i*m+i]
		}
	}
}

// lowestEigenvalue brackets the smallest eigenvalue between Gershgorin's bound and the smallest diagonal entry, and
// bisects on whether H − σ is positive definite, to nine digits or to the rounding of H, whichever comes first.
func (h *blockTridiagonal) lowestEigenvalue() float64 {
	m := h.m
	lo, hi := math.Inf(1), math.Inf(1)
	scale := 0.0
	for t := range h.n {
		for i := range m {
			centre := h.diag[t*m*m+i*m+i]
			radius := 0.0
			for j := range m {
				if j != i {
					radius += math.Abs(h.diag[t*m*m+i*m+j])
				}
				if t > 0 {
					radius += math.Abs(h.off[(t-1)*m*m+i*m+j])
				}
				if t+1 < h.n {
					radius += math.Abs(h.off[t*m*m+j*m+i])
				}
			}
			lo, hi = math.Min(lo, centre-radius), math.Min(hi, centre)
			scale = math.Max(scale, math.Abs(centre)+radius)
		}
	}
	f := newBlockCholesky(h.n, m)
	for hi-lo > 1e-16*scale && hi-lo > 1e-9*math.Max(math.Abs(lo), math.Abs(hi)) {
		mid := (lo + hi) / 2
		if f.factor(h, -mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}
