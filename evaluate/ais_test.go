package evaluate_test

import (
	"context"
	"math"
	"reflect"
	"testing"

	"instanton/dataset"
	"instanton/evaluate"
	"instanton/internal/problem"
	"instanton/rbm"
	"instanton/unit"
)

// The bounds bracket the exact log Z for at least 95 of 100 seeds.
func TestAISBracketsTheExactValue(t *testing.T) {
	if testing.Short() {
		t.Skip("long annealing")
	}
	ctx := context.Background()
	cw, err := rbm.CurieWeiss(14, 1.3)
	if err != nil {
		t.Fatal(err)
	}
	random, err := rbm.Random(unit.Spec{Type: unit.Bernoulli, N: 10}, unit.Spec{Type: unit.Spin, N: 6}, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]*rbm.RBM{"curie-weiss": cw, "random": random} {
		want, _, err := rbm.LogZ(m)
		if err != nil {
			t.Fatal(err)
		}
		const seeds = 50
		held, ordered := 0, 0
		for seed := range uint64(seeds) {
			a, err := evaluate.NewAIS(ctx, m, evaluate.AISOptions{Chains: 60, Steps: 60, Burn: 20, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			if a.Lower <= want && want <= a.Upper {
				held++
			}
			if math.Abs(a.LogZ-want) < 0.5 {
				ordered++
			}
		}
		t.Logf("%s: log Z %.4f within the bounds for %d of %d seeds", name, want, held, seeds)
		if held < 48 || ordered < 48 {
			t.Errorf("%s: the bounds hold for %d of %d seeds and estimates are close for %d, want at least 48", name,
				held, seeds, ordered)
		}
	}
}

// For every pair of unit types, the estimates agree with the sum or the integral within five of their standard errors.
func TestAISOfEveryPair(t *testing.T) {
	for _, pair := range problem.Pairs() {
		m := problem.Tiny(pair.Visible, pair.Hidden)
		d, err := rbm.NewDistribution(m, problem.Space(m.Visible), 1)
		if err != nil {
			t.Fatal(err)
		}
		a, err := evaluate.NewAIS(context.Background(), m, evaluate.AISOptions{Chains: 200, Steps: 50, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		const rounding = 1e-5 // of float32 inputs
		if math.Abs(a.LogZ-d.LogZ) > 5*a.Error+rounding || math.Abs(a.Reverse-d.LogZ) > 5*a.ReverseError+rounding {
			t.Errorf("%s: log Z %.5f ± %.5f forward and %.5f ± %.5f back, want %.5f", pair, a.LogZ, a.Error, a.Reverse,
				a.ReverseError, d.LogZ)
		}
	}
}

// A reference fitted to data, and a ladder whose length a pilot run finds.
func TestAISWithReferenceAndLadder(t *testing.T) {
	m, err := rbm.CurieWeiss(16, 1.2)
	if err != nil {
		t.Fatal(err)
	}
	data, err := dataset.CurieWeiss(16, 1.2, 500, 1)
	if err != nil {
		t.Fatal(err)
	}
	sites, err := evaluate.Sites(data.States, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, _, _ := rbm.LogZ(m)
	last := 0
	run := func(workers int) *evaluate.AIS {
		a, err := evaluate.NewAIS(context.Background(), m, evaluate.AISOptions{
			Reference: sites, Seed: 2, Workers: workers, Progress: func(done, total int) { last = total - done },
		})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := run(1)
	if a.Steps < 200 || last != 0 || !(a.Length > 0) || a.Doubt() != "" {
		t.Errorf("%d steps for a length of %g, %d left, %q", a.Steps, a.Length, last, a.Doubt())
	}
	if !(a.Lower <= want && want <= a.Upper) || a.Upper-a.Lower > 0.5 {
		t.Errorf("log Z between %g and %g, want %g close between", a.Lower, a.Upper, want)
	}
	if b := run(3); !reflect.DeepEqual(a, b) {
		t.Errorf("three workers find %+v, one %+v", b, a)
	}
}

// A ladder of one step for weights that need many must not look good.
func TestAISSaysWhenItIsBad(t *testing.T) {
	m, err := rbm.CurieWeiss(60, 2.5)
	if err != nil {
		t.Fatal(err)
	}
	a, err := evaluate.NewAIS(context.Background(), m, evaluate.AISOptions{Chains: 50, Steps: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if a.Doubt() == "" {
		t.Errorf("one step for a length of %g: %.1f of 50 chains carry weight, and no word of it", a.Length, a.ESS)
	}
}

func TestAISStopsAndRefuses(t *testing.T) {
	m, _ := rbm.CurieWeiss(8, 1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := evaluate.NewAIS(ctx, m, evaluate.AISOptions{}); err != context.Canceled {
		t.Errorf("error %v, want that of the context", err)
	}
	if _, err := evaluate.NewAIS(context.Background(), m, evaluate.AISOptions{Chains: 1}); err == nil {
		t.Error("one chain has no error bar, but none was refused")
	}
	other, _ := rbm.NewLayer(unit.Spec{Type: unit.Spin, N: 9})
	if _, err := evaluate.NewAIS(context.Background(), m, evaluate.AISOptions{Reference: other}); err == nil {
		t.Error("a reference of another size was accepted")
	}
}
