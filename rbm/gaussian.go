package rbm

import (
	"math"

	"instanton/internal/rng"
	"instanton/unit"
)

// Gaussian is a layer of real units with U(x) = γx²/2 + θx, so that Γ(I) = (I−θ)²/2γ + ½ log(2π/γ).
type Gaussian struct {
	Gamma, Theta []float64
}

var _ Quadratic = (*Gaussian)(nil)

func (l *Gaussian) Spec() unit.Spec { return unit.Spec{Type: unit.Gaussian, N: len(l.Gamma)} }

func (l *Gaussian) zero(spec unit.Spec) Layer {
	return &Gaussian{Gamma: make([]float64, spec.N), Theta: make([]float64, spec.N)}
}

func (l *Gaussian) Params() []Param {
	return []Param{curvature("gamma", l.Gamma), vector("theta", l.Theta)}
}

func (l *Gaussian) Potential(x []float64) float64 {
	var sum float64
	for i, xi := range x {
		sum += (l.Gamma[i]*xi/2 + l.Theta[i]) * xi
	}
	return sum
}

func (l *Gaussian) Slope(dst, x []float64) {
	for i, xi := range x {
		dst[i] = l.Gamma[i]*xi + l.Theta[i]
	}
}

func (l *Gaussian) CGF(I []float64) float64 {
	var sum, known, norm float64 // the logarithm is that of the unit before where γ is
	for i, gamma := range l.Gamma {
		d := I[i] - l.Theta[i]
		if gamma != known {
			known, norm = gamma, math.Log(2*math.Pi/gamma)/2
		}
		sum += d*d/(2*gamma) + norm
	}
	return sum
}

func (l *Gaussian) Mean(dst, I []float64) {
	for i, gamma := range l.Gamma {
		dst[i] = (I[i] - l.Theta[i]) / gamma
	}
}

func (l *Gaussian) Variance(dst, I []float64) {
	for i, gamma := range l.Gamma {
		dst[i] = 1 / gamma
	}
}

func (l *Gaussian) Mode(x, I []float64) { l.Mean(x, I) }

func (l *Gaussian) AddStatistics(g Layer, x []float64, scale float64) {
	to := g.(*Gaussian)
	for i, xi := range x {
		to.Gamma[i] += scale * xi * xi / 2
		to.Theta[i] += scale * xi
	}
}

func (l *Gaussian) AddMeanStatistics(g Layer, I []float64, scale float64) {
	to := g.(*Gaussian)
	for i, gamma := range l.Gamma {
		m := (I[i] - l.Theta[i]) / gamma
		to.Gamma[i] += scale * (m*m + 1/gamma) / 2
		to.Theta[i] += scale * m
	}
}

// AddMeanResponse uses Cov(x, x²/2) = ⟨x⟩ Var x.
func (l *Gaussian) AddMeanResponse(g Layer, I, scale []float64) {
	to := g.(*Gaussian)
	for i, s := range scale {
		mean, variance := (I[i]-l.Theta[i])/l.Gamma[i], 1/l.Gamma[i]
		to.Gamma[i] -= s * mean * variance
		to.Theta[i] -= s * variance
	}
}

func (l *Gaussian) AddField(c []float64) {
	for i := range l.Theta {
		l.Theta[i] -= c[i]
	}
}

// Fit reproduces the means and the variances.
func (l *Gaussian) Fit(a *Averages) {
	for i, mean := range a.X {
		l.Gamma[i] = 1 / max(a.Square[i]-mean*mean, floor)
		l.Theta[i] = -mean * l.Gamma[i]
	}
}

// Parabolas gives the same parabola for both sides.
func (l *Gaussian) Parabolas(i int) Parabolas {
	gamma, theta := l.Gamma[i], l.Theta[i]
	return Parabolas{Gamma: [2]float64{gamma, gamma}, Theta: [2]float64{theta, theta}}
}

func (l *Gaussian) mirror(i int) float64 {
	l.Theta[i] *= -1
	return 0
}

// Words is even because words are used in pairs.
func (l *Gaussian) Words() int { return (len(l.Gamma) + 1) &^ 1 }

// Draw makes units 2k and 2k+1 from words 2k and 2k+1 by Box and Muller.
func (l *Gaussian) Draw(dst *unit.States, k int, I []float32, words []uint32) {
	row := dst.RealRow(k)
	for i := 0; i < len(row); i += 2 {
		radius := math.Sqrt(-2 * math.Log(rng.Uniform(words[i])))
		sin, cos := math.Sincos(2 * math.Pi * rng.Uniform(words[i+1]))
		row[i] = l.place(i, I[i], radius*cos)
		if i+1 < len(row) {
			row[i+1] = l.place(i+1, I[i+1], radius*sin)
		}
	}
}

// place turns a standard normal number into the value of unit i.
func (l *Gaussian) place(i int, I float32, z float64) float32 {
	return float32((float64(I)-l.Theta[i])/l.Gamma[i] + z/math.Sqrt(l.Gamma[i]))
}
