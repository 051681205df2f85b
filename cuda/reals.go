package cuda

import (
	"fmt"
	"math"

	"instanton/batch"
	"instanton/internal/gpu"
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/unit"
)

type narrowParams struct {
	w, out                       gpu.Memory
	rows, cols, fromStep, toStep int32
}

type denseParams struct {
	in, w, first, out           gpu.Memory
	rows, inner, cols, inStride int32
}

type drawParams struct {
	fixed, scale, reals, out, parameters gpu.Memory
	layer                                layer
	rows, stride, outStride, kind        int32
	factor                               float32
	key0, key1, chain, sweep, purpose    uint32
}

// Kinds of draws from fields that are already computed; see reals.cu.
var drawKinds = map[unit.Type]int32{
	unit.Bernoulli: 0, unit.Spin: 0, unit.Potts: 1, unit.Gaussian: 2, unit.ReLU: 3, unit.DReLU: 4,
}

// mixed tells whether a layer is real: then sweeps are made of several kernels.
func (p *parameters) mixed() bool { return p.layouts[0].real() || p.layouts[1].real() }

// newNarrow describes the weights from a real layer.
func (p *parameters) newNarrow(to batch.Side) *narrowParams {
	nv, nh := int32(p.visible.Width()), int32(p.hidden.Width())
	if to == batch.Hidden {
		return &narrowParams{w: p.w.at, out: p.dense[to].at, rows: nv, cols: nh, fromStep: nh, toStep: 1}
	}
	return &narrowParams{w: p.w.at, out: p.dense[to].at, rows: nh, cols: nv, fromStep: 1, toStep: nh}
}

// realParameters is the number of parameters of a real unit on the device, at most.
const realParameters = 5

// realLaw lists the parameters of the laws of real units, as package batch rounds them.
func realLaw(l rbm.Layer) []float32 {
	n := l.Spec().N
	x := make([]float32, realParameters*n)
	half := func(gain, offset []float32, gamma, theta []float64, sign float64) {
		for i, g := range gamma {
			gain[i], offset[i] = float32(1/math.Sqrt(g)), float32(sign*theta[i]/math.Sqrt(g))
		}
	}
	switch l := l.(type) {
	case *rbm.Gaussian:
		for i, g := range l.Gamma {
			x[i], x[n+i], x[2*n+i] = float32(1/g), float32(-l.Theta[i]/g), float32(1/math.Sqrt(g))
		}
	case *rbm.ReLU:
		half(x, x[n:], l.Gamma, l.Theta, 1)
	case *rbm.DReLU:
		half(x, x[n:], l.GammaPlus, l.ThetaPlus, 1)
		half(x[2*n:], x[3*n:], l.GammaMinus, l.ThetaMinus, -1)
		for i, g := range l.GammaPlus {
			x[4*n+i] = float32(math.Log2(l.GammaMinus[i]/g) / 2)
		}
	default:
		panic(fmt.Sprintf("cuda: no law for %v", l.Spec()))
	}
	return x
}

// purposeOf is the purpose of the random numbers of draws of a layer.
func purposeOf(side batch.Side, s batch.Stream) rng.Purpose {
	switch {
	case s.Recorded:
		return rng.Record
	case side == batch.Hidden:
		return rng.Hidden
	}
	return rng.Visible
}

// runMixed queues half-sweeps of layers of which one at least is real: for each a product, then draws from its result.
func (w *worker) runMixed(first batch.Side, rows, halves int, s batch.Stream) error {
	e := w.engine
	var err error
	widest := max(e.on.layouts[0].positions, e.on.layouts[1].positions, e.on.visible.Width(), e.on.hidden.Width())
	if w.fields, err = e.gpu.room(w.fields, 4*rows*widest); err != nil {
		return err
	}
	for t := range halves {
		side := first
		if t%2 == 1 {
			side = first.Other()
		}
		at := s
		at.Sweep += uint64(t / 2)
		if err := w.half(side, rows, at); err != nil {
			return err
		}
	}
	return nil
}

// half queues one half-sweep.
func (w *worker) half(side batch.Side, rows int, s batch.Stream) error {
	e := w.engine
	g, to, from := e.gpu, e.on.layouts[side], e.on.layouts[side.Other()]
	sweep := s.Sweep & (1<<56 - 1)
	*w.draw = drawParams{
		out: w.states[side].at, parameters: e.on.fields[side].at, layer: to.layer(), rows: int32(rows),
		outStride: int32(to.stride), kind: drawKinds[to.spec.Type], factor: math.Log2E, key0: uint32(s.Seed),
		key1: uint32(s.Seed >> 32), chain: s.Chain, sweep: uint32(sweep),
		purpose: uint32(purposeOf(side, s))<<24 | uint32(sweep>>32),
	}
	if to.spec.Type == unit.Spin {
		w.draw.factor *= 2
	}
	if from.real() {
		cols := to.spec.Width()
		*w.multiply = denseParams{
			in: w.states[side.Other()].at, w: e.on.dense[side].at, out: w.fields.at, rows: int32(rows),
			inner: int32(from.spec.Width()), cols: int32(cols), inStride: int32(from.stride),
		}
		if e.on.first[side] != nil {
			w.multiply.first = e.on.first[side].at
		}
		const side, depth = 64, 16
		blocks := ceil(rows, side) * ceil(cols, side)
		if err := launch(g, "dense", 256, 8*depth*(side+1), 256*blocks, w.multiply); err != nil {
			return err
		}
		w.draw.reals, w.draw.stride = w.fields.at, int32(cols)
	} else {
		number := g.chooseShape(rows, to)
		*w.products = productsParams{rows: [2]int32{int32(rows), 0}}
		w.products.half[0] = e.on.fieldsOf(side, shapes[number], w.states[side.Other()].at, w.fields.at)
		if err := g.runProducts(number, w.products); err != nil {
			return err
		}
		w.draw.fixed, w.draw.scale, w.draw.stride = w.fields.at, e.on.scaleAt(side), int32(to.positions)
	}
	warps := rows
	if to.spec.Type != unit.Potts {
		warps *= ceil(to.spec.N, 32)
	}
	return launch(g, "draw_units", 128, 0, 32*warps, w.draw)
}
