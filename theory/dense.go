package theory

import "math"

// The matrices of the landscape are M×M with M a handful, and a path holds thousands of them, so they are row-major
// slices handled here without allocation.

// solveInPlace solves A X = B by Gaussian elimination with partial pivoting; A (n×n) is destroyed and B (n×k) becomes
// X. It reports false if A is singular.
func solveInPlace(a, b []float64, n, k int) bool {
	for c := 0; c < n; c++ {
		p := c
		for r := c + 1; r < n; r++ {
			if math.Abs(a[r*n+c]) > math.Abs(a[p*n+c]) {
				p = r
			}
		}
		if a[p*n+c] == 0 {
			return false
		}
		if p != c {
			swapRows(a, n, p, c)
			swapRows(b, k, p, c)
		}
		for r := c + 1; r < n; r++ {
			f := a[r*n+c] / a[c*n+c]
			if f == 0 {
				continue
			}
			for j := c; j < n; j++ {
				a[r*n+j] -= f * a[c*n+j]
			}
			for j := 0; j < k; j++ {
				b[r*k+j] -= f * b[c*k+j]
			}
		}
	}
	for c := n - 1; c >= 0; c-- {
		for j := 0; j < k; j++ {
			s := b[c*k+j]
			for r := c + 1; r < n; r++ {
				s -= a[c*n+r] * b[r*k+j]
			}
			b[c*k+j] = s / a[c*n+c]
		}
	}
	return true
}

func swapRows(a []float64, width, i, j int) {
	for c := 0; c < width; c++ {
		a[i*width+c], a[j*width+c] = a[j*width+c], a[i*width+c]
	}
}
