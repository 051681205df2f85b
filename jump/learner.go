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

	gradient []float32
	parts    Network // the gradient, divided like the parameters
	direct   *stairs

	x, z, g []float32 // inputs, outputs and their derivatives, one row per configuration
	a, back []float32 // hidden units after all inputs, and their derivatives, likewise
	values  []float32
	logq    []float64

	laneX, laneE []float32   // inputs and derivatives of outputs, tile by tile, [channel][lane]
	laneA, laneZ [][]float32 // hidden units and outputs in lanes, by worker
	gemms        []*kernel.GEMM
	dense        [][2]*kernel.Dense // for gradients, by worker: a full panel and the last
}

// NewLearner prepares to fit a network with minibatches of the given number of configurations.
func NewLearner(n *Network, batch, workers int) *Learner {
	size := len(n.theta)
	l := &Learner{net: n, batch: batch, workers: parallel.Workers(workers, 64),
		first: make([]float32, size), second: make([]float32, size), gradient: make([]float32, size)}
	in, out, per, perOut := n.inputs(), n.outputs(), n.head.in(), n.head.out()
	l.parts = *n
	l.parts.divide(l.gradient)
	l.direct = newStairs(in, out, func(o int) int { return o / perOut * per }, n.direct, l.parts.direct)
	l.x, l.values = make([]float32, batch*in), make([]float32, batch*n.spec.N)
	l.z, l.g = make([]float32, batch*out), make([]float32, batch*out)
	l.logq = make([]float64, batch)
	tiles := (batch + lanes - 1) / lanes
	l.a, l.back = make([]float32, tiles*lanes*n.hidden), make([]float32, tiles*lanes*n.hidden)
	l.laneX, l.laneE = make([]float32, tiles*lanes*in), make([]float32, tiles*lanes*out)
	for range l.workers {
		l.laneA = append(l.laneA, make([]float32, n.hidden*lanes))
		l.laneZ = append(l.laneZ, make([]float32, out*lanes))
	}
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
	l.direct.set()
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
	blocks := parallel.Blocks(len(rows), lanes)
	parallel.For(l.workers, len(blocks), func(_, block int) {
		lo := blocks[block].Lo
		to := l.laneX[lo*in : (lo+lanes)*in]
		clear(to)
		for b := lo; b < blocks[block].Hi; b++ {
			value := l.values[b*units : (b+1)*units]
			readRow(value, x, rows[b])
			row := l.x[b*in : (b+1)*in]
			n.head.features(row, value)
			for k, y := range row {
				to[k*lanes+b-lo] = y
			}
		}
	})
}

// evaluate computes log q of the loaded rows and, if asked to, the derivatives with respect to outputs.
func (l *Learner) evaluate(rows int, derivatives bool) {
	n := l.net
	in, out := n.inputs(), n.outputs()
	if derivatives {
		l.direct.set()
	}
	blocks := parallel.Blocks(rows, lanes)
	parallel.For(l.workers, len(blocks), func(worker, k int) {
		lo, m := blocks[k].Lo, blocks[k].Len()
		z, g := l.z[lo*out:(lo+m)*out], l.g[lo*out:(lo+m)*out]
		for b := range m {
			copy(z[b*out:], n.output)
		}
		l.direct.forward(l.gemms[worker], z, l.x[lo*in:], m)
		a, sums := l.laneA[worker], l.laneZ[worker]
		startHidden(a, n.bias)
		clear(sums)
		x, per := l.laneX[lo*in:(lo+lanes)*in], n.head.out()*lanes
		for i := range n.spec.N {
			n.act(sums[i*per:(i+1)*per], a, i)
			n.receive(a, x, i)
		}
		e := l.laneE[lo*out : (lo+lanes)*out]
		clear(e)
		for b := range m {
			row, slope := z[b*out:(b+1)*out], g[b*out:(b+1)*out]
			for o := range row {
				row[o] += sums[o*lanes+b]
			}
			l.logq[lo+b] = n.head.loss(slope, l.values[(lo+b)*n.spec.N:(lo+b+1)*n.spec.N], row)
			for o, y := range slope {
				e[o*lanes+b] = y
			}
		}
		if derivatives {
			for j := range n.hidden {
				for c, y := range a[j*lanes:][:lanes] {
					l.a[(lo+c)*n.hidden+j] = y
				}
			}
		}
	})
}

// derive computes the gradient of −Σ log q from the derivatives of the rows. Hidden units are independent of each other
// here, so they are shared out among the workers, and every sum over rows is in order.
func (l *Learner) derive(rows int) {
	n := l.net
	in, out := n.inputs(), n.outputs()
	clear(l.parts.first)
	clear(l.parts.second)
	clear(l.back)
	back := kernel.NADE{Units: n.spec.N, In: n.head.in(), Out: n.head.out(), Hidden: n.hidden, W: n.first, V: n.second,
		DW: l.parts.first, DV: l.parts.second}
	columns := n.hidden / hiddenStep
	parallel.For(l.workers, columns+len(l.direct.panels), func(worker, k int) {
		if k >= columns {
			p := &l.direct.panels[k-columns]
			l.direct.derive(l.gemms[worker], k-columns, l.densePanel(worker, rows, p.hi-p.lo), l.x, l.g, rows)
			return
		}
		for lo := 0; lo < rows; lo += lanes {
			kernel.NADEBack(&back, k*hiddenStep, l.a[lo*n.hidden:], l.back[lo*n.hidden:], l.laneX[lo*in:],
				l.laneE[lo*out:])
		}
	})
	sumRows(l.parts.bias, l.back, rows)
	sumRows(l.parts.output, l.g, rows)
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
	blocks := parallel.Blocks(len(l.gradient), 1<<14)
	parallel.For(l.workers, len(blocks), func(_, k int) {
		r := blocks[k]
		kernel.AdamFloats(l.net.theta[r.Lo:r.Hi], l.gradient[r.Lo:r.Hi], l.first[r.Lo:r.Hi], l.second[r.Lo:r.Hi],
			1/float32(rows), keep1, keep2, step, correct, epsilon)
	})
}
