package jump_test

import (
	"context"
	"testing"

	"instanton/batch"
	"instanton/jump"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// The sizes of MNIST 0/1 with 200 hidden spins.
func BenchmarkNetwork(b *testing.B) {
	spec := unit.Spec{Type: unit.Spin, N: 200}
	n := must(jump.NewNetwork(spec, 400, 1))
	x, logq := unit.NewStates(spec, 256), make([]float64, 256)
	d := n.Drawer()
	b.Run("draw", func(b *testing.B) {
		for range b.N {
			d.Draw(x, 0, logq, batch.Stream{})
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*256), "ns/row")
	})
	b.Run("score", func(b *testing.B) {
		for range b.N {
			d.Score(logq, x, 0)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*256), "ns/row")
	})
	b.Run("step", func(b *testing.B) {
		l := jump.NewLearner(n, 256, 1)
		rows := make([]int, 256)
		for b.Loop() {
			l.Step(x, rows, 1e-3)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*256), "ns/row")
	})
	b.Run("sweep", func(b *testing.B) {
		m := must(rbm.Random(unit.Spec{Type: unit.Bernoulli, N: 784}, spec, 0.1, 1))
		k := must(jump.New(m, 1, batch.Hidden, n, 0))
		p, c := sampler.NewPool(k, 1), sampler.NewChains(m, 256, 1)
		for b.Loop() {
			_ = p.Run(context.Background(), c, 1)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*256), "ns/row")
	})
	b.Run("gibbs", func(b *testing.B) {
		m := must(rbm.Random(unit.Spec{Type: unit.Bernoulli, N: 784}, spec, 0.1, 1))
		p, c := sampler.NewPool(must(sampler.NewGibbs(m, 1)), 1), sampler.NewChains(m, 256, 1)
		for b.Loop() {
			_ = p.Run(context.Background(), c, 1)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*256), "ns/row")
	})
}
