package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRMSpropEqualsScalar(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	keep := 0.99
	for n := range 1000 {
		g, s := make([]float64, n), make([]float64, n)
		for i := range g {
			g[i], s[i] = r.NormFloat64(), r.ExpFloat64()
		}
		wantG, wantS := slices.Clone(g), slices.Clone(s)
		RMSprop(g, s, keep, 5e-3, 1.7, 1e-3)
		rmspropGo(wantG, wantS, keep, 1-keep, 5e-3, 1.7, 1e-3)
		if !slices.Equal(g, wantG) || !slices.Equal(s, wantS) {
			t.Fatalf("steps of %d parameters differ", n)
		}
	}
}

func BenchmarkRMSprop(b *testing.B) {
	g, s := make([]float64, 512), make([]float64, 512)
	for i := range g {
		g[i] = float64(i)
	}
	perItem(b, len(g), "rmsprop", func(int) { RMSprop(g, s, 0.99, 1, 1, 1e-3) })
}
