package theory

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// The reduced action's gradient and Hessian against differences, and its value against the sum of Delta.
func TestActionDerivatives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLandscape(t, true)
		m, steps := l.units, rapid.IntRange(1, 4).Draw(t, "T")
		a := newAction(l, drawVector(t, m, -1, 1, "from"), drawVector(t, m, -1, 1, "to"), steps)
		h := drawVector(t, steps*m, -1, 1, "h")
		gradient := make([]float64, len(h))
		at := func(h []float64) (float64, []float64) {
			a.set(h)
			v := a.evaluate(true)
			a.pin(gradient)
			return v, append([]float64(nil), gradient...)
		}
		value, g := at(h)
		sum := 0.0
		for k := range steps {
			sum += l.Delta(l.ClassMagnetizations(a.field(k)), h[k*m:(k+1)*m], l.ClassMagnetizations(a.field(k+1)))
		}
		if math.Abs(value-sum) > 1e-12 {
			t.Fatalf("Φ = %g, the steps sum to %g", value, sum)
		}
		unit, column := make([]float64, len(h)), make([]float64, len(h))
		hess := *a.hess
		hess.diag = append([]float64(nil), a.hess.diag...)
		hess.off = append([]float64(nil), a.hess.off...)
		const d = 1e-5
		for i := range h {
			up, down := append([]float64(nil), h...), append([]float64(nil), h...)
			up[i] += d
			down[i] -= d
			vu, gu := at(up)
			vd, gd := at(down)
			if diff := (vu - vd) / (2 * d); math.Abs(diff-g[i]) > 1e-7 {
				t.Fatalf("∂Φ/∂h%d = %g, differences give %g", i, g[i], diff)
			}
			clear(unit)
			unit[i] = 1
			hess.multiply(unit, column)
			for j := range h {
				if diff := (gu[j] - gd[j]) / (2 * d); math.Abs(diff-column[j]) > 1e-6 {
					t.Fatalf("∂²Φ/∂h%d∂h%d = %g, differences give %g", i, j, column[j], diff)
				}
			}
		}
	})
}

// The block Cholesky factor, the indefinite solve and the lowest eigenvalue against dense algebra.
func TestBlockTridiagonal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := rapid.IntRange(1, 5).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "m")
		h := newBlockTridiagonal(n, m)
		copy(h.diag, drawVector(t, len(h.diag), -1, 1, "diag"))
		if n > 1 {
			copy(h.off, drawVector(t, len(h.off), -1, 1, "off"))
		}
		// no denormal entries, which the eigenvalue routine cannot scale
		for _, list := range [][]float64{h.diag, h.off} {
			for i := range list {
				list[i] = math.Round(1e4*list[i]) / 1e4
			}
		}
		dense := mat.NewSymDense(n*m, nil)
		for k := range n {
			for i := range m {
				for j := range m {
					if j <= i {
						x := h.diag[k*m*m+i*m+j]
						h.diag[k*m*m+j*m+i] = x
						dense.SetSym(k*m+i, k*m+j, x)
					}
					if k+1 < n {
						dense.SetSym((k+1)*m+i, k*m+j, h.off[k*m*m+i*m+j])
					}
				}
			}
		}
		var eigen mat.EigenSym
		eigen.Factorize(dense, false)
		lowest := eigen.Values(nil)[0]
		if got := h.lowestEigenvalue(); math.Abs(got-lowest) > 1e-8 {
			t.Fatalf("lowest eigenvalue %g, want %g", got, lowest)
		}
		f := newBlockCholesky(n, m)
		if f.factor(h, -lowest-1e-6) || !f.factor(h, -lowest+0.5) {
			t.Fatal("the factorisation misjudges definiteness")
		}
		x := drawVector(t, n*m, -1, 1, "x")
		y := append([]float64(nil), x...)
		f.forward(y)
		f.backward(y)
		back := make([]float64, n*m)
		h.multiply(y, back)
		for i := range back {
			if got := back[i] + (0.5-lowest)*y[i]; math.Abs(got-x[i]) > 1e-9 {
				t.Fatalf("(H+σ)y differs from x by %g", got-x[i])
			}
		}
	})
}
