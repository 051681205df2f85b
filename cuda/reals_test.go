//go:build linux && amd64

package cuda

import (
	"testing"

	"instanton/batch"
	"instanton/sampler"
)

// layersOf are layers of all types.
func layersOf(n string) []string {
	return []string{"spin:" + n, "bernoulli:" + n, "potts:" + n + "x5", "gaussian:" + n, "relu:" + n, "drelu:" + n}
}

// Sweeps of all 36 pairs of unit types are those of the processor, and so are draws of both layers.
func TestAllPairsAreThoseOfTheProcessor(t *testing.T) {
	gpus(t, func(t *testing.T, g *GPU) {
		for _, visible := range layersOf("35") {
			for _, hidden := range layersOf("9") {
				m := model(t, visible, hidden, 0.5)
				cpu, on := must(batch.New(m, 1)), must(g.Prepare(m, 1))
				want := sampler.NewChains(m, 40, 3).V
				got := want.Clone()
				s := batch.Stream{Seed: 1<<35 + 3, Chain: 7, Sweep: 1<<32 - 1}
				cpu.Worker().Sweep(want, 2, 37, s, 2)
				on.Worker().Sweep(got, 2, 37, s, 2)
				if !got.Equal(want) {
					differ := 0
					for k := range want.Len {
						for i := range want.N {
							if want.Value(k, i) != got.Value(k, i) {
								differ++
							}
						}
					}
					t.Errorf("%s with %s: %d of %d units differ after two sweeps", visible, hidden, differ,
						want.Len*want.N)
				}
			}
		}
	})
}
