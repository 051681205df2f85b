package batch_test

import (
	"fmt"
	"math"

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

// The gradient of the log-likelihood with respect to the weights is ⟨vh⟩ of the data minus ⟨vh⟩ of the model. Samples
// of the model itself stand for the data here, so all that remains is noise.
func ExampleAverages() {
	visible, _ := unit.ParseSpec("spin:20")
	hidden, _ := unit.ParseSpec("bernoulli:10")
	model, err := rbm.Random(visible, hidden, 1, 7)
	if err != nil {
		panic(err)
	}
	engine, err := batch.New(model, 0)
	if err != nil {
		panic(err)
	}
	worker := engine.Worker()
	data, chains := unit.NewStates(visible, 10000), unit.NewStates(visible, 10000)
	worker.Sweep(data, 0, data.Len, batch.Stream{Seed: 1}, 50)
	worker.Sweep(chains, 0, chains.Len, batch.Stream{Seed: 2}, 50)

	positive := engine.Averages(data.Len, batch.AveragesOptions{})
	negative := engine.Averages(chains.Len, batch.AveragesOptions{})
	positive.Take(data, nil) // nil: all configurations have weight one
	negative.Take(chains, nil)

	gradient := make([]float64, hidden.Width())
	largest := 0.0
	for i := range visible.Width() {
		clear(gradient)
		positive.AddVH(gradient, i, 1)
		negative.AddVH(gradient, i, -1)
		for _, g := range gradient {
			largest = max(largest, math.Abs(g))
		}
	}
	fmt.Printf("⟨v⟩ of the first unit: %.2f and %.2f\n", positive.V()[0], negative.V()[0])
	fmt.Printf("noise below 0.05 in all %d weights: %v\n", len(model.W), largest < 0.05)
	// Output:
	// ⟨v⟩ of the first unit: 0.36 and 0.33
	// noise below 0.05 in all 200 weights: true
}
