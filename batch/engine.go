package batch

import (
	"instanton/internal/rng"
	"instanton/rbm"
	"instanton/unit"
)

// Side names a layer of a model.
type Side uint8

// The layers.
const (
	Visible Side = iota
	Hidden
)

// Other is the opposite layer.
func (s Side) Other() Side { return 1 - s }

// String names the layer.
func (s Side) String() string {
	if s == Visible {
		return "visible"
	}
	return "hidden"
}

// Engine is a model prepared for batches on some device. Its methods must be called from one goroutine at a time.
// Workers and Averages made earlier use the parameters of the latest Set.
type Engine interface {
	// Model is the model of the latest Set. If its parameters change, call Set again.
	Model() *rbm.RBM
	// Set takes the parameters of a model of the same shape.
	Set(m *rbm.RBM) error

	// Worker returns the memory that one goroutine needs to work on rows.
	Worker() Worker
	// Averages returns memory for averages over batches of the given number of configurations.
	Averages(rows int, o AveragesOptions) Averages

	// Inputs sets each row of dst, as wide as the layer, to the inputs that the layer receives from one configuration
	// of the other: I_μ = Σ_i W_iμ v_i, or Σ_μ W_iμ h_μ.
	Inputs(dst []float64, of Side, given *unit.States)
	// Means sets each row of dst, as wide as the layer, to ⟨h|v⟩ or ⟨v|h⟩.
	Means(dst []float64, of Side, given *unit.States)
	// EffectiveEnergies sets dst to −log Σ e^{−E}, summed over the other layer: E_eff(v) = Σ V_i(v_i) − Σ Γ_μ(I_μ(v))
	// for visible configurations, and likewise E_eff(h).
	EffectiveEnergies(dst []float64, of Side, x *unit.States)
	// Energies sets dst to E(v,h) of each pair of configurations.
	Energies(dst []float64, v, h *unit.States)
	// CGF sets dst to ΣΓ(I) of a layer for each row of inputs.
	CGF(dst []float64, of Side, inputs []float64)
}

// Worker works on rows of batches for one goroutine. It allocates only when it meets a new number of rows. If
// rows of discrete units have not changed since the previous call, no product is computed again.
type Worker interface {
	// Draw sets n rows of dst, starting at row to, to draws of a layer given n rows of the other layer, starting at
	// row from.
	Draw(of Side, dst *unit.States, to int, given *unit.States, from, n int, s Stream)
	// Sweep takes n visible configurations, starting at row lo, through sweeps of alternating Gibbs sampling: h from
	// P(h|v), then v from P(v|h). The stream is that of the first sweep.
	Sweep(v *unit.States, lo, n int, s Stream, sweeps int)
	// Energies sets dst to E_eff of rows of v, starting at row lo, with the weights rounded as for Draw. It costs
	// little for rows that are also drawn from.
	Energies(dst []float64, v *unit.States, lo int)
	// Inputs sets rows of dst to the inputs of a layer given rows of the other layer, starting at row from, as
	// accurately as Engine.Inputs.
	Inputs(dst []float64, of Side, given *unit.States, from int)
	// CGF sets dst to ΣΓ(I) of a layer for each row of inputs, like Engine.CGF.
	CGF(dst []float64, of Side, inputs []float64)
}

// Stream determines random numbers: those of row k in a call are a function of the seed, the chain Chain+k, the sweep,
// and what is drawn.
type Stream struct {
	Seed  uint64
	Chain uint32
	Sweep uint64
	// Recorded marks draws of hidden units that are only recorded: they have random numbers of their own and do not
	// affect the chain.
	Recorded bool
	// Proposed marks draws that are only proposed, as part of a larger move; they too have random numbers of their own.
	Proposed bool
}

// of returns the stream for draws of a layer.
func (s Stream) of(side Side) rng.Stream {
	purpose := rng.Visible
	switch {
	case s.Proposed:
		purpose = rng.Propose
	case s.Recorded:
		purpose = rng.Record
	case side == Hidden:
		purpose = rng.Hidden
	}
	return rng.New(s.Seed, purpose, s.Chain, s.Sweep)
}

// Device prepares models for batches; a number of workers below one stands for one per processor. Kernels and trainings
// take a device, and use the processor if it is nil.
type Device func(m *rbm.RBM, workers int) (Engine, error)

// Prepare prepares a model on the device, on the processor if it is nil.
func (d Device) Prepare(m *rbm.RBM, workers int) (Engine, error) {
	if d == nil {
		return New(m, workers)
	}
	return d(m, workers)
}

// New prepares a model on the processor for the given number of workers; a number below one means one per processor.
func New(m *rbm.RBM, workers int) (*CPU, error) {
	e := &CPU{workers: workers}
	for _, side := range []Side{Visible, Hidden} {
		e.given[side] = newConditional(layer(m, side.Other()).Spec(), layer(m, side).Spec())
	}
	return e, e.Set(m)
}

// layer returns the layer of a model on the given side.
func layer(m *rbm.RBM, s Side) rbm.Layer {
	if s == Visible {
		return m.Visible
	}
	return m.Hidden
}

// weights is W as seen from the layer that receives: one row per channel of the layer that sends.
func weights(m *rbm.RBM, to Side) view {
	cols := m.Hidden.Spec().Width()
	if to == Hidden {
		return view{Data: m.W, Row: cols, Col: 1}
	}
	return view{Data: m.W, Row: 1, Col: cols}
}

// Whole is an engine that wants all rows in one call of a worker: a device has workers of its own.
type Whole interface {
	Whole() bool
}

// Failure is what the methods of a worker or of averages panic with when their device fails, for example because its
// memory is used up. Pools and trainings turn it into an error.
type Failure struct{ Err error }

func (f *Failure) Error() string { return f.Err.Error() }
func (f *Failure) Unwrap() error { return f.Err }

// Recover sets err to the failure of a device, for use with defer; other panics go on.
func Recover(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Failure:
		*err = r
	default:
		panic(r)
	}
}
