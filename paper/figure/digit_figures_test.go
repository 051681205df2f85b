package figure

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"instanton/dataset"
	"instanton/evaluate"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/unit"
)

// ringsAndBars are images of 8 × 8 spins that one may take for zeros and ones: a ring or an upright bar, one
// pixel in ten wrong.
func ringsAndBars(count int, seed uint64) *dataset.Dataset {
	const side = 8
	random := rand.New(rand.NewPCG(seed, 1))
	d := &dataset.Dataset{States: unit.NewStates(unit.Spec{Type: unit.Spin, N: side * side}, count),
		LabelNames: []string{"0", "1"}}
	for k := range count {
		class := k % 2
		for i := range side * side {
			y, x := i/side, i%side
			ring := (x == 1 || x == 6) && y >= 1 && y <= 6 || (y == 1 || y == 6) && x >= 1 && x <= 6
			bar := (x == 3 || x == 4) && y >= 1 && y <= 6
			on := class == 0 && ring || class == 1 && bar
			if random.Float64() < 0.1 {
				on = !on
			}
			if on {
				d.States.Set(k, i, 1)
			}
		}
		d.Labels = append(d.Labels, class)
	}
	return d
}

// rings trains a small model of rings and bars.
func rings(t *testing.T) (verdict.Settings, *experiment.Digits) {
	t.Helper()
	s := verdict.Settings{Quick: true, Seed: 1, Workers: 2}.In(t.TempDir())
	d, err := experiment.LearnDigits(t.Context(), s, experiment.DigitsPlan{Name: "rings", Hidden: "spin:40", Sweeps: 5,
		Epochs: 60, Annealing: 200, Bridge: evaluate.BridgeOptions{Chains: 60, Steps: 100, Burn: 100}},
		ringsAndBars(600, 1), ringsAndBars(200, 2))
	if err != nil {
		t.Fatal(err)
	}
	return s, d
}

// claimOf finds a claim.
func claimOf(t *testing.T, r *verdict.Result, name string) verdict.Claim {
	t.Helper()
	for _, c := range r.Claims {
		if c.Name == name {
			c.Figure = "test"
			if err := c.Check(); err != nil {
				t.Error(err)
			}
			return c
		}
	}
	t.Fatalf("no claim %s", name)
	return verdict.Claim{}
}

// drawn checks that pictures and tables can be written.
func drawn(t *testing.T, r *verdict.Result) {
	t.Helper()
	f := verdict.Figure{Name: "fig-test", Title: "t", Shows: "s", Version: 1}
	f.Run = func(context.Context, verdict.Settings) (*verdict.Result, error) { return r, nil }
	if _, err := verdict.Make(t.Context(), []verdict.Figure{f}, verdict.Options{Dir: t.TempDir()}); err != nil {
		t.Error(err)
	}
}

func TestDigitFiguresOnRingsAndBars(t *testing.T) {
	if testing.Short() {
		t.Skip("makes figures")
	}
	s, d := rings(t)
	if d.Weights[0].Share < 0.05 || d.Weights[0].Share > 0.95 || d.HeldOut < d.Likelihood.Independent {
		t.Errorf("the model is no good: weights %+v, log-likelihood %g against %g of independent sites", d.Weights,
			d.HeldOut, d.Likelihood.Independent)
	}
	dynamics, err := mnistResult(t.Context(), s, d, 10, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	drawn(t, dynamics)
	if c := claimOf(t, dynamics, "within-class"); c.Verdict == verdict.Fails {
		t.Errorf("%+v", c)
	}
	if c := claimOf(t, dynamics, "stuck"); c.Measured[1].Value != 100_000 {
		t.Errorf("%+v", c)
	}
	weights, err := weightsResult(d)
	if err != nil {
		t.Fatal(err)
	}
	drawn(t, weights)
	if c := claimOf(t, weights, "two-clusters"); c.Measured[2].Value < 0.95 {
		t.Errorf("the collective mode does not tell rings from bars: %+v", c)
	}
	if c := claimOf(t, weights, "half"); c.Measured[1].Value > 1e-9 {
		t.Errorf("turning hidden units changed the model: %+v", c)
	}
	strokes, err := strokesResult(d, 50)
	if err != nil {
		t.Fatal(err)
	}
	drawn(t, strokes)
	if c := claimOf(t, strokes, "far"); !(c.Measured[0].Value > c.Measured[1].Value &&
		c.Measured[0].Value > c.Measured[2].Value) {
		t.Errorf("%+v", c)
	}
	ten, err := tenDigitsResult(t.Context(), s, []*experiment.Digits{d, d}, []*experiment.Digits{d, d}, 10, 2000)
	if err != nil {
		t.Fatal(err)
	}
	drawn(t, ten)
	if c := claimOf(t, ten, "more-often"); c.Verdict != verdict.Fails {
		t.Errorf("a model passes more often than itself: %+v", c)
	}
}

func TestWaysBetween(t *testing.T) {
	got := waysBetween([][]int{{-1, 0, 0, 5, 7, 5, 1, 1, 0}, {1, 3, 1, 4}, {2, 0}})
	want := []passage{{chain: 0, from: 2, to: 6, by: []int{5, 7}}, {chain: 0, from: 7, to: 8}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Without the files the figure says so, and nothing fails.
func TestFiguresWithoutMNIST(t *testing.T) {
	s := verdict.Settings{Quick: true, MNIST: t.TempDir()}.In(t.TempDir())
	for _, f := range []verdict.Figure{mnistFigure(), weightsMNISTFigure(), strokesFigure(), tenDigitsFigure()} {
		r, err := f.Run(t.Context(), s)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		if !strings.HasPrefix(r.Missing, "MNIST is left out: ") || len(r.Claims) > 0 {
			t.Errorf("%s: missing %q", f.Name, r.Missing)
		}
	}
	if _, err := withoutMNIST(s, errors.New("another")); err == nil {
		t.Error("another error was swallowed")
	}
}
