package cuda

import (
	"fmt"

	"instanton/batch"
	"instanton/rbm"
	"instanton/unit"
)

// Engine is a model prepared on a GPU. What is drawn has the bits that the processor draws. What is reported (Inputs,
// Means, EffectiveEnergies, Energies, CGF) is computed by an engine on the processor, which exists once it is needed.
type Engine struct {
	gpu     *GPU
	model   *rbm.RBM
	workers int
	on      *parameters

	cpu   *batch.CPU
	stale bool // Set has been called since
}

var (
	_ batch.Engine = (*Engine)(nil)
	_ batch.Whole  = (*Engine)(nil)
)

// Supports returns an error if models of these layers cannot be prepared on a GPU.
func Supports(visible, hidden unit.Spec) error {
	for _, spec := range []unit.Spec{visible, hidden} {
		if _, ok := newLayout(spec); !ok {
			return fmt.Errorf("the GPU does not know %s: expected Potts units of at most %d states", spec, widestGroup)
		}
	}
	return nil
}

// Prepare prepares a model on the GPU; the workers are those of what the processor does.
func (g *GPU) Prepare(m *rbm.RBM, workers int) (*Engine, error) {
	if err := Supports(m.Visible.Spec(), m.Hidden.Spec()); err != nil {
		return nil, err
	}
	for _, spec := range []unit.Spec{m.Visible.Spec(), m.Hidden.Spec()} {
		l, _ := newLayout(spec)
		if g.choose(1, []layout{l}) < 0 {
			return nil, fmt.Errorf("the %s has not enough shared memory for %s: use the processor", g.Name(), spec)
		}
	}
	g.mu.Lock()
	e := &Engine{gpu: g, model: m, workers: workers}
	var err error
	e.on, err = newParameters(g, m)
	g.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return e, e.Set(m)
}

// Whole tells that all rows should come in one call.
func (e *Engine) Whole() bool { return true }

// Model is the model of the latest Set.
func (e *Engine) Model() *rbm.RBM { return e.model }

// Set takes the parameters of a model of the same shape. It returns an error if sums of weights are not finite.
func (e *Engine) Set(m *rbm.RBM) error {
	for side, have := range map[batch.Side]unit.Spec{batch.Visible: e.on.visible, batch.Hidden: e.on.hidden} {
		got := m.Visible.Spec()
		if side == batch.Hidden {
			got = m.Hidden.Spec()
		}
		if have != got {
			return fmt.Errorf("a %s layer of %s: the engine was prepared for %s", side, got, have)
		}
	}
	e.gpu.mu.Lock()
	defer e.gpu.mu.Unlock()
	e.model, e.stale = m, true
	if err := e.on.upload(m); err != nil {
		return err
	}
	if err := e.on.round(); err != nil {
		return err
	}
	finite, err := e.on.finite()
	if err == nil && !finite {
		_, err = batch.New(m, 1) // says which sum it is
	}
	return err
}

// processor is the engine on the processor, with the current parameters.
func (e *Engine) processor() *batch.CPU {
	e.gpu.mu.Lock()
	defer e.gpu.mu.Unlock()
	var err error
	switch {
	case e.cpu == nil:
		e.cpu, err = batch.New(e.model, e.workers)
	case e.stale:
		err = e.cpu.Set(e.model)
	}
	if err != nil {
		panic(err) // Set has checked the sums
	}
	e.stale = false
	return e.cpu
}

// Inputs sets each row of dst to the inputs of a layer given a configuration of the other.
func (e *Engine) Inputs(dst []float64, of batch.Side, given *unit.States) {
	e.processor().Inputs(dst, of, given)
}

// Means sets each row of dst to the means of a layer given a configuration of the other.
func (e *Engine) Means(dst []float64, of batch.Side, given *unit.States) {
	e.processor().Means(dst, of, given)
}

// EffectiveEnergies sets dst to the effective energies of configurations of a layer.
func (e *Engine) EffectiveEnergies(dst []float64, of batch.Side, x *unit.States) {
	e.processor().EffectiveEnergies(dst, of, x)
}

// Energies sets dst to E(v,h) of each pair of configurations.
func (e *Engine) Energies(dst []float64, v, h *unit.States) { e.processor().Energies(dst, v, h) }

// CGF sets dst to ΣΓ(I) of a layer for each row of inputs.
func (e *Engine) CGF(dst []float64, of batch.Side, inputs []float64) {
	e.processor().CGF(dst, of, inputs)
}

// Worker returns memory for rows on the GPU.
func (e *Engine) Worker() batch.Worker { return &worker{engine: e} }
