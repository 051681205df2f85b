package vec_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"instanton/internal/vec"
)

func random(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// laneDot is the loop of Dot's comment.
func laneDot(x, y []float64) float64 {
	var lane [4]float64
	for i := range x {
		if i < len(x)/4*4 {
			lane[i%4] += x[i] * y[i]
		} else {
			lane[0] += x[i] * y[i]
		}
	}
	return (lane[0] + lane[1]) + (lane[2] + lane[3])
}

func TestPlainLoops(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		x, y, s := random(r, n), random(r, n), r.NormFloat64()
		var sum, squared, top float64
		added, scaled, axpy := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			sum += x[i]
			squared += (x[i] - y[i]) * (x[i] - y[i])
			top = max(top, math.Abs(x[i]))
			added[i], scaled[i], axpy[i] = y[i]+x[i], x[i]*s, y[i]+s*x[i]
		}
		for _, c := range []struct {
			name      string
			got, want float64
		}{
			{"Dot", vec.Dot(x, y), laneDot(x, y)},
			{"SumSquares", vec.SumSquares(x), laneDot(x, x)},
			{"Norm", vec.Norm(x), math.Sqrt(laneDot(x, x))},
			{"Sum", vec.Sum(x), sum},
			{"SquaredDistance", vec.SquaredDistance(x, y), squared},
			{"Distance", vec.Distance(x, y), math.Sqrt(squared)},
			{"MaxAbs", vec.MaxAbs(x), top},
		} {
			if c.got != c.want {
				t.Errorf("%s of %d elements: %v, the plain loop gives %v", c.name, n, c.got, c.want)
			}
		}
		for _, c := range []struct {
			name string
			do   func(x, y []float64) []float64
			want []float64
		}{
			{"Add", func(x, y []float64) []float64 { vec.Add(y, x); return y }, added},
			{"AddScaled", func(x, y []float64) []float64 { vec.AddScaled(y, s, x); return y }, axpy},
			{"Scale", func(x, _ []float64) []float64 { vec.Scale(s, x); return x }, scaled},
		} {
			if got := c.do(slices.Clone(x), slices.Clone(y)); !slices.Equal(got, c.want) {
				t.Errorf("%s of %d elements: %v, the plain loop gives %v", c.name, n, got, c.want)
			}
		}
	}
}

func TestWeightedMean(t *testing.T) {
	x := []float64{1, math.Inf(1), 4}
	for _, c := range []struct {
		x, weights []float64
		want       float64
	}{
		{[]float64{1, 2, 6}, nil, 3},
		{[]float64{1, 2, 6}, []float64{1, 1, 1}, 3},
		{x, []float64{2, 0, 1}, 2}, // what does not count may have any value
		{x, []float64{1, 1, 1}, math.Inf(1)},
		{x, []float64{0, 0, 0}, math.NaN()},
		{nil, nil, math.NaN()},
	} {
		if got := vec.WeightedMean(c.x, c.weights); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("WeightedMean(%v, %v) = %v, want %v", c.x, c.weights, got, c.want)
		}
	}
}

func TestPick(t *testing.T) {
	x := []float64{1, 2, 3}
	if got := vec.Pick(x, []int{2, 0, 2}); !slices.Equal(got, []float64{3, 1, 3}) {
		t.Errorf("picked %v", got)
	}
	if got := vec.Pick(x, nil); !slices.Equal(got, x) {
		t.Errorf("without places: %v", got)
	}
	if got := vec.Pick(nil, []int{1}); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}
