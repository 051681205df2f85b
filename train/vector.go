package train

import (
	"math"

	"instanton/rbm"
)

func add(dst, x []float64) {
	for i, v := range x {
		dst[i] += v
	}
}

func subtractScaled(dst []float64, s float64, x []float64) {
	for i, v := range x {
		dst[i] -= s * v
	}
}

func multiply(x []float64, s float64) {
	for i := range x {
		x[i] *= s
	}
}

func norm(x []float64) float64 { return math.Sqrt(squares(x)) }

// dot is a product in four lanes.
func dot(x, y []float64) float64 {
	var a, b, c, d float64
	for y = y[:len(x)]; len(x) >= 4; x, y = x[4:], y[4:] {
		a += x[0] * y[0]
		b += x[1] * y[1]
		c += x[2] * y[2]
		d += x[3] * y[3]
	}
	for i, v := range x {
		a += v * y[i]
	}
	return (a + b) + (c + d)
}

// squares adds up squares in four lanes.
func squares(x []float64) float64 {
	var a, b, c, d float64
	for ; len(x) >= 4; x = x[4:] {
		a += x[0] * x[0]
		b += x[1] * x[1]
		c += x[2] * x[2]
		d += x[3] * x[3]
	}
	for _, v := range x {
		a += v * v
	}
	return (a + b) + (c + d)
}

// scale multiplies a row, unless by one.
func scale(x []float32, s float32) {
	if s == 1 {
		return
	}
	for i := range x {
		x[i] *= s
	}
}

// params are the parameters of a layer, or derivatives by them, listed once.
type params struct {
	layer    rbm.Layer
	data     [][]float64
	positive []bool
}

func paramsOf(l rbm.Layer) params {
	p := params{layer: l}
	for _, x := range l.Params() {
		p.data, p.positive = append(p.data, x.Data), append(p.positive, x.Positive)
	}
	return p
}

func (p params) clear() {
	for _, x := range p.data {
		clear(x)
	}
}

func (p params) multiply(s float64) {
	for _, x := range p.data {
		multiply(x, s)
	}
}

func (p params) add(s float64, other params) {
	for k, x := range other.data {
		subtractScaled(p.data[k], -s, x)
	}
}

func (p params) squares() (sum float64) {
	for _, x := range p.data {
		sum += squares(x)
	}
	return sum
}
