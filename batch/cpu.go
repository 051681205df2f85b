package batch

import (
	"fmt"
	"sync"

	"instanton/internal/kernel"
	"instanton/internal/vec"
	"instanton/rbm"
	"instanton/unit"
)

// CPU is an engine on the processor.
type CPU struct {
	model   *rbm.RBM
	workers int
	given   [2]*conditional // the law of each layer given the other

	mu       sync.Mutex
	accurate [2]*accurate // inputs of each layer; made when first needed
	stale    [2]bool      // whether Set has been called since

	rows []*rowScratch // one per worker of the methods on whole batches
}

var _ Engine = (*CPU)(nil)

// Model is the model of the latest Set.
func (e *CPU) Model() *rbm.RBM { return e.model }

// Set takes the parameters of a model of the same shape. It returns an error if sums of weights are not finite.
func (e *CPU) Set(m *rbm.RBM) error {
	for _, side := range []Side{Visible, Hidden} {
		if have, got := e.given[side].to, layer(m, side).Spec(); have != got {
			return fmt.Errorf("a %s layer of %s: the engine was prepared for %s", side, got, have)
		}
	}
	e.model, e.stale = m, [2]bool{true, true}
	up, down := e.given[Hidden], e.given[Visible]
	up.law.set(m.Hidden)
	down.law.set(m.Visible)
	if up.weights != nil && down.weights != nil {
		return kernel.SetPair(up.weights, down.weights, weights(m, Hidden), up.law.fields(), down.law.fields())
	}
	if err := up.set(weights(m, Hidden)); err != nil {
		return err
	}
	return down.set(weights(m, Visible))
}

// Worker returns the memory that one goroutine needs.
func (e *CPU) Worker() Worker { return &cpuWorker{engine: e, blocks: map[int]*cpuBlock{}} }

// MaxRows is the largest number of rows processed side by side: enough to repay the tables that a product builds, few
// enough for the cache.
const MaxRows = 512

// maxBlocks is the largest number of blocks that a worker keeps. Batches cut into equal blocks need two sizes, a full
// block and the last one.
const maxBlocks = 8

// cpuWorker keeps the memory for blocks of rows.
type cpuWorker struct {
	engine   *CPU
	blocks   map[int]*cpuBlock // by the number of rows
	accurate [2]*accurateBlock

	row  [2][]float64 // for CGF
	logs [2]*kernel.LogSums
}

// cpuBlock is the memory for a number of rows.
type cpuBlock struct {
	given [2]*block
	h     *unit.States

	x, values []float64 // for energies
	logs      *kernel.LogSums
}

// block returns the memory for n rows, allocated at the first use.
func (w *cpuWorker) block(n int) *cpuBlock {
	if b := w.blocks[n]; b != nil {
		return b
	}
	m := w.engine.model
	b := &cpuBlock{h: unit.NewStates(m.Hidden.Spec(), n)}
	for side, c := range w.engine.given {
		b.given[side] = c.block(n)
	}
	if len(w.blocks) == maxBlocks { // the number of rows keeps changing
		clear(w.blocks)
	}
	w.blocks[n] = b
	return b
}

func (w *cpuWorker) Draw(of Side, dst *unit.States, to int, given *unit.States, from, n int, s Stream) {
	for n > 0 {
		rows := min(n, MaxRows)
		w.engine.given[of].draw(w.block(rows).given[of], dst, to, given, from, s.of(of))
		to, from, n = to+rows, from+rows, n-rows
		s.Chain += uint32(rows)
	}
}

func (w *cpuWorker) Sweep(v *unit.States, lo, n int, s Stream, sweeps int) {
	for n > 0 {
		rows := min(n, MaxRows)
		b := w.block(rows)
		for t := range uint64(sweeps) {
			at := Stream{Seed: s.Seed, Chain: s.Chain, Sweep: s.Sweep + t}
			w.engine.given[Hidden].draw(b.given[Hidden], b.h, 0, v, lo, at.of(Hidden))
			w.engine.given[Visible].draw(b.given[Visible], v, lo, b.h, 0, at.of(Visible))
		}
		lo, n = lo+rows, n-rows
		s.Chain += uint32(rows)
	}
}

func (w *cpuWorker) Energies(dst []float64, v *unit.States, lo int) {
	for len(dst) > 0 {
		rows := min(len(dst), MaxRows)
		w.energies(dst[:rows], v, lo)
		lo, dst = lo+rows, dst[rows:]
	}
}

func (w *cpuWorker) energies(dst []float64, v *unit.States, lo int) {
	e, b := w.engine, w.block(len(dst))
	up, width := b.given[Hidden], e.given[Hidden].to.Width()
	if b.x == nil {
		b.x, b.logs, b.values = make([]float64, len(dst)*width), kernel.NewLogSums(width), make([]float64, v.N)
		if up.inputs == nil {
			up.inputs = make([]float32, len(dst)*width)
		}
	}
	e.given[Hidden].receive(up, up.inputs, v, lo)
	clear(b.x)
	if up.fields == nil {
		for i, x := range up.inputs {
			b.x[i] = float64(x)
		}
	}
	for k := range dst {
		x := b.x[k*width : (k+1)*width]
		if up.fields != nil {
			up.fields.AddRow(x, k, 1)
		}
		dst[k] = e.given[Visible].law.potential(v, lo+k, b.values) - e.given[Hidden].law.cgf(x, b.logs)
	}
}

func (w *cpuWorker) Inputs(dst []float64, of Side, given *unit.States, from int) {
	a := w.engine.accurateInputs(of)
	if w.accurate[of] == nil {
		w.accurate[of] = a.block()
	}
	width := a.to.Width()
	for len(dst) > 0 {
		rows := min(len(dst)/width, accurateRows)
		a.inputs(dst[:rows*width], w.accurate[of], given, from, rows)
		dst, from = dst[rows*width:], from+rows
	}
}

func (w *cpuWorker) CGF(dst []float64, of Side, inputs []float64) {
	law, width := w.engine.given[of].law, w.engine.given[of].to.Width()
	if w.logs[of] == nil {
		w.row[of], w.logs[of] = make([]float64, width), kernel.NewLogSums(width)
	}
	row, fields := w.row[of], law.fields()
	for k := range dst {
		copy(row, inputs[k*width:])
		if fields != nil {
			vec.Add(row, fields)
		}
		dst[k] = law.cgf(row, w.logs[of])
	}
}
