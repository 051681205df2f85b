package evaluate

import (
	"fmt"
	"math"

	"instanton/internal/special"
	"instanton/rbm"
	"instanton/unit"
)

// floor keeps a state that the data never show at a small probability.
const floor = 1e-6

// Sites fits the model of independent units to data: their potentials alone reproduce
// the means, those of Gaussian units also the variances; ReLU and dReLU units, with θ = 0,
// have the mean square of the data on each side of zero. Weights of samples may be nil; rows names the
// configurations that count, nil for all.
func Sites(data *unit.States, weights []float64, rows []int) (rbm.Layer, error) {
	l, err := rbm.NewLayer(data.Spec)
	if err != nil {
		return nil, err
	}
	s := sumSites(data, weights, rows)
	if !(s.weight > 0 && special.Finite(s.weight)) {
		return nil, fmt.Errorf("the weights of the data sum to %g: expected a positive number", s.weight)
	}
	for c := range s.first {
		mean, second := s.first[c]/s.weight, s.second[c]/s.weight
		switch l := l.(type) {
		case *rbm.Spin:
			p := clampProbability((1 + mean) / 2)
			l.Fields[c] = math.Log(p/(1-p)) / 2
		case *rbm.Bernoulli:
			p := clampProbability(mean)
			l.Fields[c] = math.Log(p / (1 - p))
		case *rbm.Potts:
			l.Fields[c] = math.Log(max(mean, floor))
		case *rbm.Gaussian:
			l.Gamma[c] = 1 / max(second-mean*mean, floor)
			l.Theta[c] = -mean * l.Gamma[c]
		case *rbm.ReLU:
			l.Gamma[c] = 1 / max(second, floor)
		case *rbm.DReLU:
			right := s.right[c] / s.weight
			l.GammaPlus[c] = 1 / max(right, floor)
			l.GammaMinus[c] = 1 / max(second-right, floor)
			balanceSides(l, c, s.positive[c]/s.weight)
		}
	}
	if l, ok := l.(*rbm.Potts); ok {
		m := rbm.RBM{Visible: l, Hidden: &rbm.Spin{}}
		m.ZeroSum()
	}
	return l, nil
}

// balanceSides turns the sums of squares of either side into conditional ones: with
// θ = 0 the weight of a side is ∝ 1/√γ, and its mean square is 1/γ.
func balanceSides(l *rbm.DReLU, c int, right float64) {
	right = clampProbability(right)
	l.GammaPlus[c] *= right
	l.GammaMinus[c] *= 1 - right
}

func clampProbability(p float64) float64 { return min(max(p, floor), 1-floor) }

// siteSums are weighted sums over the data for every channel.
type siteSums struct {
	weight                         float64
	first, second, right, positive []float64
}

func sumSites(data *unit.States, weights []float64, rows []int) *siteSums {
	width := data.Width()
	s := &siteSums{first: make([]float64, width), second: make([]float64, width), right: make([]float64, width), positive: make([]float64, width)}
	x := make([]float64, data.N)
	each(data.Len, rows, func(k int) {
		w := 1.0
		if weights != nil {
			w = weights[k]
		}
		s.weight += w
		data.Values(x, k)
		for i, xi := range x {
			if data.Type == unit.Potts {
				s.first[i*data.Q+int(xi)] += w
				continue
			}
			s.first[i] += w * xi
			s.second[i] += w * xi * xi
			if xi > 0 {
				s.right[i] += w * xi * xi
				s.positive[i] += w
			}
		}
	})
	return s
}

// each calls f for every row, or for all n of them.
func each(n int, rows []int, f func(k int)) {
	if rows == nil {
		for k := range n {
			f(k)
		}
		return
	}
	for _, k := range rows {
		f(k)
	}
}
