//go:build linux && amd64

package cuda

import (
	"fmt"
	"testing"

	"instanton/batch"
	"instanton/train"
	"instanton/unit"
)

// bench opens the GPU that a benchmark measures; the emulator's times would mean nothing.
func bench(b *testing.B) *GPU {
	b.Helper()
	g, err := Open(0)
	if err != nil {
		b.Skip("needs a GPU: ", err)
	}
	return g
}

// measure queues the work and waits for all of it.
func measure(b *testing.B, g *GPU, work func() error) {
	b.Helper()
	for b.Loop() {
		if err := work(); err != nil {
			b.Fatal(err)
		}
	}
	if err := g.device.Wait(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkTiles takes sweeps with each shape of tiles, for choosing among them.
func BenchmarkTiles(b *testing.B) {
	g := bench(b)
	defer func() { g.shape = 0 }()
	const sweeps = 100
	for _, c := range []struct {
		visible, hidden string
		chains          int
	}{
		{"bernoulli:784", "bernoulli:500", 500}, {"potts:27x20", "bernoulli:200", 500},
		{"bernoulli:784", "bernoulli:1024", 10000}, {"bernoulli:784", "bernoulli:1000", 2000},
	} {
		m := model(b, c.visible, c.hidden, 1)
		on := must(g.Prepare(m, 1))
		for k, s := range shapes {
			if s.outs%max(on.on.layouts[0].group, on.on.layouts[1].group) != 0 {
				continue // Potts units need a tile of whole groups
			}
			b.Run(fmt.Sprintf("%s-%s-%d/%dx%d", c.visible, c.hidden, c.chains, s.rows, s.outs), func(b *testing.B) {
				g.shape = k + 1
				w := on.Worker().(*worker)
				w.Sweep(random(m.Visible.Spec(), c.chains, 9), 0, c.chains, batch.Stream{Seed: 1}, 1)
				measure(b, g, func() error { return w.run(batch.Hidden, c.chains, 2*sweeps, batch.Stream{Seed: 1}) })
				b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N*sweeps), "µs/sweep")
			})
		}
	}
}

// BenchmarkUpdate takes whole updates of PCD.
func BenchmarkUpdate(b *testing.B) {
	g := bench(b)
	for _, c := range []struct{ hidden, chains, sweeps int }{
		{500, 500, 1}, {500, 500, 10}, {1024, 10000, 1}, {1024, 10000, 10},
	} {
		b.Run(fmt.Sprintf("PCD-%d/784-%d-%d", c.sweeps, c.hidden, c.chains), func(b *testing.B) {
			v, h := unit.Spec{Type: unit.Bernoulli, N: 784}, unit.Spec{Type: unit.Bernoulli, N: c.hidden}
			o := train.Recipe()
			o.Batch, o.Chains, o.Sweeps, o.Epochs, o.Device = c.chains, c.chains, c.sweeps, 1<<20, g.Device()
			o.Coordinates, o.Clip, o.Optimizer, o.Rate = train.Plain, 0, train.SGD{}, 1e-5
			t := must(train.New(h, train.Data{States: random(v, 4*c.chains, 1)}, o))
			measure(b, g, func() error { return t.Update(b.Context()) })
		})
	}
}

// BenchmarkParts takes the parts of an update one by one.
func BenchmarkParts(b *testing.B) {
	g := bench(b)
	for _, c := range []struct{ hidden, chains int }{{500, 500}, {1024, 10000}} {
		v, h := unit.Spec{Type: unit.Bernoulli, N: 784}, unit.Spec{Type: unit.Bernoulli, N: c.hidden}
		e := must(g.Prepare(model(b, v.String(), h.String(), 1), 1))
		l := must(e.Learn(batch.LearnOptions{Samples: random(v, 4*c.chains, 1), Batch: c.chains, Chains: c.chains,
			Sweeps: 1, Mu: make([]float64, 784), Sigma: make([]float64, 784), Centred: true, Clip: 1})).(*learning)
		part := func(name string, work func() error) {
			b.Run(fmt.Sprintf("784-%d-%d/%s", c.hidden, c.chains, name),
				func(b *testing.B) { measure(b, g, work) })
		}
		step := func(name string, threads, shared, all int) {
			part(name, func() error { return launch(g, name, threads, shared, all, l.step) })
		}
		part("round", e.on.round)
		part("roundAgain", e.on.roundAgain)
		part("sweep", func() error { return g.runSweeps(l.shape, l.sweeps, l.counters) })
		part("averages", func() error { return l.launches.queueAll(l.samples.at, l.v.at) })
		part("transpose", func() error {
			return launch(g, "transpose", 128, 0, 32*2*l.data.words*e.on.layouts[0].chunks(), &l.launches.transpose)
		})
		part("up", func() error { return g.runProducts(l.launches.shape[0], &l.launches.up) })
		part("finish", func() error {
			threads := 2 * (e.on.layouts[1].positions + 32*e.on.layouts[0].positions)
			return launch(g, "finish", 128, 0, threads, &l.launches.finish)
		})
		for k, s := range shapes {
			vh := l.launches.vh
			for half, m := range []*moments{l.data, l.model} {
				vh.half[half] = m.correlate(s)
			}
			part(fmt.Sprintf("vh/%dx%d", s.rows, s.outs), func() error { return g.runProducts(k, &vh) })
		}
		step("step_rows", 256, 32*c.hidden, 256*784)
		step("step_pieces", 256, 8*(4+3*784+c.hidden), 256*(1+ceil(c.hidden, 256)*13))
		step("step_layers", 256, 0, 784+c.hidden)
		part("all", l.queue)
		part("graph", l.graph.Launch)
	}
}
