package figure

import (
	"math"
	"testing"

	"instanton/dynamics"
	"instanton/internal/rng"
	"instanton/plot"
	"instanton/plot/plottest"
)

// Panels (a) to (c) without the simulation, and what is measured along a path.
func TestPairTheory(t *testing.T) {
	p, err := solvePair()
	if err != nil {
		t.Fatal(err)
	}
	panels, err := p.panels(nil)
	if err != nil {
		t.Fatal(err)
	}
	plottest.Golden(t, "fig-curie-weiss-2d", plot.Figure{Width: plot.TwoColumns, Columns: 2, Panels: panels}, *update)

	t.Run("climbs of the optimal path are its cost", func(t *testing.T) {
		var path [][]float64
		for _, m := range p.green.M {
			u, err := p.Field(m)
			if err != nil {
				t.Fatal(err)
			}
			path = append(path, p.ClassMagnetizations(u))
		}
		climbed := p.climbs(path)
		// At T = 100 the action exceeds the sum of the ascents, and the path may step over the very tops: both by less
		// than 1e-4.
		if last := climbed[len(climbed)-1]; math.Abs(last-p.green.Action) > 1e-4 {
			t.Errorf("its climbs cost %.6f, its steps %.6f", last, p.green.Action)
		}
		first, last, ok := p.rest(path)
		if !ok || first < 20 || last > 80 {
			t.Errorf("it rests from %d to %d (%v), want around 50", first, last, ok)
		}
	})

	t.Run("the height of a step is f of the landscape", func(t *testing.T) {
		for _, m := range [][]float64{{0.3, 1, -0.7}, {-0.9, 0, 0.95}} {
			want, err := p.FreeEnergy([]float64{m[0], m[2]})
			if got := p.height(m); err != nil || math.Abs(got-want) > 1e-14 {
				t.Errorf("at %v it is %.15f, want %.15f (%v)", m, got, want, err)
			}
		}
		if got := p.height([]float64{1, 0, -1}); math.IsNaN(got) {
			t.Error("it is not a number where areas are saturated")
		}
	})

	t.Run("the likeliest hidden values", func(t *testing.T) {
		stream := rng.New(1, rng.Accept, 0, 0)
		words := make([]uint32, 6)
		for range 20 {
			stream.Fill(words)
			m, next := make([]float64, 3), make([]float64, 3)
			for c := range m {
				m[c], next[c] = 2*rng.Uniform(words[c])-1, 2*rng.Uniform(words[3+c])-1
			}
			h := p.likeliest(m, next)
			least := p.Delta(m, h, next)
			for _, d := range [][]float64{{1e-3, 0}, {-1e-3, 0}, {0, 1e-3}, {0, -1e-3}} {
				// The curvature in h is at least that of h²/2.
				if rise := p.Delta(m, []float64{h[0] + d[0], h[1] + d[1]}, next) - least; rise < 0.49e-6 {
					t.Errorf("from %v to %v the step costs %.3g more through %v than through %v", m, next, rise, d, h)
				}
			}
		}
	})
}

// The drawn path is a piece of the run: its cost climbs from 0 to that of all climbs, and without a cut the steps
// follow each other.
func TestFollowCutsTheWait(t *testing.T) {
	p, err := solvePair()
	if err != nil {
		t.Fatal(err)
	}
	up, low, down := []float64{p.m, 1, p.m}, []float64{-p.m, 0, p.m}, []float64{-p.m, -1, -p.m}
	top, second := []float64{0, 0.5, p.m}, []float64{-p.m, -0.5, 0}
	for _, wait := range []int{10, 1000} {
		var path [][]float64
		for _, leg := range []struct {
			m []float64
			n int
		}{{up, 1}, {top, 1}, {low, wait}, {second, 1}, {down, 1}} {
			for range leg.n {
				path = append(path, leg.m)
			}
		}
		sim := &pairSimulation{begin: 100}
		for range sim.begin {
			sim.long = append(sim.long, up)
		}
		sim.long = append(sim.long, path...)
		for range sim.begin {
			sim.long = append(sim.long, down)
		}
		all := dynamics.NewBlocks(p.model.Overlap.Blocks(pairSpins))
		steps := dynamics.NewTrace(all)
		for _, m := range path {
			steps.Add(m)
		}
		sim.paths = []dynamics.TransitionPath{{Trace: *steps}}
		b := sim.follow(p)
		want := p.height(top) - p.aligned.F + p.height(second) - p.mixed.F
		if math.Abs(b.Cost-want) > 1e-15 || b.cost[0] != 0 || b.cost[100] != b.Cost || len(b.t) != 101 {
			t.Errorf("wait of %d: cost %g, want %g; drawn from %g to %g in %d steps", wait, b.Cost, want, b.cost[0],
				b.cost[len(b.cost)-1], len(b.t))
		}
		if drawn := b.steps[100] - b.steps[0] - b.cut; drawn != 100 || (wait == 10) != (b.cut == 0) {
			t.Errorf("wait of %d: %d steps are drawn and %d cut", wait, drawn, b.cut)
		}
	}
}
