package train

import (
	"instanton/internal/vec"
	"instanton/rbm"
)

// params are the parameters of a layer, or derivatives with respect to them, listed once.
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

// zeroParams returns zero derivatives with respect to the parameters of both layers.
func zeroParams(m *rbm.RBM) (visible, hidden params) {
	zeros := m.NewGradient()
	return paramsOf(zeros.Visible), paramsOf(zeros.Hidden)
}

func (p params) clear() {
	for _, x := range p.data {
		clear(x)
	}
}

func (p params) add(s float64, other params) {
	for k, x := range other.data {
		vec.AddScaled(p.data[k], s, x)
	}
}

func (p params) squares() (sum float64) {
	for _, x := range p.data {
		sum += vec.SumSquares(x)
	}
	return sum
}

// count is the number of parameters.
func (p params) count() (n int) {
	for _, x := range p.data {
		n += len(x)
	}
	return n
}
