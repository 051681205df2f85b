package rbm

import (
	"math"

	"instanton/internal/rng"
	"instanton/internal/special"
	"instanton/internal/vec"
	"instanton/unit"
)

// Bernoulli is a layer of 0/1 units with V(x) = −g x, so Γ(I) = log(1+e^{I+g}).
type Bernoulli struct {
	Fields []float64 // g
}

var _ Layer = (*Bernoulli)(nil)

func (l *Bernoulli) Spec() unit.Spec           { return unit.Spec{Type: unit.Bernoulli, N: len(l.Fields)} }
func (l *Bernoulli) zero(spec unit.Spec) Layer { return &Bernoulli{Fields: make([]float64, spec.N)} }

func (l *Bernoulli) Params() []Param { return []Param{vector("fields", l.Fields)} }

func (l *Bernoulli) Potential(x []float64) float64 { return -Contract(l.Spec(), l.Fields, x) }

func (l *Bernoulli) Slope(dst, x []float64) {
	for i, g := range l.Fields {
		dst[i] = -g
	}
}

func (l *Bernoulli) CGF(I []float64) float64 {
	var sum float64
	for i, g := range l.Fields {
		sum += special.Softplus(I[i] + g)
	}
	return sum
}

func (l *Bernoulli) Mean(dst, I []float64) {
	for i, g := range l.Fields {
		dst[i] = special.Sigmoid(I[i] + g)
	}
}

func (l *Bernoulli) Variance(dst, I []float64) {
	for i, g := range l.Fields {
		x := I[i] + g
		dst[i] = special.Sigmoid(x) * special.Sigmoid(-x)
	}
}

func (l *Bernoulli) Mode(x, I []float64) {
	for i, g := range l.Fields {
		x[i] = 0
		if I[i]+g > 0 {
			x[i] = 1
		}
	}
}

func (l *Bernoulli) AddStatistics(g Layer, x []float64, scale float64) {
	to := g.(*Bernoulli)
	for i := range l.Fields {
		to.Fields[i] -= scale * x[i]
	}
}

func (l *Bernoulli) AddMeanStatistics(g Layer, I []float64, scale float64) {
	to := g.(*Bernoulli)
	for i, f := range l.Fields {
		to.Fields[i] -= scale * special.Sigmoid(I[i]+f)
	}
}

func (l *Bernoulli) AddMeanResponse(g Layer, I, scale []float64) {
	to := g.(*Bernoulli)
	for i, f := range l.Fields {
		x := I[i] + f
		to.Fields[i] += scale[i] * (special.Sigmoid(x) * special.Sigmoid(-x))
	}
}

func (l *Bernoulli) AddField(c []float64) { vec.Add(l.Fields, c) }

// Fit reproduces the means, but keeps them a little away from 0 and 1.
func (l *Bernoulli) Fit(a *Averages) {
	for i, mean := range a.X {
		p := clampProbability(mean)
		l.Fields[i] = math.Log(p / (1 - p))
	}
}

func (l *Bernoulli) Words() int { return len(l.Fields) }

func (l *Bernoulli) Draw(dst *unit.States, k int, I []float32, words []uint32) {
	row := dst.BitRow(k)
	clear(row)
	for i, g := range l.Fields {
		if rng.Uniform(words[i]) < special.Sigmoid(float64(I[i])+g) {
			row[i>>6] |= 1 << (i & 63)
		}
	}
}

func (l *Bernoulli) mirror(i int) float64 {
	l.Fields[i] *= -1
	return 1
}
