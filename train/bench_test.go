package train

import (
	"context"
	"fmt"
	"testing"
	"time"

	"instanton/internal/rng"
	"instanton/unit"
)

// Updates of the sizes of MNIST and of a protein family.
func BenchmarkUpdate(b *testing.B) {
	for name, c := range map[string]struct {
		visible, hidden unit.Spec
	}{
		"mnist":   {unit.Spec{Type: unit.Bernoulli, N: 784}, unit.Spec{Type: unit.Bernoulli, N: 500}},
		"spins":   {unit.Spec{Type: unit.Spin, N: 784}, unit.Spec{Type: unit.Gaussian, N: 200}},
		"protein": {unit.Spec{Type: unit.Potts, N: 300, Q: 21}, unit.Spec{Type: unit.DReLU, N: 100}},
	} {
		b.Run(name, func(b *testing.B) {
			data := unit.NewStates(c.visible, 1000)
			r := rng.New(1, rng.Data, 0, 0).Rand()
			for k := range data.Len {
				for i := range data.N {
					data.Set(k, i, c.visible.StateValue(r.IntN(c.visible.States())))
				}
			}
			cfg := Default()
			cfg.Optimizer.Rate = 1e-4
			cfg.Epochs = 1 << 30
			tr, err := cfg.New(c.hidden, Data{States: data}, 0)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := tr.Update(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Updates at 784-500 with and without jumps, alternately: the ratio of their times, for many samples and for few. Use
// -benchtime 40x, since chains do not jump in every update.
func BenchmarkJumps(b *testing.B) {
	visible := unit.Spec{Type: unit.Bernoulli, N: 784}
	for _, hidden := range []unit.Type{unit.Bernoulli, unit.Gaussian} {
		for _, samples := range []int{1000, 200} {
			for _, sweeps := range []int{10, 1} {
				name := fmt.Sprintf("hidden=%s/samples=%d/k=%d", hidden, samples, sweeps)
				b.Run(name, func(b *testing.B) {
					data := unit.NewStates(visible, samples)
					r := rng.New(1, rng.Data, 0, 0).Rand()
					for k := range data.Len {
						for i := range data.N {
							data.Set(k, i, visible.StateValue(r.IntN(2)))
						}
					}
					var trainers [2]*Trainer
					var took [2]time.Duration
					for j, s := range []string{"gibbs", "jump"} {
						cfg := Default()
						cfg.Chains, cfg.Sweeps, cfg.Sampler = 500, sweeps, s
						cfg.Optimizer.Rate, cfg.Epochs = 1e-5, 1<<30
						var err error
						trainers[j], err = cfg.New(unit.Spec{Type: hidden, N: 500}, Data{States: data}, 0)
						if err != nil {
							b.Fatal(err)
						}
					}
					for b.Loop() {
						for j, t := range trainers {
							began := time.Now()
							if err := t.Update(context.Background()); err != nil {
								b.Fatal(err)
							}
							took[j] += time.Since(began)
						}
					}
					b.ReportMetric(float64(took[1])/float64(took[0]), "×")
				})
			}
		}
	}
}
