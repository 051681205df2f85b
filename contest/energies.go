package contest

import (
	"fmt"

	"instanton/batch"
	"instanton/mixing"
	"instanton/unit"
)

// energies follows the effective energies of runs: every so many looks, so that at most 2·kept are held.
type energies struct {
	engine batch.Engine
	values [][]float64 // by run and look
	row    []float64
	every  int // looks between two energies
	looks  int
}

func newEnergies(o *Options) (*energies, error) {
	engine, err := batch.New(o.Model, 0)
	if err != nil {
		return nil, fmt.Errorf("energies: %w", err)
	}
	return &energies{engine: engine, values: make([][]float64, o.Runs), row: make([]float64, o.Runs), every: 1}, nil
}

func (e *energies) take(v *unit.States) {
	e.looks++
	if e.looks%e.every != 0 {
		return
	}
	e.engine.EffectiveEnergies(e.row, batch.Visible, v)
	for r, x := range e.row {
		e.values[r] = append(e.values[r], x)
	}
	if len(e.values[0]) < 2*kept {
		return
	}
	e.every *= 2
	for r, x := range e.values { // keep the looks that the new distance would have kept
		n := 0
		for k := 1; k < len(x); k += 2 {
			x[n] = x[k]
			n++
		}
		e.values[r] = x[:n]
	}
}

// kept are the energies after the warm-up.
func (e *energies) kept() [][]float64 {
	out := make([][]float64, len(e.values))
	for r, x := range e.values {
		out[r] = x[len(x)/10:]
	}
	return out
}

// rhat is the R-hat of the energy, one if it never changes, as between two modes that are each other's mirror image.
func (e *energies) rhat() float64 {
	x := e.kept()
	for _, run := range x {
		for _, value := range run {
			if value != x[0][0] {
				return mixing.RHat(x)
			}
		}
	}
	return 1
}
