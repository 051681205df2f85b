package jump

import (
	"math"

	"instanton/internal/kernel"
	"instanton/internal/parallel"
	"instanton/unit"
)

// Learner fits a network to configurations by Adam (Kingma and Ba, 2015). All of its state is the parameters of the
// network, the two moments and the number of steps, so a fit can be interrupted and continued (see State). The
// number of workers changes nothing.
type Learner struct {
	net     *Network
	batch   int
	workers int

	steps         uint64
	first, second []float32 // moments of the gradient

	gradient              []float32
	toHidden, out, direct *stairs

	x, a, z, g, back []float32 // inputs, hidden units, outputs, derivatives of both, one row per configuration
	values           []float32
	logq             []float64
	gemms            []*kernel.GEMM
	dense            [][2]*kernel.Dense // for gradients, by worker: a full panel and the last
}

// NewLearner prepares to fit a network with minibatches of the given number of configurations.
func NewLearner(n *Network, batch, workers int) *Learner {
	size := len(n.theta)
	l := &Learner{net: n, batch: batch, workers: parallel.Workers(workers, 64),
		first: make([]float32, size), second: make([]float32, size), gradient: make([]float32, size)}
	in, out, per, perOut := n.inputs(), n.outputs(), n.head.in(), n.head.out()
	shape := *n // the same parts of the gradient
	shape.divide(l.gradient)
	l.toHidden = newStairs(in, n.hidden, func(j int) int { return n.degrees[j] * per }, n.first, shape.first, false)
	l.out = newStairs(n.hidden, out, func(o int) int { return n.upTo[o/perOut] }, n.second, shape.second, true)
	l.direct = newStairs(in, out, func(o int) int { return o / perOut * per }, n.direct, shape.direct, false)
	l.x, l.values = make([]float32, batch*in), make([]float32, batch*n.spec.N)
	l.a, l.back = make([]float32, batch*n.hidden), make([]float32, batch*n.hidden)
	l.z, l.g = make([]float32, batch*out), make([]float32, batch*out)
	l.logq = make([]float64, batch)
	for range l.workers {
		l.gemms, l.dense = append(l.gemms, kernel.NewGEMM()), append(l.dense, [2]*kernel.Dense{})
	}
	return l
}

// Network is what is fitted.
func (l *Learner) Network() *Network { return l.net }

// Steps is the number of steps made so far.
func (l *Learner) Steps() uint64 { return l.steps }

// Step makes one step of the optimiser, at the given rate, on the given rows of x, as many as a minibatch has, and
// returns their mean log q before the step. Draws follow the new parameters only after Finish.
func (l *Learner) Step(x *unit.States, rows []int, rate float64) float64 {
	l.load(x, rows)
	l.evaluate(len(rows), true)
	var sum float64
	for _, q := range l.logq[:len(rows)] {
		sum += q
	}
	l.derive(len(rows))
	l.ascend(rate, len(rows))
	return sum / float64(len(rows))
}

// Finish makes the network draw with the parameters of the latest step. No drawer may be running meanwhile.
func (l *Learner) Finish() { l.net.seal() }

// Score returns the mean log q of all rows of x.
func (l *Learner) Score(x *unit.States) float64 {
	rows := make([]int, 0, l.batch)
	var sum float64
	l.setWeights()
	for k := 0; k < x.Len; k += l.batch {
		rows = rows[:0]
		for j := k; j < min(k+l.batch, x.Len); j++ {
			rows = append(rows, j)
		}
		l.load(x, rows)
		l.evaluate(len(rows), false)
		for _, q := range l.logq[:len(rows)] {
			sum += q
		}
	}
	return sum / float64(x.Len)
}

// load reads configurations and their features.
func (l *Learner) load(x *unit.States, rows []int) {
	n := l.net
	units, in := n.spec.N, n.inputs()
	blocks := parallel.Blocks(len(rows), blockOf)
	parallel.For(l.workers, len(blocks), func(_, block int) {
		for b := blocks[block].Lo; b < blocks[block].Hi; b++ {
			value := l.values[b*units : (b+1)*units]
			readRow(value, x, rows[b])
			n.head.features(l.x[b*in:(b+1)*in], value)
		}
	})
}

// blockOf is the number of rows of a task.
const blockOf = 48

// setWeights packs the weights for products.
func (l *Learner) setWeights() {
	all := []*stairs{l.toHidden, l.out, l.direct}
	parallel.For(l.workers, len(all), func(_, k int) { all[k].set() })
}

// evaluate computes log q of the loaded rows and, if asked to, the derivatives with respect to outputs and hidden
// units.
func (l *Learner) evaluate(rows int, derivatives bool) {
	n := l.net
	in, out, hidden := n.inputs(), n.outputs(), n.hidden
	if derivatives {
		l.setWeights()
	}
	blocks := parallel.Blocks(rows, blockOf)
	parallel.For(l.workers, len(blocks), func(worker, k int) {
		gemm, lo, m := l.gemms[worker], blocks[k].Lo, blocks[k].Len()
		x, a, z := l.x[lo*in:], l.a[lo*hidden:(lo+m)*hidden], l.z[lo*out:(lo+m)*out]
		for b := range m {
			copy(a[b*hidden:], n.bias)
			copy(z[b*out:], n.output)
		}
		l.toHidden.forward(gemm, a, x, m)
		rectify(a)
		l.out.forward(gemm, z, a, m)
		l.direct.forward(gemm, z, x, m)
		g := l.g[lo*out : (lo+m)*out]
		for b := range m {
			l.logq[lo+b] = n.head.loss(g[b*out:(b+1)*out], l.values[(lo+b)*n.spec.N:(lo+b+1)*n.spec.N],
				z[b*out:(b+1)*out])
		}
		if !derivatives {
			return
		}
		back := l.back[lo*hidden : (lo+m)*hidden]
		clear(back)
		l.out.backward(gemm, back, g, m)
		for j, y := range a {
			if y <= 0 {
				back[j] = 0
			}
		}
	})
}

// derive computes the gradient of −Σ log q from the derivatives of the rows.
func (l *Learner) derive(rows int) {
	type task struct {
		of       *stairs
		panel    int
		from, to []float32
	}
	var tasks []task
	for k := range l.toHidden.panels {
		tasks = append(tasks, task{l.toHidden, k, l.x, l.back})
	}
	for k := range l.out.panels {
		tasks = append(tasks, task{l.out, k, l.a, l.g})
	}
	for k := range l.direct.panels {
		tasks = append(tasks, task{l.direct, k, l.x, l.g})
	}
	parallel.For(l.workers, len(tasks), func(worker, k int) {
		t := tasks[k]
		p := &t.of.panels[t.panel]
		t.of.derive(l.gemms[worker], t.panel, l.densePanel(worker, rows, p.hi-p.lo), t.from, t.to, rows)
	})
	shape := *l.net
	shape.divide(l.gradient)
	sumRows(shape.bias, l.back, rows)
	sumRows(shape.output, l.g, rows)
}

// densePanel returns room for the derivatives of a panel of receivers.
func (l *Learner) densePanel(worker, rows, cols int) *kernel.Dense {
	which := 0
	if cols < stairWidth {
		which = 1
	}
	d := &l.dense[worker][which]
	if *d == nil || (*d).Rows != rows || (*d).Cols != cols {
		*d = kernel.NewDense(rows, cols)
	}
	return *d
}

func sumRows(dst, rows []float32, n int) {
	clear(dst)
	for k := range n {
		for i, x := range rows[k*len(dst):][:len(dst)] {
			dst[i] += x
		}
	}
}

// ascend makes a step of Adam along the gradient of the mean log q.
func (l *Learner) ascend(rate float64, rows int) {
	const keep1, keep2, epsilon = 0.9, 0.999, 1e-8
	l.steps++
	t := float64(l.steps)
	step := float32(rate / (1 - math.Pow(keep1, t)))
	correct := float32(1 / (1 - math.Pow(keep2, t)))
	scale := 1 / float32(rows)
	blocks := parallel.Blocks(len(l.gradient), 1<<14)
	parallel.For(l.workers, len(blocks), func(_, k int) {
		r := blocks[k]
		g, m, v, theta := l.gradient[r.Lo:r.Hi], l.first[r.Lo:r.Hi], l.second[r.Lo:r.Hi], l.net.theta[r.Lo:r.Hi]
		for i, x := range g {
			if x == 0 && m[i] == 0 {
				continue // masked
			}
			x *= scale
			m[i] = float32(keep1*m[i]) + float32((1-keep1)*x)
			v[i] = float32(keep2*v[i]) + float32((1-keep2)*float32(x*x))
			theta[i] -= step * m[i] / (float32(math.Sqrt(float64(float32(correct*v[i])))) + epsilon)
		}
	})
}

// rectify replaces inputs of hidden units by max(0, x).
func rectify(x []float32) {
	for i, v := range x {
		x[i] = max(v, 0)
	}
}
