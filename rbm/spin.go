package rbm

import (
	"math"

	"instanton/internal/rng"
	"instanton/internal/special"
	"instanton/internal/vec"
	"instanton/unit"
)

// Spin is a layer of ±1 units with V(x) = −g x, so Γ(I) = log 2cosh(I+g).
type Spin struct {
	Fields []float64 // g
}

var _ Layer = (*Spin)(nil)

func (l *Spin) Spec() unit.Spec           { return unit.Spec{Type: unit.Spin, N: len(l.Fields)} }
func (l *Spin) zero(spec unit.Spec) Layer { return &Spin{Fields: make([]float64, spec.N)} }

func (l *Spin) Params() []Param { return []Param{vector("fields", l.Fields)} }

func (l *Spin) Potential(x []float64) float64 { return -Contract(l.Spec(), l.Fields, x) }

func (l *Spin) Slope(dst, x []float64) {
	for i, g := range l.Fields {
		dst[i] = -g
	}
}

func (l *Spin) CGF(I []float64) float64 {
	var sum float64
	for i, g := range l.Fields {
		sum += special.Log2Cosh(I[i] + g)
	}
	return sum
}

func (l *Spin) Mean(dst, I []float64) {
	for i, g := range l.Fields {
		dst[i] = math.Tanh(I[i] + g)
	}
}

// Variance is 1/cosh², written so that the tails keep their relative accuracy.
func (l *Spin) Variance(dst, I []float64) {
	for i, g := range l.Fields {
		x := 2 * (I[i] + g)
		dst[i] = 4 * special.Sigmoid(x) * special.Sigmoid(-x)
	}
}

func (l *Spin) Mode(x, I []float64) {
	for i, g := range l.Fields {
		x[i] = math.Copysign(1, I[i]+g)
	}
}

func (l *Spin) AddStatistics(g Layer, x []float64, scale float64) {
	to := g.(*Spin)
	for i := range l.Fields {
		to.Fields[i] -= scale * x[i]
	}
}

func (l *Spin) AddMeanStatistics(g Layer, I []float64, scale float64) {
	to := g.(*Spin)
	for i, f := range l.Fields {
		to.Fields[i] -= scale * math.Tanh(I[i]+f)
	}
}

func (l *Spin) AddMeanResponse(g Layer, I, scale []float64) {
	to := g.(*Spin)
	for i, f := range l.Fields {
		x := 2 * (I[i] + f)
		to.Fields[i] += scale[i] * (4 * special.Sigmoid(x) * special.Sigmoid(-x))
	}
}

func (l *Spin) AddField(c []float64) { vec.Add(l.Fields, c) }

// Fit reproduces the means, but keeps them a little away from ±1.
func (l *Spin) Fit(a *Averages) {
	for i, mean := range a.X {
		p := clampProbability((1 + mean) / 2)
		l.Fields[i] = math.Log(p/(1-p)) / 2
	}
}

func (l *Spin) Words() int { return len(l.Fields) }

func (l *Spin) Draw(dst *unit.States, k int, I []float32, words []uint32) {
	row := dst.BitRow(k)
	clear(row)
	for i, g := range l.Fields {
		if rng.Uniform(words[i]) < special.Sigmoid(2*(float64(I[i])+g)) {
			row[i>>6] |= 1 << (i & 63)
		}
	}
}

func (l *Spin) mirror(i int) float64 {
	l.Fields[i] *= -1
	return 0
}
