package batch

import (
	"instanton/internal/vec"
	"instanton/rbm"
)

// statistics are sums of derivatives with respect to the parameters of a layer.
type statistics struct {
	layer rbm.Layer
	data  [][]float64
}

func newStatistics(l rbm.Layer) statistics {
	s := statistics{layer: rbm.ZeroLayer(l.Spec())}
	for _, p := range s.layer.Params() {
		s.data = append(s.data, p.Data)
	}
	return s
}

func (s statistics) clear() {
	for _, x := range s.data {
		clear(x)
	}
}

func (s statistics) multiply(factor float64) {
	for _, x := range s.data {
		vec.Scale(factor, x)
	}
}

func (s statistics) add(other statistics) {
	for k, x := range other.data {
		vec.Add(s.data[k], x)
	}
}
