//go:build linux && amd64

package cuda

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"instanton/batch"
	"instanton/train"
	"instanton/unit"
)

// TestTimes prints how long sweeps take with each shape of tiles, for choosing among them.
func TestTimes(t *testing.T) {
	if os.Getenv("INSTANTON_STUDY") == "" {
		t.Skip("INSTANTON_STUDY is not set")
	}
	g, err := Open(0)
	if err != nil {
		t.Skip(err)
	}
	all := shapes
	defer func() { g.shape, shapes = 0, all }()
	shapes = append(shapes[:len(shapes):len(shapes)],
		shape{rows: 64, outs: 64, warpsM: 4, warpsN: 1, warpsK: 1, stages: 2, blocks: 3, wide: true})
	for _, c := range []struct {
		visible, hidden string
		chains          int
	}{
		{"bernoulli:784", "bernoulli:500", 500}, {"potts:27x20", "bernoulli:200", 500},
		{"bernoulli:784", "bernoulli:1024", 10000}, {"bernoulli:784", "bernoulli:1000", 2000},
	} {
		m := model(t, c.visible, c.hidden, 1)
		on := must(g.Prepare(m, 1))
		start := random(m.Visible.Spec(), c.chains, 9)
		var first string
		for k, s := range shapes {
			if s.outs%max(on.on.layouts[0].group, on.on.layouts[1].group) != 0 {
				continue
			}
			g.shape = k + 1
			w := on.Worker().(*worker)
			v := start.Clone()
			w.Sweep(v, 0, c.chains, batch.Stream{Seed: 1}, 3)
			if f := v.Fingerprint(); first == "" {
				first = f
			} else if f != first {
				t.Errorf("%v: shape %d draws other bits", c, k)
			}
			n := 200000000 / (c.chains * 1000)
			timed := func(n int) float64 {
				begin := time.Now()
				if err := w.run(batch.Hidden, c.chains, 2*n, batch.Stream{Seed: 1}); err != nil {
					t.Fatal(err)
				}
				if err := g.device.Wait(); err != nil {
					t.Fatal(err)
				}
				return time.Since(begin).Seconds()
			}
			timed(n)
			one := timed(1)
			k, _ := g.product("sweeps", g.shape-1)
			fmt.Printf("%-14s %-15s %5d chains, tiles %3d×%3d, %d resident: %8.2f µs per sweep, one alone %8.2f µs\n",
				c.visible, c.hidden, c.chains, s.rows, s.outs, k.Resident(), timed(n)/float64(n)*1e6, one*1e6)
		}
		g.shape = 0
	}
}

// TestTrainingTimes prints how long updates take.
func TestTrainingTimes(t *testing.T) {
	if os.Getenv("INSTANTON_STUDY") == "" {
		t.Skip("INSTANTON_STUDY is not set")
	}
	g, err := Open(0)
	if err != nil {
		t.Skip(err)
	}
	for _, c := range []struct{ hidden, chains, sweeps int }{
		{500, 500, 1}, {500, 500, 10}, {1024, 10000, 1}, {1024, 10000, 10},
	} {
		v, h := unit.Spec{Type: unit.Bernoulli, N: 784}, unit.Spec{Type: unit.Bernoulli, N: c.hidden}
		o := train.Recipe()
		o.Batch, o.Chains, o.Sweeps, o.Epochs, o.Device = c.chains, c.chains, c.sweeps, 1<<20, g.Device()
		o.Coordinates, o.Clip, o.Optimizer, o.Rate = train.Plain, 0, train.SGD{}, 1e-5
		tr := must(train.New(h, train.Data{States: random(v, 4*c.chains, 1)}, o))
		timed := func(n int) float64 {
			begin := time.Now()
			for range n {
				if err := tr.Update(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			return time.Since(begin).Seconds() / float64(n) * 1e6
		}
		timed(10)
		n := 2000000 / c.chains / c.sweeps
		fmt.Printf("PCD-%d 784-%d, %d: %.1f µs per update\n", c.sweeps, c.hidden, c.chains, timed(n))
	}
}

// TestPartTimes prints how long the parts of an update take.
func TestPartTimes(t *testing.T) {
	if os.Getenv("INSTANTON_STUDY") == "" {
		t.Skip("INSTANTON_STUDY is not set")
	}
	g, err := Open(0)
	if err != nil {
		t.Skip(err)
	}
	for _, c := range []struct{ hidden, chains int }{{500, 500}, {1024, 10000}} {
		v, h := unit.Spec{Type: unit.Bernoulli, N: 784}, unit.Spec{Type: unit.Bernoulli, N: c.hidden}
		m := model(t, v.String(), h.String(), 1)
		e := must(g.Prepare(m, 1))
		x := must(e.Learn(batch.LearnOptions{Samples: random(v, 4*c.chains, 1), Batch: c.chains, Chains: c.chains,
			Sweeps: 1, Mu: make([]float64, 784), Sigma: make([]float64, 784), Centred: true, Clip: 1}))
		l := x.(*learning)
		timed := func(name string, do func() error) {
			var took []float64
			for range 30 {
				if err := g.device.Wait(); err != nil {
					t.Fatal(err)
				}
				begin := time.Now()
				for range 20 {
					if err := do(); err != nil {
						t.Fatal(err)
					}
				}
				if err := g.device.Wait(); err != nil {
					t.Fatal(err)
				}
				took = append(took, time.Since(begin).Seconds()/20*1e6)
			}
			slices.Sort(took)
			fmt.Printf("784-%d, %d: %-12s %8.1f µs\n", c.hidden, c.chains, name, took[len(took)/2])
		}
		timed("round", e.on.round)
		timed("roundAgain", e.on.roundAgain)
		timed("sweep", func() error { return g.runSweeps(l.shape, l.sweeps, l.counters) })
		timed("averages", func() error { return l.launches.queueAll(l.samples.at, l.v.at) })
		timed("transpose", func() error {
			return launch(g, "transpose", 128, 0, 32*2*l.data.words*e.on.layouts[0].chunks(), &l.launches.transpose)
		})
		timed("up", func() error { return g.runProducts(l.launches.shape[0], &l.launches.up) })
		timed("finish", func() error {
			threads := 2 * (e.on.layouts[1].positions + 32*e.on.layouts[0].positions)
			return launch(g, "finish", 128, 0, threads, &l.launches.finish)
		})
		for k, s := range shapes {
			vh := l.launches.vh
			for half, m := range []*moments{l.data, l.model} {
				vh.half[half] = m.correlate(s)
			}
			timed(fmt.Sprintf("vh %d×%d", s.rows, s.outs), func() error { return g.runProducts(k, &vh) })
		}
		fmt.Println("shapes", l.shape, l.launches.shape, l.launches.fused)
		one := func(name string, threads, shared, all int) func() error {
			return func() error { return launch(g, name, threads, shared, all, l.step) }
		}
		timed("step_rows", one("step_rows", 256, 32*c.hidden, 256*784))
		timed("step_pieces", one("step_pieces", 256, 8*(4+3*784+c.hidden), 256*(1+ceil(c.hidden, 256)*13)))
		timed("step_layers", one("step_layers", 256, 0, 784+c.hidden))
		timed("all", l.queue)
		timed("graph", l.graph.Launch)
	}
}
