package sampler_test

import (
	"testing"

	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// BenchmarkSweep times one alternating Gibbs sweep of a batch on one worker.
func BenchmarkSweep(b *testing.B) {
	for _, c := range []struct {
		visible, hidden string
		chains          int
	}{
		{"bernoulli:784", "bernoulli:500", 500}, {"spin:784", "spin:500", 500}, {"spin:784", "gaussian:500", 500},
		{"potts:27x20", "bernoulli:200", 500}, {"potts:27x20", "gaussian:200", 500}, {"potts:27x20", "drelu:200", 500},
	} {
		v, h := must(unit.ParseSpec(c.visible)), must(unit.ParseSpec(c.hidden))
		b.Run(c.visible+"-"+c.hidden, func(b *testing.B) {
			m := must(rbm.Random(v, h, 1, 1))
			k := must(sampler.NewGibbs(m, 1))
			chains, w := sampler.NewChains(m, c.chains, 1), k.Worker()
			w.Sweep(chains, 0, c.chains, 0, 1)
			for t := range b.N {
				w.Sweep(chains, 0, c.chains, uint64(t), 1)
			}
		})
	}
}
