package cuda

import (
	"unsafe"

	"instanton/batch"
	"instanton/internal/gpu"
	"instanton/internal/rng"
	"instanton/unit"
)

// updateParams are what changes from update to update; see step.cu.
type updateParams struct {
	sweep                    uint64
	count, first             int32
	rate, correctU, correctS float64
}

type stepParams struct {
	w, u, s, visible, hidden                                   gpu.Memory
	positive, negative, scaleP, scaleN                         gpu.Memory
	vp, vn, hp, hn, lambda, variance, mu, sigma                gpu.Memory
	steps, squares, weights, products, absolute                gpu.Memory
	pieces, columns, norms, update, fixed                      gpu.Memory
	clip, keepU, takeU, keepS, takeS, epsilon, chains, l1, l2  float64
	fieldL2                                                    float64
	rows, cols, stride, optimizer, centred, standardised, spin int32
	_                                                          int32
}

// learning is a training on the GPU. One update is a recording of launches, which the host repeats; what changes from
// one to the next lies in memory.
type learning struct {
	engine  *Engine
	options batch.LearnOptions

	samples, order   *buffer
	minibatch        *buffer // rows of bits
	v, h, counters   *buffer // of the chains
	data, model      *moments
	launches         *both
	u, s             *buffer
	lambda, variance *buffer
	mu, sigma        *buffer
	scratch          *buffer // steps, then sums over rows, pieces and norms
	changes          *buffer // updateParams
	norms            gpu.Memory

	sweeps *sweepsParams
	shape  int // of sweeps
	step   *stepParams
	graph  gpu.Graph
	host   *updateParams // what changes, in memory that the device reads
	result *[3]float64   // norms
}

var (
	_ batch.Learner  = (*Engine)(nil)
	_ batch.Learning = (*learning)(nil)
)

// pieceRows is the number of visible units whose compensation is summed together, as in package train.
const pieceRows = 64

// Learn prepares a training of two layers of units with two states.
func (e *Engine) Learn(o batch.LearnOptions) (batch.Learning, error) {
	cols := e.on.hidden.Width()
	largest := 8 * max(4*cols, 4+3*e.on.visible.Width()+cols) // shared memory of a step
	if e.on.mixed() || e.on.visible.Channels() > 1 || e.on.hidden.Channels() > 1 ||
		largest > e.gpu.device.SharedMemory() {
		return nil, nil
	}
	l := &learning{engine: e, options: o}
	e.gpu.mu.Lock()
	defer e.gpu.mu.Unlock()
	if err := l.allocate(); err != nil {
		return nil, err
	}
	visible := e.on.layouts[batch.Visible]
	for first := 0; first < o.Samples.Len; { // in parts, for the sake of the host's memory
		n := min(o.Samples.Len-first, 1<<14)
		words := make([]uint32, n*visible.stride)
		visible.pack(words, o.Samples, first, n)
		if err := put(l.samples, first*visible.stride, words); err != nil {
			return nil, err
		}
		first += n
	}
	if err := put(l.mu, 0, o.Mu); err != nil {
		return nil, err
	}
	if err := put(l.sigma, 0, o.Sigma); err != nil {
		return nil, err
	}
	l.prepare()
	var err error
	l.graph, err = e.gpu.device.Capture(l.queue)
	return l, err
}

// allocate makes room.
func (l *learning) allocate() (err error) {
	e, o := l.engine, l.options
	v, h := e.on.layouts[batch.Visible], e.on.layouts[batch.Hidden]
	nv, nh := e.on.visible.Width(), e.on.hidden.Width()
	parameters := nv*nh + nv + nh
	for _, b := range []struct {
		to    **buffer
		bytes int
	}{
		{&l.samples, 4 * v.stride * o.Samples.Len}, {&l.order, 4 * o.Samples.Len},
		{&l.minibatch, 4 * v.stride * o.Batch},
		{&l.v, 4 * v.stride * o.Chains}, {&l.h, 4 * h.stride * o.Chains}, {&l.counters, 4 * o.Chains},
		{&l.u, 8 * parameters}, {&l.s, 8 * parameters}, {&l.lambda, 8 * nh}, {&l.variance, 8 * nh},
		{&l.mu, 8 * nv}, {&l.sigma, 8 * nv}, {&l.changes, 64},
		{&l.scratch, 8 * (nv*nh + 4*nv + 2*ceil(nv, pieceRows)*nh + 3)},
	} {
		if *b.to, err = e.gpu.room(nil, b.bytes); err != nil {
			return err
		}
	}
	if l.data, err = newMoments(e.on, o.Batch); err != nil {
		return err
	}
	if l.model, err = newMoments(e.on, o.Chains); err != nil {
		return err
	}
	host, err := e.gpu.device.Pinned(int(unsafe.Sizeof(*l.host)))
	if err != nil {
		return err
	}
	result, err := e.gpu.device.Pinned(int(unsafe.Sizeof(*l.result)))
	l.host, l.result = (*updateParams)(host), (*[3]float64)(result)
	return err
}

// prepare sets the parameters of all launches.
func (l *learning) prepare() {
	e, o, g := l.engine, l.options, l.engine.gpu
	v, h := e.on.layouts[batch.Visible], e.on.layouts[batch.Hidden]
	nv, nh := e.on.visible.Width(), e.on.hidden.Width()
	countAt, firstAt := l.changes.offset(8), l.changes.offset(12)

	l.data.transpose.order, l.data.transpose.first, l.data.transpose.rows = l.order.at, firstAt, l.minibatch.at
	l.data.means.count, l.data.finish.count = countAt, countAt

	l.launches = &both{of: []*moments{l.data, l.model}}
	l.shape = g.chooseShape(o.Chains, v, h)
	s := shapes[l.shape]
	l.sweeps = &sweepsParams{
		half: [2]productParams{
			e.on.draw(batch.Hidden, s, l.v.at, l.h.at, rng.Hidden),
			e.on.draw(batch.Visible, s, l.h.at, l.v.at, rng.Visible),
		},
		rows: int32(o.Chains), halves: int32(2 * o.Sweeps), key0: uint32(o.Seed), key1: uint32(o.Seed >> 32),
		chain: o.First, sweepAt: l.changes.at,
	}
	at := func(n int) gpu.Memory { return l.scratch.offset(8 * n) }
	pieces := nv*nh + 4*nv
	columns := pieces + ceil(nv, pieceRows)*nh
	l.norms = at(columns + ceil(nv, pieceRows)*nh)
	l.step = &stepParams{
		w: e.on.w.at, u: l.u.at, s: l.s.at,
		visible: e.on.fields[batch.Visible].at, hidden: e.on.fields[batch.Hidden].at,
		positive: l.data.out.at, negative: l.model.out.at, scaleP: l.data.scale.at, scaleN: l.model.scale.at,
		vp: l.data.v.at, vn: l.model.v.at, hp: l.data.h.at, hn: l.model.h.at, lambda: l.lambda.at,
		variance: l.variance.at, mu: l.mu.at, sigma: l.sigma.at, steps: at(0), squares: at(nv * nh),
		weights: at(nv*nh + nv), products: at(nv*nh + 2*nv), absolute: at(nv*nh + 3*nv), pieces: at(pieces),
		columns: at(columns), norms: l.norms, update: l.changes.at, fixed: e.on.fixed.at,
		clip: o.Clip, keepU: o.KeepU, takeU: 1 - o.KeepU, keepS: o.KeepS, takeS: 1 - o.KeepS, epsilon: o.Epsilon,
		chains: float64(o.Chains), l1: o.L1, l2: o.L2, fieldL2: o.FieldL2,
		rows: int32(nv), cols: int32(nh), stride: int32(h.positions), optimizer: int32(o.Rule),
	}
	for _, flag := range []struct {
		to *int32
		is bool
	}{{&l.step.centred, o.Centred}, {&l.step.standardised, o.Standardised}, {&l.step.spin, h.spec.Type == unit.Spin}} {
		if flag.is {
			*flag.to = 1
		}
	}
}

// queue queues one update: sweeps, averages, a step, and the rounding of the new parameters.
func (l *learning) queue() error {
	g, s := l.engine.gpu, l.step
	const threads = 256
	rows, cols := int(s.rows), int(s.cols)
	for _, do := range []func() error{
		func() error {
			return g.device.Upload(l.changes.at, unsafe.Pointer(l.host), int(unsafe.Sizeof(*l.host)))
		},
		func() error { return g.runSweeps(l.shape, l.sweeps, l.counters) },
		func() error { return l.launches.queueAll(l.samples.at, l.v.at) },
		func() error { return launch(g, "step_rows", threads, 32*cols, threads*rows, s) },
		func() error {
			blocks := 1 + ceil(cols, threads)*ceil(rows, pieceRows)
			return launch(g, "step_pieces", threads, 8*(4+3*rows+cols), threads*blocks, s)
		},
		func() error { return launch(g, "step_layers", threads, 0, rows+cols, s) },
		l.engine.on.roundAgain,
		func() error { return g.device.Fetch(unsafe.Pointer(l.result), l.norms, int(unsafe.Sizeof(*l.result))) },
	} {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

// Order takes the order of the samples.
func (l *learning) Order(rows []int32) error {
	l.engine.gpu.mu.Lock()
	defer l.engine.gpu.mu.Unlock()
	return put(l.order, 0, rows)
}

// Update does one update.
func (l *learning) Update(u batch.LearnUpdate) (n batch.LearnNorms, err error) {
	g := l.engine.gpu
	g.mu.Lock()
	defer g.mu.Unlock()
	*l.host = updateParams{u.Sweep & (1<<56 - 1), int32(u.Count), int32(u.First), u.Rate, u.CorrectU, u.CorrectS}
	if err := l.graph.Launch(); err != nil {
		return n, err
	}
	err = g.device.Wait()
	l.engine.stale = true
	return batch.LearnNorms{Gradient: l.result[0], Layers: l.result[1], Weights: l.result[2]}, err
}

// Load takes the state of a training.
func (l *learning) Load(s batch.LearnState) error {
	l.engine.gpu.mu.Lock()
	defer l.engine.gpu.mu.Unlock()
	if err := l.engine.on.upload(s.Model); err != nil {
		return err
	}
	for _, x := range []struct {
		to   *buffer
		data []float64
	}{{l.u, s.U}, {l.s, s.S}, {l.lambda, s.Lambda}, {l.variance, s.Variance}} {
		if err := put(x.to, 0, x.data); err != nil {
			return err
		}
	}
	v := l.engine.on.layouts[batch.Visible]
	words := make([]uint32, s.V.Len*v.stride)
	v.pack(words, s.V, 0, s.V.Len)
	if err := put(l.v, 0, words); err != nil {
		return err
	}
	return l.engine.on.round()
}

// Store copies the state back.
func (l *learning) Store(s batch.LearnState) error {
	l.engine.gpu.mu.Lock()
	defer l.engine.gpu.mu.Unlock()
	on := l.engine.on
	for _, x := range []struct {
		from *buffer
		data []float64
	}{
		{on.w, s.Model.W}, {on.fields[batch.Visible], s.Model.Visible.Params()[0].Data},
		{on.fields[batch.Hidden], s.Model.Hidden.Params()[0].Data},
		{l.u, s.U}, {l.s, s.S}, {l.lambda, s.Lambda}, {l.variance, s.Variance},
	} {
		if err := get(x.data, x.from, 0); err != nil {
			return err
		}
	}
	v := on.layouts[batch.Visible]
	words := make([]uint32, s.V.Len*v.stride)
	if err := get(words, l.v, 0); err != nil {
		return err
	}
	v.unpack(s.V, 0, words, s.V.Len)
	return nil
}
