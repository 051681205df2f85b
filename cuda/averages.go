package cuda

import (
	"fmt"
	"math"
	"slices"

	"instanton/batch"
	"instanton/internal/special"
	"instanton/rbm"
	"instanton/unit"
)

// averages are batch.Averages whose sums the GPU computes, with the bits of those of the processor.
type averages struct {
	engine   *Engine
	options  batch.AveragesOptions
	moments  *moments
	launches *both
	states   *buffer
	weights  *buffer
	words    []uint32

	relative        []float64
	scales          []float32
	weight          float64
	v, h, variance  []float64
	visible, hidden rbm.Layer
	sums            []int32 // ⟨vh⟩ in fixed point
	scale           float64 // its unit
}

var _ batch.Averages = (*averages)(nil)

// Averages returns memory for averages over batches of the given number of configurations. Those that the GPU does not
// compute are left to the processor: of real units, of Potts hidden units, with responses, or with ⟨hh⟩.
func (e *Engine) Averages(rows int, o batch.AveragesOptions) batch.Averages {
	if e.on.mixed() || e.on.hidden.Type == unit.Potts || len(o.Responses) > 0 || o.HH {
		return &hostAverages{e.processor().Averages(rows, o), e}
	}
	if rows < 1 {
		panic(fmt.Sprintf("cuda: averages over %d configurations, expected at least one", rows))
	}
	nv, nh := e.on.visible.Width(), e.on.hidden.Width()
	a := &averages{
		engine: e, options: o, relative: make([]float64, rows), scales: make([]float32, rows),
		v: make([]float64, nv), h: make([]float64, nh), variance: make([]float64, nh),
		visible: rbm.ZeroLayer(e.on.visible), hidden: rbm.ZeroLayer(e.on.hidden),
	}
	e.gpu.mu.Lock()
	defer e.gpu.mu.Unlock()
	if err := a.allocate(rows); err != nil {
		panic(&batch.Failure{Err: err})
	}
	return a
}

func (a *averages) allocate(rows int) (err error) {
	on := a.engine.on
	if a.moments, err = newMoments(on, rows); err != nil {
		return err
	}
	a.launches = &both{of: []*moments{a.moments}}
	if a.states, err = on.gpu.room(nil, 4*rows*on.layouts[batch.Visible].stride); err != nil {
		return err
	}
	a.weights, err = on.gpu.room(nil, 4*rows)
	a.words = make([]uint32, rows*on.layouts[batch.Visible].stride)
	a.sums = make([]int32, on.layouts[batch.Visible].positions*on.layouts[batch.Hidden].positions)
	return err
}

// hostAverages are averages on the processor with the current parameters.
type hostAverages struct {
	batch.Averages
	engine *Engine
}

func (a *hostAverages) Take(v *unit.States, weights []float64) {
	a.engine.processor()
	a.Averages.Take(v, weights)
}

func (a *hostAverages) Begin(v *unit.States, weights []float64) {
	a.engine.processor()
	a.Averages.Begin(v, weights)
}

// Take averages over a batch, weighted if weights is non-nil.
func (a *averages) Take(v *unit.States, weights []float64) { a.Begin(v, weights) }

// Begin computes all averages; what follows it has nothing to do.
func (a *averages) Begin(v *unit.States, weights []float64) {
	rows := a.moments.rows
	if v.Len != rows || weights != nil && len(weights) != rows {
		panic(fmt.Sprintf("cuda: averages over %d configurations with %d weights, expected %d", v.Len, len(weights),
			rows))
	}
	plain := !slices.ContainsFunc(weights, func(w float64) bool { return w != 1 })
	a.weight = float64(rows)
	if !plain {
		largest := slices.Max(weights)
		a.weight = 0
		for k, w := range weights {
			a.relative[k] = w / largest
			a.weight += a.relative[k]
			a.scales[k] = float32(a.relative[k])
		}
	}
	a.engine.gpu.mu.Lock()
	defer a.engine.gpu.mu.Unlock()
	if err := a.compute(v, plain); err != nil {
		panic(&batch.Failure{Err: err})
	}
	a.complete(v, plain)
}

// compute lets the GPU work and copies the results.
func (a *averages) compute(v *unit.States, plain bool) error {
	m, on := a.moments, a.engine.on
	visible, hidden := on.layouts[batch.Visible], on.layouts[batch.Hidden]
	visible.pack(a.words, v, 0, v.Len)
	if err := put(a.states, 0, a.words); err != nil {
		return err
	}
	m.weigh(a.weight)
	m.means.weights = 0
	if !plain {
		m.means.weights = a.weights.at
		if err := put(a.weights, 0, a.scales); err != nil {
			return err
		}
	}
	if err := a.launches.queueAll(a.states.at); err != nil {
		return err
	}
	h, sums := make([]float64, hidden.positions), make([]float64, visible.positions)
	if err := get(h, m.h, 0); err != nil {
		return err
	}
	if err := get(sums, m.v, 0); err != nil {
		return err
	}
	copy(a.h, h)
	for c := range a.v {
		a.v[c] = sums[a.position(c)]
	}
	return get(a.sums, m.out, 0)
}

// position is where a visible channel lies.
func (a *averages) position(channel int) int {
	l, q := a.engine.on.layouts[batch.Visible], a.engine.on.visible.Channels()
	return l.position(channel/q, channel%q)
}

// complete derives the rest from what the GPU has computed.
func (a *averages) complete(v *unit.States, plain bool) {
	if !plain {
		a.sumWeighted(v)
	}
	for mu, h := range a.h {
		a.hidden.Params()[0].Data[mu] = -h
		second := h
		if a.engine.on.hidden.Type == unit.Spin {
			second = 1
		}
		a.variance[mu] = second - h*h
	}
	for c, x := range a.v {
		a.visible.Params()[0].Data[c] = -x
	}
	a.scale = math.Ldexp(1, -int(a.moments.means.shift))
	if a.engine.on.visible.Type == unit.Spin {
		a.scale *= 2
	}
}

// sumWeighted sums weighted visible units in the order of the processor: bits row by row, Potts states by blocks.
func (a *averages) sumWeighted(v *unit.States) {
	clear(a.v)
	part := a.v
	if v.Codes != nil {
		part = make([]float64, len(a.v))
	}
	for k := range v.Len {
		w := a.relative[k]
		for i := 0; i < v.N && w != 0; i++ {
			if v.Codes != nil {
				part[i*v.Q+int(v.Codes[k*v.Stride+i])] += w
			} else if v.Bits[k*v.Stride+i/64]>>(i%64)&1 != 0 {
				part[i] += w
			}
		}
		if v.Codes != nil && (k%meanRows == meanRows-1 || k == v.Len-1) {
			for c, x := range part {
				a.v[c] += x
				part[c] = 0
			}
		}
	}
	for c := range a.v {
		if v.Type == unit.Spin {
			a.v[c] = 2*a.v[c] - a.weight
		}
		a.v[c] *= 1 / a.weight
	}
}

func (a *averages) Groups() int   { return 1 }
func (a *averages) Gather(int)    {}
func (a *averages) Finish()       {}
func (a *averages) Parts() int    { return 1 }
func (a *averages) Correlate(int) {}

func (a *averages) Finite() bool {
	return !slices.ContainsFunc(a.h, func(x float64) bool { return !special.Finite(x) })
}
func (a *averages) Weight() float64     { return a.weight }
func (a *averages) V() []float64        { return a.v }
func (a *averages) H() []float64        { return a.h }
func (a *averages) Variance() []float64 { return a.variance }
func (a *averages) Visible() rbm.Layer  { return a.visible }
func (a *averages) Hidden() rbm.Layer   { return a.hidden }

// AddVH adds scale·⟨v_c h⟩ of a visible channel c to dst.
func (a *averages) AddVH(dst []float64, channel int, scale float64) {
	scale = scale / a.weight * float64(float32(a.scale))
	row := a.sums[a.position(channel)*a.engine.on.layouts[batch.Hidden].positions:]
	for j := range dst {
		dst[j] += float64(float64(row[j]) * scale)
	}
}

// SetHH is for averages with ⟨hh⟩, which the processor computes.
func (a *averages) SetHH([]float64) { panic("cuda: ⟨hh⟩ was not asked for") }
