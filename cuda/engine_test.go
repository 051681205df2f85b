//go:build linux && amd64

package cuda

import (
	"fmt"
	"slices"
	"testing"

	"instanton/batch"
	"instanton/rbm"
	"instanton/unit"
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// gpus calls a test with the emulator and, where there is one, with a GPU.
func gpus(t *testing.T, test func(t *testing.T, g *GPU)) {
	t.Run("emulator", func(t *testing.T) {
		if testing.Short() {
			t.Skip("compiles the kernels for the processor")
		}
		test(t, emulatedGPU(t))
	})
	t.Run("gpu", func(t *testing.T) {
		g, err := Open(0)
		if err != nil {
			t.Skip(err)
		}
		test(t, g)
	})
}

// pairs are layers whose sizes are no multiples of anything.
var pairs = [][2]string{
	{"bernoulli:150", "bernoulli:70"}, {"spin:33", "spin:65"}, {"spin:7", "bernoulli:129"}, {"bernoulli:1", "spin:1"},
	{"potts:13x5", "bernoulli:40"}, {"spin:40", "potts:9x21"}, {"potts:5x70", "spin:20"},
}

func model(t testing.TB, visible, hidden string, scale float64) *rbm.RBM {
	t.Helper()
	return must(rbm.Random(must(unit.ParseSpec(visible)), must(unit.ParseSpec(hidden)), scale, 3))
}

// random fills a batch with states.
func random(spec unit.Spec, n int, seed uint64) *unit.States {
	s := unit.NewStates(spec, n)
	x := seed
	for k := range n {
		for i := range spec.N {
			x = x*6364136223846793005 + 1442695040888963407
			s.Set(k, i, spec.StateValue(int(x>>33)%spec.States()))
		}
	}
	return s
}

// Every draw has the bits of the processor.
func TestDrawsAreThoseOfTheProcessor(t *testing.T) {
	gpus(t, func(t *testing.T, g *GPU) {
		for _, pair := range pairs {
			m := model(t, pair[0], pair[1], 1.5)
			cpu, on := must(batch.New(m, 1)), must(g.Prepare(m, 1))
			const rows = 70
			for side := range batch.Side(2) {
				from, to := m.Visible.Spec(), m.Hidden.Spec()
				if side == batch.Visible {
					from, to = to, from
				}
				given := random(from, rows+3, 7)
				want, got := unit.NewStates(to, rows), unit.NewStates(to, rows)
				s := batch.Stream{Seed: 1<<40 + 5, Chain: 11, Sweep: 1<<33 + 1}
				cpu.Worker().Draw(side, want, 0, given, 3, rows, s)
				on.Worker().Draw(side, got, 0, given, 3, rows, s)
				if !got.Equal(want) {
					t.Errorf("%v: draws of the %s units differ", pair, side)
				}
			}
		}
	})
}

// Every shape of tiles gives the same sweeps, many of them in one launch.
func TestSweepsAreThoseOfTheProcessor(t *testing.T) {
	gpus(t, func(t *testing.T, g *GPU) {
		defer func() { g.shape = 0 }()
		for k, s := range shapes {
			if _, ok := g.device.(*emulator); ok && k%3 != 0 && k != 1 {
				continue // compiling all takes long
			}
			for _, pair := range pairs[:5] {
				m := model(t, pair[0], pair[1], 1)
				on := must(g.Prepare(m, 1))
				if s.outs%max(on.on.layouts[0].group, on.on.layouts[1].group) != 0 ||
					s.wide && g.device.Architecture() != hopper {
					continue
				}
				g.shape = k + 1
				want := random(m.Visible.Spec(), 150, 9)
				got := want.Clone()
				stream := batch.Stream{Seed: 77, Sweep: 5}
				must(batch.New(m, 1)).Worker().Sweep(want, 1, 140, stream, 3)
				on.Worker().Sweep(got, 1, 140, stream, 3)
				if !got.Equal(want) {
					t.Errorf("%v with tiles of %d×%d: sweeps differ", pair, s.rows, s.outs)
				}
			}
		}
	})
}

// Energies with the weights of the chains are those of the processor.
func TestEnergiesAreThoseOfTheProcessor(t *testing.T) {
	gpus(t, func(t *testing.T, g *GPU) {
		for _, pair := range pairs {
			m := model(t, pair[0], pair[1], 1.5)
			cpu, on := must(batch.New(m, 1)), must(g.Prepare(m, 1))
			v := random(m.Visible.Spec(), 50, 7)
			want, got := make([]float64, 45), make([]float64, 45)
			cpu.Worker().Energies(want, v, 2)
			on.Worker().Energies(got, v, 2)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%v: energies differ: %v, want %v", pair, got[:3], want[:3])
			}
		}
	})
}

// Averages are those of the processor, with and without weights.
func TestAveragesAreThoseOfTheProcessor(t *testing.T) {
	gpus(t, func(t *testing.T, g *GPU) {
		defer func() { g.shape = 0 }()
		for k, pair := range append(pairs[:len(pairs):len(pairs)], pairs[:5]...) {
			if g.shape = 0; k >= len(pairs) {
				g.shape = 4 // of other GPUs, with means by a kernel of their own
			}
			m := model(t, pair[0], pair[1], 1.5)
			cpu, on := must(batch.New(m, 1)), must(g.Prepare(m, 1))
			const rows = 300
			v := random(m.Visible.Spec(), rows, 7)
			weights := make([]float64, rows)
			for k := range weights {
				weights[k] = float64(k%7) / 3
			}
			for _, w := range [][]float64{nil, weights} {
				want, got := cpu.Averages(rows, batch.AveragesOptions{}), on.Averages(rows, batch.AveragesOptions{})
				want.Take(v, w)
				got.Take(v, w)
				for name, x := range map[string][2][]float64{
					"v": {want.V(), got.V()}, "h": {want.H(), got.H()}, "variance": {want.Variance(), got.Variance()},
					"visible": {want.Visible().Params()[0].Data, got.Visible().Params()[0].Data},
					"hidden":  {want.Hidden().Params()[0].Data, got.Hidden().Params()[0].Data},
				} {
					if !slices.Equal(x[0], x[1]) {
						t.Errorf("%v: ⟨%s⟩ differs: %v, want %v", pair, name, x[1][:1], x[0][:1])
					}
				}
				for c := range m.Visible.Spec().Width() {
					a, b := make([]float64, m.Hidden.Spec().Width()), make([]float64, m.Hidden.Spec().Width())
					want.AddVH(a, c, -0.3)
					got.AddVH(b, c, -0.3)
					if !slices.Equal(a, b) {
						t.Fatalf("%v: ⟨vh⟩ of channel %d differs: %v, want %v", pair, c, b[:1], a[:1])
					}
				}
			}
		}
	})
}
