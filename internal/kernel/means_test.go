package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The vector forms do what the scalar ones do, to the last bit, at every length.
func TestMeansEqualScalarOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for n := range 1000 {
		x := wide(r, n)
		for name, f := range map[string]struct {
			all func([]float32)
			one func(float32) float32
		}{"logistic": {Logistic, logistic}, "tanh": {Tanh, tanh}} {
			got, want := append([]float32(nil), x...), make([]float32, n)
			for i, v := range x {
				want[i] = f.one(v)
			}
			f.all(got)
			sameBits(t, name, got, want)
		}
	}
}

func TestMeansAreAccurate(t *testing.T) {
	for x := -40.0; x <= 40; x += 0.001 {
		exact := 1 / (1 + math.Exp(-float64(float32(x))))
		if got := float64(logistic(float32(x))); math.Abs(got-exact) > min(2e-7, 1e-7*(4+math.Abs(x))*exact) {
			t.Fatalf("logistic(%g) = %g, want %g", x, got, exact)
		}
		exact = math.Tanh(float64(float32(x)))
		if got := float64(tanh(float32(x))); math.Abs(got-exact) > 3e-7 {
			t.Fatalf("tanh(%g) = %g, want %g", x, got, exact)
		}
	}
	for _, x := range []float32{-1e30, 1e30} {
		if got := logistic(x); got < 0 || got > 1 || (got > 0.5) != (x > 0) {
			t.Errorf("logistic(%g) = %g", x, got)
		}
	}
}

func TestAddColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	for n := range 1000 {
		x := wide(r, n)
		got, want := make([]float64, n), make([]float64, n)
		for i, v := range x {
			got[i] = r.NormFloat64()
			want[i] = got[i] + float64(v)
		}
		AddColumns(got, x)
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("sum %d of %d is %g, want %g", i, n, got[i], want[i])
			}
		}
	}
}

func TestMeanWeights(t *testing.T) {
	r := source(7)
	for rows := range 100 {
		src, weights := whole(r, rows*tile), randomFloats(r, rows)
		for _, spin := range []bool{false, true} {
			got, want := make([]int32, rows*tile), make([]int32, rows*tile)
			var sums, twin [tile]float64
			meanWeights(got, src, tile, 1e-8, spin, weights, 1<<20, &sums)
			meanWeightsGo(want, src, tile, 1e-8, spin, weights, 1<<20, &twin)
			if !slices.Equal(got, want) || sums != twin {
				t.Fatalf("%d rows, spin %v: assembly and twin differ", rows, spin)
			}
		}
	}
}

func BenchmarkMeans(b *testing.B) {
	x := wide(rand.New(rand.NewPCG(1, 1)), 512)
	perItem(b, len(x), "logistic", func(int) { Logistic(x) })
	perItem(b, len(x), "tanh", func(int) { Tanh(x) })
	sums := make([]float64, len(x))
	perItem(b, len(x), "columns", func(int) { AddColumns(sums, x) })
}
