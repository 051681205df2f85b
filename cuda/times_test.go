//go:build linux && amd64

package cuda

import (
	"fmt"
	"os"
	"testing"
	"time"

	"instanton/batch"
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
		shape{rows: 256, outs: 64, warpsM: 4, warpsN: 2, warpsK: 1, stages: 3, blocks: 1},
		shape{rows: 128, outs: 64, warpsM: 8, warpsN: 1, warpsK: 1, stages: 6, blocks: 1, wide: true},
		shape{rows: 64, outs: 64, warpsM: 4, warpsN: 1, warpsK: 1, stages: 3, blocks: 2, wide: true},
		shape{rows: 64, outs: 64, warpsM: 4, warpsN: 1, warpsK: 1, stages: 2, blocks: 3, wide: true},
		shape{rows: 32, outs: 32, warpsM: 1, warpsN: 1, warpsK: 4, stages: 2, blocks: 4},
		shape{rows: 32, outs: 32, warpsM: 1, warpsN: 1, warpsK: 4, stages: 4, blocks: 3},
		shape{rows: 16, outs: 32, warpsM: 1, warpsN: 1, warpsK: 4, stages: 3, blocks: 4})
	for _, c := range []struct {
		visible, hidden string
		chains          int
	}{
		{"bernoulli:784", "bernoulli:500", 500}, {"spin:784", "spin:1024", 10000}, {"potts:27x20", "bernoulli:200", 500},
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
