package jump

import (
	"math"

	"instanton/internal/kernel"
	"instanton/internal/rng"
	"instanton/unit"
)

// bitHead is the law of a unit with two states, 0 and 1: its output z is the logarithm of the odds of 1. Its feature
// is −1 or 1.
type bitHead struct{}

func (*bitHead) in() int    { return 1 }
func (*bitHead) out() int   { return 1 }
func (*bitHead) words() int { return 1 }

func (*bitHead) begin([]float32, int) {}

func (*bitHead) adapt(bias []float32, x *unit.States) {
	for i := range bias {
		ones := 0
		for k := range x.Len {
			ones += int(x.Bits[k*x.Stride+i>>6] >> (i & 63) & 1)
		}
		bias[i] = float32(math.Log((float64(ones) + 1) / (float64(x.Len-ones) + 1)))
	}
}

func (*bitHead) draw(value []float32, _ int, out []float32, words []uint32) {
	var t [lanes]float32
	copy(t[:], out)
	kernel.Logistic(t[:])
	for c := range value {
		value[c] = 0
		if rng.Uniform(words[c]) < float64(t[c]) {
			value[c] = 1
		}
	}
}

func (*bitHead) score(p, _ []float64, _ int, value, out []float32) {
	var t [lanes]float32
	for c, v := range value {
		t[c] = out[c] * (2*v - 1)
	}
	kernel.Logistic(t[:])
	for c := range value {
		p[c] *= float64(t[c])
	}
}

func (*bitHead) encode(x []float32, _ int, value []float32) {
	for c, v := range value {
		x[c] = 2*v - 1
	}
}

func (*bitHead) features(x, value []float32) {
	for i, v := range value {
		x[i] = 2*v - 1
	}
}

func (*bitHead) loss(g []float32, value, out []float32) float64 {
	for i, v := range value {
		g[i] = out[i] * (2*v - 1)
	}
	kernel.Logistic(g)
	var logq float64
	p := 1.0
	for i, v := range value {
		p *= float64(g[i])
		if p < 1e-200 || i == len(value)-1 {
			logq += math.Log(p)
			p = 1
		}
		g[i] = (1 - g[i]) * (1 - 2*v)
	}
	return logq
}
