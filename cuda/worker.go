package cuda

import (
	"math"

	"instanton/batch"
	"instanton/internal/gpu"
	"instanton/internal/rng"
	"instanton/unit"
)

// worker draws rows on the GPU. Its memory grows with the largest number of rows.
type worker struct {
	engine   *Engine
	states   [2]*buffer // of each layer
	fields   *buffer
	counters *buffer
	sums     *buffer // of energies
	words    []uint32
	params   *sweepsParams
	products *productsParams
	multiply *denseParams // of real units
	draw     *drawParams

	cpu  batch.Worker // for what the processor does
	made *batch.CPU
}

var _ batch.Worker = (*worker)(nil)

// use does work on the device; a failure ends in a panic with a *batch.Failure, since no method returns an error.
func (w *worker) use(work func() error) {
	w.engine.gpu.mu.Lock()
	defer w.engine.gpu.mu.Unlock()
	if err := work(); err != nil {
		panic(&batch.Failure{Err: err})
	}
}

// prepare makes room for rows.
func (w *worker) prepare(rows int) (err error) {
	g := w.engine.gpu
	for side := range w.states {
		if w.states[side], err = g.room(w.states[side], 4*rows*w.engine.on.layouts[side].stride); err != nil {
			return err
		}
	}
	w.counters, err = g.room(w.counters, 4*rows)
	if w.params == nil {
		w.params, w.products = &sweepsParams{}, &productsParams{}
		w.multiply, w.draw = &denseParams{}, &drawParams{}
	}
	return err
}

// upload copies n configurations of a layer to the device, starting at row from.
func (w *worker) upload(side batch.Side, x *unit.States, from, n int) error {
	l := w.engine.on.layouts[side]
	if cap(w.words) < n*l.stride {
		w.words = make([]uint32, n*l.stride)
	}
	words := w.words[:n*l.stride]
	l.pack(words, x, from, n)
	return put(w.states[side], 0, words)
}

// download is the inverse of upload.
func (w *worker) download(side batch.Side, x *unit.States, to, n int) error {
	l := w.engine.on.layouts[side]
	if cap(w.words) < n*l.stride {
		w.words = make([]uint32, n*l.stride)
	}
	words := w.words[:n*l.stride]
	if err := get(words, w.states[side], 0); err != nil {
		return err
	}
	l.unpack(x, to, words, n)
	return nil
}

// run queues half-sweeps, the first to the given layer.
func (w *worker) run(first batch.Side, rows, halves int, s batch.Stream) error {
	e := w.engine
	if e.on.mixed() {
		return w.runMixed(first, rows, halves, s)
	}
	number := e.gpu.chooseShape(rows, e.on.layouts[:]...)
	hidden := purposeOf(batch.Hidden, s)
	v, h := w.states[batch.Visible].at, w.states[batch.Hidden].at
	p := w.params
	*p = sweepsParams{
		half: [2]productParams{
			e.on.draw(batch.Hidden, shapes[number], v, h, hidden),
			e.on.draw(batch.Visible, shapes[number], h, v, rng.Visible),
		},
		rows: int32(rows), halves: int32(halves), key0: uint32(s.Seed), key1: uint32(s.Seed >> 32), chain: s.Chain,
		sweep: s.Sweep & (1<<56 - 1),
	}
	if first == batch.Visible {
		p.first = 1
	}
	return e.gpu.runSweeps(number, p, w.counters)
}

// mostSweeps is the largest number of sweeps of one launch.
const mostSweeps = 1 << 16

func (w *worker) Sweep(v *unit.States, lo, n int, s batch.Stream, sweeps int) {
	w.use(func() error {
		if n == 0 {
			return nil
		}
		if err := w.prepare(n); err != nil {
			return err
		}
		if err := w.upload(batch.Visible, v, lo, n); err != nil {
			return err
		}
		for sweeps > 0 {
			now := min(sweeps, mostSweeps)
			if err := w.run(batch.Hidden, n, 2*now, s); err != nil {
				return err
			}
			sweeps -= now
			s.Sweep += uint64(now)
		}
		return w.download(batch.Visible, v, lo, n)
	})
}

func (w *worker) Draw(of batch.Side, dst *unit.States, to int, given *unit.States, from, n int, s batch.Stream) {
	w.use(func() error {
		if n == 0 {
			return nil
		}
		if err := w.prepare(n); err != nil {
			return err
		}
		if err := w.upload(of.Other(), given, from, n); err != nil {
			return err
		}
		if err := w.run(of, n, 1, s); err != nil {
			return err
		}
		return w.download(of, dst, to, n)
	})
}

type energiesParams struct {
	fields, scale, v, visible            gpu.Memory
	product, linear, potential, exponent gpu.Memory
	layer                                layer
	rows, units, stride, vStride         int32
	spin, _                              int32
	series                               [13]float64
	rate                                 float64
}

// Energies sets dst to E_eff of rows of v. The GPU computes those with hidden units of two states.
func (w *worker) Energies(dst []float64, v *unit.States, lo int) {
	e := w.engine
	if e.on.mixed() || e.on.hidden.Type == unit.Potts {
		w.processor().Energies(dst, v, lo)
		return
	}
	const most = 1 << 14 // rows at a time
	for len(dst) > 0 {
		n := min(len(dst), most)
		w.use(func() error { return w.energies(dst[:n], v, lo) })
		dst, lo = dst[n:], lo+n
	}
}

func (w *worker) energies(dst []float64, v *unit.States, lo int) (err error) {
	e, n := w.engine, len(dst)
	g, visible, hidden := e.gpu, e.on.layouts[batch.Visible], e.on.layouts[batch.Hidden]
	if err := w.prepare(n); err != nil {
		return err
	}
	if w.fields, err = g.room(w.fields, 4*n*hidden.positions); err != nil {
		return err
	}
	if w.sums, err = g.room(w.sums, 32*n); err != nil {
		return err
	}
	if err := w.upload(batch.Visible, v, lo, n); err != nil {
		return err
	}
	number := g.chooseShape(n, hidden)
	*w.products = productsParams{rows: [2]int32{int32(n), 0}}
	w.products.half[0] = e.on.fieldsOf(batch.Hidden, shapes[number], w.states[batch.Visible].at, w.fields.at)
	if err := g.runProducts(number, w.products); err != nil {
		return err
	}
	p := &energiesParams{
		fields: w.fields.at, scale: e.on.scaleAt(batch.Hidden), v: w.states[batch.Visible].at,
		visible: e.on.fields[batch.Visible].at, product: w.sums.at, linear: w.sums.offset(8 * n),
		potential: w.sums.offset(16 * n), exponent: w.sums.offset(24 * n), layer: visible.layer(),
		rows: int32(n), units: int32(hidden.spec.N), stride: int32(hidden.positions), vStride: int32(visible.stride),
		series: exp2Series, rate: math.Log2E,
	}
	if hidden.spec.Type == unit.Spin {
		p.spin, p.rate = 1, 2*math.Log2E
	}
	if err := launch(g, "energies", 32, 0, n, p); err != nil {
		return err
	}
	sums, exponents := make([]float64, 3*n), make([]int64, n)
	if err := get(sums, w.sums, 0); err != nil {
		return err
	}
	if err := get(exponents, w.sums, 3*n); err != nil {
		return err
	}
	var total float64
	if visible.spec.Type == unit.Spin {
		for _, g := range e.model.Visible.Params()[0].Data {
			total += g
		}
	}
	bias := int64(1023 * max(1, (hidden.spec.N+7)/8))
	for k := range dst {
		cgf := math.Ln2*float64(exponents[k]-bias) + math.Log(sums[k]) + sums[n+k]
		potential := -sums[2*n+k]
		if visible.spec.Type == unit.Spin {
			potential = total - 2*sums[2*n+k]
		}
		dst[k] = potential - cgf
	}
	return nil
}

// exp2Series holds the coefficients (log 2)^k/k! of 2^f.
var exp2Series = func() (c [13]float64) {
	c[0] = 1
	for k := 1; k < len(c); k++ {
		c[k] = c[k-1] * (math.Ln2 / float64(k))
	}
	return c
}()

// processor is a worker of the engine on the processor, with the current parameters.
func (w *worker) processor() batch.Worker {
	if c := w.engine.processor(); c != w.made {
		w.cpu, w.made = c.Worker(), c
	}
	return w.cpu
}

func (w *worker) Inputs(dst []float64, of batch.Side, given *unit.States, from int) {
	w.processor().Inputs(dst, of, given, from)
}

func (w *worker) CGF(dst []float64, of batch.Side, inputs []float64) {
	w.processor().CGF(dst, of, inputs)
}
