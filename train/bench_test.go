package train

import (
	"context"
	"testing"

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
