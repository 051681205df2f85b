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

func squares(x []float64) (sum float64) {
	for _, v := range x {
		sum += v * v
	}
	return sum
}

func clearLayer(l rbm.Layer) {
	for _, p := range l.Params() {
		clear(p.Data)
	}
}

func multiplyLayer(l rbm.Layer, s float64) {
	for _, p := range l.Params() {
		multiply(p.Data, s)
	}
}

func addLayer(dst, l rbm.Layer) { addScaledLayer(dst, 1, l) }

func addScaledLayer(dst rbm.Layer, s float64, l rbm.Layer) {
	to := dst.Params()
	for k, p := range l.Params() {
		subtractScaled(to[k].Data, -s, p.Data)
	}
}
