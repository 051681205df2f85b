package batch_test

import (
	"fmt"

	"instanton/batch"
	"instanton/rbm"
	"instanton/unit"
)

// Energies and hidden means of many configurations at once.
func Example() {
	visible, _ := unit.ParseSpec("bernoulli:784")
	hidden, _ := unit.ParseSpec("spin:100")
	model, err := rbm.Random(visible, hidden, 1, 7)
	if err != nil {
		panic(err)
	}
	engine, err := batch.New(model, 0) // one worker per processor
	if err != nil {
		panic(err)
	}
	v := unit.NewStates(visible, 1000) // all zero
	worker := engine.Worker()
	worker.Sweep(v, 0, v.Len, batch.Stream{Seed: 1}, 10) // ten sweeps of alternating Gibbs sampling

	energies := make([]float64, v.Len)
	engine.EffectiveEnergies(energies, batch.Visible, v)
	means := make([]float64, v.Len*hidden.Width())
	engine.Means(means, batch.Hidden, v)

	x := make([]float64, v.N) // one configuration by itself gives the same
	v.Values(x, 999)
	fmt.Printf("E_eff of the last: %.6f, by itself %.6f\n", energies[999], model.EffectiveEnergy(x))
	fmt.Printf("means of hidden units: %d rows of %d\n", v.Len, len(means)/v.Len)
	// Output:
	// E_eff of the last: -129.636695, by itself -129.636695
	// means of hidden units: 1000 rows of 100
}
