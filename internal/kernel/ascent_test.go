package kernel

import (
	"math"
	"slices"
	"testing"
)

// The loops of a step do what their comments say, to the last bit, at every length.
func TestAscentEqualsScalar(t *testing.T) {
	r := source(4)
	for n := range 300 {
		row := func() []float64 { return randomDoubles(r, n, 1) }
		g, u, s, x, y := row(), row(), row(), row(), row()
		for i := range s {
			s[i] = math.Abs(s[i])
		}
		keep := 0.99
		moments := Moments{KeepU: 0.9, KeepS: keep, CorrectU: 1.1, CorrectS: 1.7}
		for name, f := range map[string]struct {
			fast, plain func(g, u, s []float64) float64
		}{
			"rmsprop": {
				func(g, _, s []float64) float64 { RMSprop(g, s, keep, 5e-3, 1.7, 1e-3); return 0 },
				func(g, _, s []float64) float64 { rmspropGo(g, s, keep, 1-keep, 5e-3, 1.7, 1e-3); return 0 },
			},
			"adam": {
				func(g, u, s []float64) float64 { Adam(g, u, s, moments, 5e-3, 1e-3); return 0 },
				func(g, u, s []float64) float64 { adamGo(g, u, s, moments, 5e-3, 1e-3); return 0 },
			},
			"momentum": {
				func(g, u, _ []float64) float64 { Momentum(g, u, 0.9, 5e-3); return 0 },
				func(g, u, _ []float64) float64 { momentumGo(g, u, 0.9, 5e-3); return 0 },
			},
			"clip": {
				func(g, _, _ []float64) float64 { Clip(g, 0.5); return 0 },
				func(g, _, _ []float64) float64 {
					for i, x := range g {
						g[i] = min(max(x, -0.5), 0.5)
					}
					return 0
				},
			},
			"centre": {
				func(g, _, _ []float64) float64 { Centre(g, 0.3, x, -0.7, y); return 0 },
				func(g, _, _ []float64) float64 {
					for i := range g {
						g[i] -= float64(0.3*x[i]) + float64(-0.7*y[i])
					}
					return 0
				},
			},
			"advance": {
				func(g, u, _ []float64) float64 { return Advance(u, g) },
				func(g, u, _ []float64) float64 {
					for i, x := range g {
						u[i] += x
					}
					return dotInLanes(u, u)
				},
			},
			"compensate": {
				func(g, u, _ []float64) float64 { return Compensate(u, 0.3, g, x) },
				func(g, u, _ []float64) float64 {
					for i, step := range g {
						u[i] -= float64(0.3 * step)
					}
					return dotInLanes(g, x)
				},
			},
			"squares": {
				func(g, _, _ []float64) float64 { return Squares(g) },
				func(g, _, _ []float64) float64 { return dotInLanes(g, g) },
			},
		} {
			g1, u1, s1 := slices.Clone(g), slices.Clone(u), slices.Clone(s)
			g2, u2, s2 := slices.Clone(g), slices.Clone(u), slices.Clone(s)
			if a, b := f.fast(g1, u1, s1), f.plain(g2, u2, s2); a != b {
				t.Fatalf("%s of %d numbers: sum %g, want %g", name, n, a, b)
			}
			if !slices.Equal(g1, g2) || !slices.Equal(u1, u2) || !slices.Equal(s1, s2) {
				t.Fatalf("%s of %d numbers differs", name, n)
			}
		}
	}
	x := []float64{math.NaN(), 1, 2, math.Inf(-1), math.NaN()}
	if Clip(x, 1); !math.IsNaN(x[0]) || x[3] != -1 || !math.IsNaN(x[4]) {
		t.Errorf("clipped %v, want what is not a number to stay", x)
	}
}

// dotInLanes is the product of two rows in the order of Squares.
func dotInLanes(x, y []float64) float64 {
	var sums [4]float64
	for i := range x {
		sums[lane(i, len(x))] += float64(x[i] * y[i])
	}
	return total(&sums)
}

func BenchmarkAscent(b *testing.B) {
	g, s, x := make([]float64, 512), make([]float64, 512), make([]float64, 512)
	for i := range g {
		g[i] = float64(i)
	}
	perItem(b, len(g), "rmsprop", func(int) { RMSprop(g, s, 0.99, 1, 1, 1e-3) })
	perItem(b, len(g), "momentum", func(int) { Momentum(g, s, 0.99, 1) })
	perItem(b, len(g), "centre", func(int) { Centre(g, 0, s, 0, x) })
	perItem(b, len(g), "advance", func(int) { Advance(s, x) })
	perItem(b, len(g), "compensate", func(int) { Compensate(g, 0, s, x) })
	perItem(b, len(g), "squares", func(int) { Squares(g) })
}
