package train

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"instanton/evaluate"
	"instanton/unit"
)

// wells returns distinct configurations around the two states in which all spins are equal.
func wells(n, count int) *unit.States {
	s := unit.NewStates(unit.Spec{Type: unit.Spin, N: n}, count)
	r := rand.New(rand.NewPCG(1, 2))
	for k := range count {
		for i := range n {
			x := float64(2*(k%2) - 1)
			if r.IntN(10) == 0 {
				x = -x
			}
			s.Set(k, i, x)
		}
	}
	return s
}

// Chains begin to jump once they are stuck in one of two wells, by a network since there are many samples; whether
// the training is interrupted before or after that makes no difference.
func TestStuckChainsBeginToJump(t *testing.T) {
	data := Data{States: wells(40, 400)}
	start := func(workers int) *Trainer {
		c := small(75)
		c.Batch, c.Chains, c.Optimizer.Rate, c.Sampler = 100, 60, 0.01, "auto"
		tr, err := c.New(unit.Spec{Type: unit.Gaussian, N: 4}, data, workers)
		if err != nil {
			t.Fatal(err)
		}
		return tr
	}
	whole := start(2)
	if whole.Jumps() != nil {
		t.Error("chains jump from the beginning, with many samples")
	}
	advance(t, whole, 10)
	if name, _ := whole.Sampler(); name != "gibbs" {
		t.Errorf("sampler %q before any jump", name)
	}
	advance(t, whole, whole.Total()-10)
	j := whole.Jumps()
	if j == nil || j.Since == 0 {
		t.Fatal("chains that cannot cross between two wells do not jump")
	}
	if name, why := whole.Sampler(); name != "gibbs and jumps" || why == "" {
		t.Errorf("sampler %q: %s", name, why)
	}
	if !(j.Acceptance > 0.02) {
		t.Errorf("%d jumps, every %d updates: acceptance %g", j.Made, j.Every, j.Acceptance)
	}
	cut := start(1)
	for cut.Updates() < cut.Total() {
		advance(t, cut, min(23, cut.Total()-cut.Updates()))
		saved := file(t, cut)
		cut = start(1)
		if _, err := cut.Restore(bytes.NewReader(saved), int64(len(saved))); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(file(t, cut), file(t, whole)) {
		t.Error("a training that is resumed ends differently")
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	cut.updates--
	before := file(t, cut)
	if cut.Update(ended) == nil || !bytes.Equal(file(t, cut), before) {
		t.Error("an update that is interrupted leaves a trace")
	}
}

// Steps that are too large for chains without jumps, which end far below their best, do no harm with them.
func TestJumpsSaveATraining(t *testing.T) {
	final := func(name string) float64 {
		c := Default()
		c.Epochs, c.Batch, c.Chains, c.Sweeps, c.Optimizer.Rate, c.Sampler = 500, 30, 200, 2, 0.01, name
		tr, err := c.New(unit.Spec{Type: unit.Spin, N: 16}, Data{States: barsOf(t, 4, unit.Spin)}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := tr.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		s, err := evaluate.New(tr.Model(), barsOf(t, 4, unit.Spin), nil, false)
		if err != nil {
			t.Fatal(err)
		}
		return *s.LogLikelihood
	}
	with, without := final("auto"), final("gibbs")
	t.Logf("log-likelihood %.3f with jumps, %.3f without", with, without)
	if !(with > -3.55 && without < with-0.3) {
		t.Errorf("log-likelihood %.3f with jumps, expected more than −3.55, and %.3f without, expected much less", with,
			without)
	}
}

// Chains that stay among bars or among stripes remember, though both have equal means; chains drawn anew do not.
func TestRecall(t *testing.T) {
	bars := barsOf(t, 6, unit.Spin)
	r := rand.New(rand.NewPCG(3, 4))
	var classes [2][]int // constant rows, constant columns
	for k := range bars.Len {
		if bars.Value(k, 0) == bars.Value(k, 1) && bars.Value(k, 0) == bars.Value(k, 5) {
			classes[0] = append(classes[0], k)
		} else {
			classes[1] = append(classes[1], k)
		}
	}
	draw := func(stuck bool) *unit.States {
		s := unit.NewStates(bars.Spec, recallChains)
		for k := range s.Len {
			class := classes[k%2]
			if !stuck {
				class = classes[r.IntN(2)]
			}
			s.CopyRow(k, bars, class[r.IntN(len(class))])
		}
		return s
	}
	for range 20 {
		if x, stuck := remembered(draw(false), draw(false)); stuck {
			t.Errorf("chains drawn anew remember: %g", x)
		}
		if x, stuck := remembered(draw(true), draw(true)); !stuck {
			t.Errorf("chains that stay among bars or among stripes do not remember: %g", x)
		}
	}
}
