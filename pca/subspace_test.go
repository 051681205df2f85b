package pca

import (
	"math"
	"testing"
)

// A chain of springs has the eigenvalues 2 + 2 cos(πk/(n+1)), which lie close together.
func TestLeadingOfChain(t *testing.T) {
	const n = 300
	m := make(matrix, n)
	for i := range m {
		m[i] = make([]float64, n)
		m[i][i] = 2
		if i > 0 {
			m[i][i-1], m[i-1][i] = 1, 1
		}
	}
	values, vectors := leading(m, n, 3)
	for k, got := range values {
		want := 2 + 2*math.Cos(math.Pi*float64(k+1)/(n+1))
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("eigenvalue %d is %.15g, want %.15g", k, got, want)
		}
		var overlap float64
		for i, x := range vectors[k] {
			overlap += x * math.Sqrt(2.0/(n+1)) * math.Sin(math.Pi*float64((k+1)*(i+1))/(n+1))
		}
		// The residual 1e-9·λ divided by the gap 3e-4 bounds the angle by 1.3e-5.
		if math.Abs(math.Abs(overlap)-1) > 1e-9 {
			t.Errorf("eigenvector %d overlaps by %.15g", k, overlap)
		}
	}
}
