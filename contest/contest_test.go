package contest_test

import (
	"context"
	"math"
	"testing"

	"instanton/contest"
	"instanton/dataset"
	"instanton/mixing"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// lazy draws all spins afresh, up or down together with probability P(up), but stays where it is with probability stay.
type lazy struct {
	model    *rbm.RBM
	up, stay float64
}

func (l lazy) Model() *rbm.RBM        { return l.model }
func (l lazy) Beta() float64          { return 1 }
func (l lazy) Worker() sampler.Worker { return l }

func (l lazy) Sweep(c *sampler.Chains, lo, hi int, first uint64, n int) {
	for k := lo; k < hi; k++ {
		for s := range n {
			r := c.Rand(k, first+uint64(s))
			if r.Float64() < l.stay {
				continue
			}
			x := -1.0
			if r.Float64() < l.up {
				x = 1
			}
			for i := range c.V.N {
				c.V.Set(k, i, x)
			}
		}
	}
}

// twoModes are all spins up and all spins down.
func twoModes(t *testing.T) contest.Options {
	t.Helper()
	m, err := rbm.CurieWeiss(9, 1.2)
	if err != nil {
		t.Fatal(err)
	}
	d := &dataset.Dataset{States: unit.NewStates(m.Visible.Spec(), 2), Labels: []int{0, 1}}
	for i := range 9 {
		d.States.Set(0, i, -1)
		d.States.Set(1, i, 1)
	}
	modes, err := mixing.Labels(d, m.Visible.Spec())
	if err != nil {
		t.Fatal(err)
	}
	return contest.Options{Model: m, Modes: modes, Runs: 400, Seed: 1, Sweeps: 2000,
		Starts: []*unit.States{d.States.Slice(0, 1), d.States.Slice(1, 2)}}
}

func run(t *testing.T, k sampler.Kernel, o contest.Options) *contest.Row {
	t.Helper()
	made := func(context.Context) (sampler.Kernel, string, error) { return k, "", nil }
	row, err := contest.Run(context.Background(), contest.Sampler{Name: "test", Make: made}, o)
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// A chain that forgets its state with probability 1−s in a step has an autocorrelation time (1+s)/(1−s).
func TestEffectiveSampleSizeIsKnown(t *testing.T) {
	for _, stay := range []float64{0, 0.5, 0.95} {
		o := twoModes(t)
		row := run(t, lazy{o.Model, 0.3, stay}, o)
		counted := 0.9 * float64(row.Sweeps)
		want := counted * (1 - stay) / (1 + stay)
		// The variance of 400 run means has a relative standard deviation of √(2/399) = 0.07.
		if got := float64(row.RunESS); math.Abs(got/want-1) > 4*0.07 {
			t.Errorf("stay %g: one run is worth %.1f draws, want %.1f", stay, got, want)
		}
		if err := float64(row.OccupancyErrors[1]); math.Abs(float64(row.Occupancies[1])-0.3) > 4*err {
			t.Errorf("stay %g: occupancy %.4f ± %.4f, want 0.3", stay, row.Occupancies[1], err)
		}
		if !row.Mixed {
			t.Errorf("stay %g: R-hat %.3f, not mixed", stay, row.RHat)
		}
		row.Cost(2)
		if got, want := float64(row.ModeESSPer1e5), float64(row.RunESS)*1e5/(2*float64(row.Sweeps)); math.Abs(
			got/want-1) > 1e-12 {
			t.Errorf("stay %g: %.3f per 10⁵ steps, want %.3f", stay, got, want)
		}
	}
}

func TestStuckChainsAreNotMixed(t *testing.T) {
	o := twoModes(t)
	row := run(t, lazy{o.Model, 0.3, 1}, o)
	if row.Mixed || !math.IsNaN(float64(row.RunESS)) {
		t.Errorf("chains that never move: mixed %v, worth %g draws", row.Mixed, row.RunESS)
	}
	if down, up := row.ByStart[0][1], row.ByStart[1][1]; down != 0 || up != 1 {
		t.Errorf("up by start: %g and %g, want 0 and 1", down, up)
	}
}

// One run in forty that stays behind is enough.
func TestOneTrappedRunIsSeen(t *testing.T) {
	o := twoModes(t)
	o.Runs = 40
	row := run(t, trapped{lazy{o.Model, 0.3, 0}}, o)
	if row.Mixed {
		t.Errorf("one trapped run: R-hat %.3f counts as mixed", row.RHat)
	}
}

// trapped never moves its first chain.
type trapped struct{ lazy }

func (l trapped) Worker() sampler.Worker { return l }

func (l trapped) Sweep(c *sampler.Chains, lo, hi int, first uint64, n int) {
	l.lazy.Sweep(c, max(lo, 1), hi, first, n)
}

func TestOptionsAreChecked(t *testing.T) {
	for name, change := range map[string]func(o *contest.Options){
		"runs":   func(o *contest.Options) { o.Runs = 3 },
		"starts": func(o *contest.Options) { o.Starts = nil },
		"place":  func(o *contest.Options) { o.Starts = o.Starts[:1] },
		"time":   func(o *contest.Options) { o.Sweeps = 0 },
	} {
		o := twoModes(t)
		change(&o)
		if o.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The conclusion names the best of the samplers that mix, and those that do not.
func TestConclusion(t *testing.T) {
	nan := mixing.Number(math.NaN())
	row := func(name string, mixed bool, ess mixing.Number) *contest.Row {
		return &contest.Row{Sampler: name, Mixed: mixed, ModeESSPerSec: ess, Occupancies: []mixing.Number{0.5, 0.5},
			OccupancyErrors: []mixing.Number{0.01, 0.01}}
	}
	for want, rows := range map[string][]*contest.Row{
		"No sampler ran.": {{Sampler: "mixture", Error: "no data"}},
		"Use jump: its chains mix, and one second of them is worth 350 independent draws of the mode.": {
			row("jump", true, 349.7)},
		"gibbs has not mixed: its runs disagree on the weights of the modes.": {row("gibbs", false, nan)},
		"Use jump: its chains mix, and one second of them is worth 12,000 independent draws of the mode. gibbs and " +
			"latent have not mixed.": {row("gibbs", false, nan), row("latent", false, nan), row("tempering", true, 7),
			row("jump", true, 12345)},
	} {
		c := contest.Contest{Modes: []string{"a", "b"}, Rows: rows}
		c.Conclude()
		if c.Conclusion != want {
			t.Errorf("%q, want %q", c.Conclusion, want)
		}
	}
}
