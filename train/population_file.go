package train

import (
	"fmt"

	"instanton/internal/npy"
	"instanton/internal/statearray"
)

// arrays lists the float64 arrays of a population in a checkpoint, which are not copied.
func (p *population) arrays() []checkpointArray {
	list := parameterArrays(p.at)
	for k := range list {
		list[k].name = "population." + list[k].name
	}
	sortArrays(list[1:])
	return append(list, checkpointArray{"population.logs", []int{len(p.logs)}, p.logs},
		checkpointArray{"population.base", []int{len(p.base)}, p.base},
		checkpointArray{"population.starts", []int{len(p.starts)}, p.starts})
}

// restore reads the population from a checkpoint; after an error it is as before. If the checkpoint has none, the
// likelihood can no longer be followed.
func (p *population) restore(a *npy.Archive, sweep uint64) error {
	if p == nil {
		return nil
	}
	if !a.Has("population.chains") {
		p.lost = true
		return nil
	}
	arrays := p.arrays()
	values := make([][]float64, len(arrays))
	for k, s := range arrays {
		var err error
		if values[k], err = readFloats(a, s.name, s.shape); err != nil {
			return err
		}
	}
	x, err := a.Array("population.chains")
	if err != nil {
		return err
	}
	v, err := statearray.ToStates(p.chains.V.Spec, x)
	if err != nil {
		return fmt.Errorf("population.chains: %w", err)
	}
	if v.Len != p.chains.V.Len {
		return fmt.Errorf("the checkpoint has a population of %d chains: expected %d", v.Len, p.chains.V.Len)
	}
	for k, s := range arrays {
		copy(s.data, values[k])
	}
	p.chains.V.CopyFrom(v)
	p.chains.Sweep = sweep
	return nil
}
