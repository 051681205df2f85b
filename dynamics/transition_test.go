package dynamics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"instanton/rbm"
	"instanton/sampler"
	"instanton/theory"
	"instanton/unit"
)

// Where transitions can be waited for, those drawn from their own law have the same mean length.
func TestReactivePathsAreThoseOfALongRun(t *testing.T) {
	const n, chains, steps = 80, 128, 8000
	model := theory.Structured{W: 1.15 * math.Sqrt2, Overlap: must[rbm.Overlap](t)(rbm.AllToAll(2, 0.02))}
	machine, err := rbm.Structured(n, model.W, model.Overlap)
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := sampler.NewGibbs(machine, 1)
	if err != nil {
		t.Fatal(err)
	}
	all := model.Overlap.Blocks(n)
	own := OwnBlocks(all)
	x := &Transition{
		Kernel: kernel, Blocks: NewBlocks(all), Seed: 1,
		InA:        func(b []float64) bool { return b[own[0]] > 0.6 && b[own[1]] > 0.6 },
		InB:        func(b []float64) bool { return b[own[0]] < -0.6 && b[own[1]] < -0.6 },
		Coordinate: func(b []float64) float64 { return min(b[own[0]], b[own[1]]) }, Middle: -0.2, Width: 0.2,
		Starts: BlockStates(all, [][]float64{{0, 1}, {1, 0}}), Burn: 300, Longest: 10000,
	}
	paths, err := x.Draw(t.Context(), 1500)
	if err != nil {
		t.Fatal(err)
	}
	mean, meanError := Mean(paths, func(k int) float64 { return float64(paths[k].Len()) })

	// A long run from A: the lengths of the pieces between the last step in A and the first in B, either way.
	c := sampler.NewChains(machine, chains, 2)
	if err := c.Begin(BlockStates(all, [][]float64{{1, 1}})); err != nil {
		t.Fatal(err)
	}
	r := sampler.NewRecord(kernel, c, sampler.Plan{Every: 1, Draws: steps}, false)
	if err := sampler.NewPool(kernel, 2).Record(t.Context(), c, r, nil); err != nil {
		t.Fatal(err)
	}
	var lengths []float64
	m := make([]float64, len(all))
	for k := range chains {
		state, last := 0, 0
		for d := range steps {
			x.Blocks.Read(m, r.V, k*steps+d)
			now := 0
			if x.InA(m) {
				now = -1
			} else if x.InB(m) {
				now = 1
			}
			if now == 0 {
				continue
			}
			if state != 0 && now != state {
				lengths = append(lengths, float64(d-last+1))
			}
			state, last = now, d
		}
	}
	direct, deviation := stat.MeanStdDev(lengths, nil)
	directError := stat.StdErr(deviation, float64(len(lengths)))
	t.Logf("mean length of %d drawn paths %.1f ± %.1f, of %d waited for %.1f ± %.1f",
		len(paths), mean, meanError, len(lengths), direct, directError)
	if z := (mean - direct) / math.Hypot(meanError, directError); math.Abs(z) > 4 || len(paths) < 100 ||
		len(lengths) < 100 {
		t.Errorf("they differ by %.1f standard errors", z)
	}
}

func TestBlocksRead(t *testing.T) {
	all := []rbm.Block{{Mu: 0, Nu: 0, Size: 70}, {Mu: 0, Nu: 1, Size: 0}, {Mu: 1, Nu: 1, Size: 10}}
	v := unit.NewStates(unit.Spec{Type: unit.Spin, N: 80}, 2)
	for i := range 35 {
		v.Set(1, 2*i, 1)
	}
	v.Set(1, 79, 1)
	m := make([]float64, 3)
	NewBlocks(all).Read(m, v, 1)
	if m[0] != 0 || m[1] != 0 || math.Abs(m[2]+0.8) > 1e-15 {
		t.Errorf("magnetizations %v, want 0, 0, −0.8", m)
	}
	if own := OwnBlocks(all); len(own) != 2 || own[0] != 0 || own[1] != 2 {
		t.Errorf("own blocks %v", own)
	}
}
