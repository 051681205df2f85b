package jump

import (
	"math"
	"testing"

	"instanton/internal/rng"
	"instanton/unit"
)

// random fills a network with parameters at random, within its masks.
func random(t *testing.T, spec unit.Spec, hidden int) (*Network, *unit.States) {
	t.Helper()
	n, err := NewNetwork(spec, hidden, 3)
	if err != nil {
		t.Fatal(err)
	}
	r := rng.New(8, rng.Refit, 0, 0).Rand()
	l := NewLearner(n, 1, 1)
	size := float32(1)
	if !spec.Type.Discrete() {
		size = 0.3 // widths stay within their limits, where log q has a derivative
	}
	for i := range n.first {
		n.first[i] = float32(r.NormFloat64()) * size * 0.5
	}
	for i := range n.second {
		n.second[i] = float32(r.NormFloat64()) * size * 0.3
	}
	for j := range l.direct.receivers {
		for i := range l.direct.sees(j) {
			l.direct.weights[i*l.direct.receivers+j] = float32(r.NormFloat64()) * size * 0.4
		}
	}
	for i := range n.bias {
		n.bias[i] = float32(r.NormFloat64()) * 0.3
	}
	for i := range n.output {
		n.output[i] += float32(r.NormFloat64()) * 0.3
	}
	x := unit.NewStates(spec, 40)
	for k := range x.Len {
		for i := range spec.N {
			switch {
			case spec.Type.Discrete():
				x.Set(k, i, spec.StateValue(r.IntN(spec.States())))
			case spec.Type == unit.ReLU:
				x.Set(k, i, math.Abs(r.NormFloat64()))
			default:
				x.Set(k, i, r.NormFloat64())
			}
		}
	}
	n.head.adapt(make([]float32, n.outputs()), x)
	n.seal()
	return n, x
}

// layers have numbers of units that fill neither a panel nor a lane, and every type.
var layers = []unit.Spec{
	{Type: unit.Spin, N: 13}, {Type: unit.Bernoulli, N: 2}, {Type: unit.Spin, N: 1}, {Type: unit.Potts, N: 5, Q: 4},
	{Type: unit.Potts, N: 3, Q: 7}, {Type: unit.Gaussian, N: 5}, {Type: unit.ReLU, N: 4}, {Type: unit.DReLU, N: 3},
}

// The lanes of draws and the products of training compute the same log q, and its gradient is that of finite
// differences.
func TestGradient(t *testing.T) {
	for _, spec := range layers {
		n, x := random(t, spec, 3*spec.N+1)
		l := NewLearner(n, x.Len, 2)
		logq := make([]float64, x.Len)
		n.Drawer().Score(logq, x, 0)
		rows := make([]int, x.Len)
		for k := range rows {
			rows[k] = k
		}
		total := func() (sum float64) {
			l.load(x, rows)
			l.evaluate(x.Len, true)
			for _, q := range l.logq {
				sum += q
			}
			return sum
		}
		middle := total()
		kinks := 0
		for k, q := range logq {
			if math.Abs(q-l.logq[k]) > 1e-4*(1+math.Abs(q)) {
				t.Fatalf("%s: log q of row %d is %g, for training %g", spec, k, q, l.logq[k])
			}
		}
		l.derive(x.Len)
		g := append([]float32(nil), l.gradient...)
		for i := range n.theta {
			old := n.theta[i]
			const step = 0.002
			n.theta[i] = old + step
			up := total()
			n.theta[i] = old - step
			down := total()
			n.theta[i] = old
			want := -(up - down) / (2 * step)
			if g[i] == 0 && n.masked(i) {
				continue
			}
			if math.Abs(up+down-2*middle)/step > 0.03*(1+math.Abs(want)) {
				kinks++ // a hidden unit is switched on or off
				continue
			}
			if math.Abs(float64(g[i])-want) > 0.03+0.01*math.Abs(want) {
				t.Errorf("%s: derivative %d is %g, by differences %g", spec, i, g[i], want)
			}
		}
		if 3*kinks > len(n.theta) {
			t.Errorf("%s: %d of %d derivatives at kinks", spec, kinks, len(n.theta))
		}
	}
}

// masked reports whether parameter i is a direct link that the order of the units removes.
func (n *Network) masked(i int) bool {
	in, out := n.inputs(), n.outputs()
	i -= in*n.hidden + n.hidden + n.hidden*out
	return i >= 0 && i < in*out && i/out >= i%out/n.head.out()*n.head.in()
}
