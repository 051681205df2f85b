package kernel

import (
	"math"
	"testing"
)

// The levels, heights and masses of densities by plain loops.
func TestPieceDensity(t *testing.T) {
	r := source(7)
	for _, subdivision := range []int{4, 8, 16} {
		for n := 4; n < 80; n++ {
			node := randomDoubles(r, n, 30)
			size := subdivision*(n-1) + 1
			level, height, mass := make([]float64, size), make([]float64, size), make([]float64, size-1)
			Cubics(level, node, subdivision)
			for k := range size {
				j := min(k/subdivision, n-2)
				first := min(max(j-1, 0), n-4)
				w, p := Lagrange(float64(j-first)+float64(k-subdivision*j)/float64(subdivision)), node[first:]
				if want := w[0]*p[0] + w[1]*p[1] + w[2]*p[2] + w[3]*p[3]; level[k] != want && k < size-1 {
					t.Fatalf("level %d of %d is %g, want %g", k, size, level[k], want)
				}
			}
			lo, step := -0.7*float64(n), 1.4/float64(subdivision)
			for range 2 {
				p := Parabola{Gamma: [2]float64{1 + r.Float64(), 1 + r.Float64()}}
				p.Theta = [2]float64{r.NormFloat64(), r.NormFloat64()}
				if n%3 == 0 {
					p.Gamma[1] = math.Inf(1)
				}
				origin, d := r.NormFloat64(), r.NormFloat64()
				before := append([]float64(nil), height...)
				p.AddAlong(height, lo, step, origin, d)
				for k := range height {
					want := p.At(origin + (lo+float64(k)*step)*d)
					if height[k] != before[k]+want || math.IsNaN(want) {
						t.Fatalf("potential %d of %d is %g, want %g", k, size, height[k], before[k]+want)
					}
				}
			}
			top := math.Inf(-1)
			want := make([]float64, size)
			for k := range want {
				want[k] = level[k] - height[k]
				top = max(top, want[k])
			}
			PieceDensity(level, height, mass, step, -60)
			for k, x := range want {
				x -= top
				e := math.Exp(x)
				if !(x > -60) {
					x, e = math.Inf(-1), 0
				}
				if level[k] != x || math.Abs(height[k]-e) > 1e-15*e {
					t.Fatalf("point %d of %d: level %g and height %g, want %g and %g", k, size, level[k], height[k], x,
						e)
				}
			}
			var sum float64
			for k := range mass {
				a, b, d := height[k], height[k+1], level[k+1]-level[k]
				if a != 0 && b != 0 {
					if math.Abs(d) < 1e-4 {
						sum += step * (a + b) / 2 * (1 - d*d/12)
					} else {
						sum += step * (b - a) / d
					}
				}
				if mass[k] != sum {
					t.Fatalf("mass %d of %d is %g, want %g", k, size, mass[k], sum)
				}
			}
		}
	}
}

// Steep and flat pieces, and the vector form against its twin.
func TestExponentialsAndPieces(t *testing.T) {
	r := source(8)
	for n := 1; n < 300; n++ {
		level, height := make([]float64, n), make([]float64, n)
		for k := range level {
			level[k] = -70 * r.Float64()
			if k > 0 && k%3 == 0 {
				level[k] = level[k-1] - 2e-4*r.Float64()
			}
		}
		want := append([]float64(nil), level...)
		exponentials(height, level, 0, -60)
		for k, x := range want {
			e := expDouble(x)
			if x <= -60 {
				e = 0
			}
			if height[k] != e {
				t.Fatalf("e^%g = %g, want %g", x, height[k], e)
			}
		}
		mass, one := make([]float64, n-1), make([]float64, 1)
		pieces(mass, level, height, 0.3)
		for k := range mass {
			if pieces(one, level[k:k+2], height[k:k+2], 0.3); one[0] != mass[k] {
				t.Fatalf("piece %d of %d is %g, want %g", k, n-1, mass[k], one[0])
			}
		}
	}
	for x := -699.0; x < 699; x += 0.0371 {
		if got, want := expDouble(x), math.Exp(x); math.Abs(got/want-1) > 4e-16 {
			t.Fatalf("expDouble(%g) = %g, want %g", x, got, want)
		}
	}
}
