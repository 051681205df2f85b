package sampler_test

import (
	"context"
	"fmt"
	"math"

	"instanton/rbm"
	"instanton/sampler"
)

// The magnetisation of the mean-field ferromagnet, from a thousand chains.
func Example() {
	model, err := rbm.CurieWeiss(16, 1.2)
	if err != nil {
		panic(err)
	}
	kernel, err := sampler.NewGibbs(model, 1)
	if err != nil {
		panic(err)
	}
	chains := sampler.NewChains(model, 1000, 42)
	plan := sampler.Plan{Burn: 100, Every: 10, Draws: 20}
	record := sampler.NewRecord(kernel, chains, plan, false)
	record.KeepEnergies()
	if err := sampler.NewPool(kernel, 0).Record(context.Background(), chains, record, nil); err != nil {
		panic(err)
	}
	var m2, energy float64
	v := make([]float64, 16)
	for k := range record.V.Len {
		record.V.Values(v, k)
		var m float64
		for _, x := range v {
			m += x / 16
		}
		m2 += m * m / float64(record.V.Len)
		energy += record.E[k] / float64(record.V.Len)
	}
	fmt.Printf("⟨m²⟩ = %.2f, mean effective energy %.1f\n", m2, energy)
	// Output:
	// ⟨m²⟩ = 0.61, mean effective energy -7.9
}

// A user-defined kernel: alternating Gibbs sampling, followed after every sweep by the reversal of all spins, which a
// Metropolis test accepts or rejects. All it needs to provide is what it leaves invariant and a worker.
func ExampleKernel() {
	model, err := rbm.CurieWeiss(128, 1.5)
	if err != nil {
		panic(err)
	}
	up := make([]float64, 128)
	for i := range up {
		up[i] = 1
	}
	for _, reverse := range []bool{false, true} {
		gibbs, err := sampler.NewGibbs(model, 1)
		if err != nil {
			panic(err)
		}
		var kernel sampler.Kernel = gibbs
		if reverse {
			kernel = reversals{gibbs}
		}
		chains := sampler.NewChains(model, 1000, 42)
		for k := range chains.V.Len {
			chains.V.SetValues(k, up)
		}
		if err := sampler.NewPool(kernel, 0).Run(context.Background(), chains, 50); err != nil {
			panic(err)
		}
		positive := 0
		for k := range chains.V.Len {
			if magnetisation(chains, k) > 0 {
				positive++
			}
		}
		fmt.Printf("with reversals: %v, chains with m > 0: %d of 1000\n", reverse, positive)
	}
	// Output:
	// with reversals: false, chains with m > 0: 1000 of 1000
	// with reversals: true, chains with m > 0: 523 of 1000
}

// reversals is a sampler.Kernel: Model and Beta come with the embedded kernel. Embedding *sampler.Gibbs itself would
// also promote its name and its transition matrix, which are not those of this kernel.
type reversals struct{ sampler.Kernel }

func (r reversals) Worker() sampler.Worker {
	n := r.Model().Visible.Spec().N
	return &reversalWorker{r.Kernel.Worker(), r.Model(), r.Beta(), make([]float64, n), make([]float64, n)}
}

type reversalWorker struct {
	sampler.Worker
	model  *rbm.RBM
	beta   float64
	v, all []float64
}

func (w *reversalWorker) Sweep(c *sampler.Chains, lo, hi int, first uint64, n int) {
	for t := range uint64(n) {
		w.Worker.Sweep(c, lo, hi, first+t, 1)
		for k := lo; k < hi; k++ {
			c.V.Values(w.v, k)
			for i, x := range w.v {
				w.all[i] = -x
			}
			delta := w.model.EffectiveEnergy(w.all) - w.model.EffectiveEnergy(w.v)
			r := c.Rand(k, first+t) // the numbers of chain k in this sweep
			if r.IntN(2) == 0 && r.Float64() < math.Exp(-w.beta*delta) {
				c.V.SetValues(k, w.all)
			}
		}
	}
}

func magnetisation(c *sampler.Chains, k int) (m float64) {
	for i := range c.V.N {
		m += c.V.Value(k, i)
	}
	return m
}
