package rates_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"instanton/dynamics"
	"instanton/rates"
	"instanton/rbm"
	"instanton/theory"
	"instanton/unit"
)

// Estimated times of the Curie–Weiss model agree with the exact ones up to 10²⁰ steps.
func TestCurieWeissTimes(t *testing.T) {
	if testing.Short() {
		t.Skip("umbrella sampling of many sizes")
	}
	for _, n := range []int{128, 472} {
		chain, err := dynamics.CurieWeiss(theory.CurieWeiss{W: 1.2}, n, dynamics.Gibbs)
		if err != nil {
			t.Fatal(err)
		}
		exact, err := chain.Relaxation()
		if err != nil {
			t.Fatal(err)
		}
		m, err := rbm.CurieWeiss(n, 1.2)
		if err != nil {
			t.Fatal(err)
		}
		r, err := rates.Estimate(context.Background(), m, rates.Options{Seed: 1, Sweeps: 600})
		if err != nil {
			t.Fatal(err)
		}
		deviation := math.Exp(r.LogTime)/exact.Time - 1
		t.Logf("N = %d: τ = %.4g, exact %.4g, deviation %.4f, error %.4f, barrier %.4f", n, *r.Time, exact.Time,
			deviation, r.Error, r.Barrier)
		if math.Abs(deviation) > 4*r.Error || r.Error > 0.05 || math.Abs(deviation) > 0.05 {
			t.Errorf("N = %d: τ = %g, exact %g: deviation %g with a standard error of %g", n, *r.Time, exact.Time,
				deviation, r.Error)
		}
	}
}

// A model with one random pattern is the Curie–Weiss model in another gauge. The number of workers does not change a
// bit.
func TestPattern(t *testing.T) {
	chain, err := dynamics.CurieWeiss(theory.CurieWeiss{W: 1.2}, 64, dynamics.Gibbs)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := chain.Relaxation()
	if err != nil {
		t.Fatal(err)
	}
	patterns, err := rbm.RandomPatterns(64, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	m, err := rbm.Hopfield(patterns, 1.2)
	if err != nil {
		t.Fatal(err)
	}
	var results []*rates.Result
	for _, workers := range []int{1, 3} {
		o := rates.Options{Chains: 64, Sweeps: 900, Seed: 3, Workers: workers}
		if o.From, err = rates.Pattern(m, 1); err != nil {
			t.Fatal(err)
		}
		if o.To, err = rates.Pattern(m, -1); err != nil {
			t.Fatal(err)
		}
		r, err := rates.Estimate(context.Background(), m, o)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	r := results[0]
	if r.LogTime != results[1].LogTime || r.Error != results[1].Error {
		t.Errorf("1 worker gives %v ± %v, 3 workers %v ± %v", r.LogTime, r.Error, results[1].LogTime, results[1].Error)
	}
	if d := *r.Time/exact.Time - 1; math.Abs(d) > 4*r.Error || r.Error > 0.1 {
		t.Errorf("τ = %g, exact %g: deviation %g with a standard error of %g", *r.Time, exact.Time, d, r.Error)
	}
	if sum := 1 / (r.Forward + r.Backward); math.Abs(sum / *r.Time - 1) > 1e-12 {
		t.Errorf("rates %g and %g make %g steps, not %g", r.Forward, r.Backward, sum, *r.Time)
	}
}

// Two orthogonal patterns divide the spins into those on which they agree and those on which they differ: two
// Curie–Weiss models of half the size. The coordinate q between the patterns sees the second.
func TestTwoPatterns(t *testing.T) {
	chain, err := dynamics.CurieWeiss(theory.CurieWeiss{W: 1.3}, 32, dynamics.Gibbs)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := chain.Relaxation()
	if err != nil {
		t.Fatal(err)
	}
	patterns, err := rbm.OrthogonalPatterns(64, 2)
	if err != nil {
		t.Fatal(err)
	}
	m, err := rbm.Hopfield(patterns, 1.3)
	if err != nil {
		t.Fatal(err)
	}
	o := rates.Options{Chains: 64, Sweeps: 1500, Seed: 1}
	if o.From, err = rates.Pattern(m, 1); err != nil {
		t.Fatal(err)
	}
	if o.To, err = rates.Pattern(m, 2); err != nil {
		t.Fatal(err)
	}
	r, err := rates.Estimate(context.Background(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	if d := *r.Time/exact.Time - 1; math.Abs(d) > 4*r.Error || r.Error > 0.1 {
		t.Errorf("τ = %g, exact %g: deviation %g with a standard error of %g", *r.Time, exact.Time, d, r.Error)
	}

	// A pattern is left if either half reverses.
	leave := o
	leave.Leave = true
	left, err := rates.Estimate(context.Background(), m, leave)
	if err != nil {
		t.Fatal(err)
	}
	if d := 1/left.Forward/exact.Time - 1; math.Abs(d) > 4*left.Error || left.Error > 0.1 {
		t.Errorf("the pattern is left after %g steps, exact %g: deviation %g with a standard error of %g",
			1/left.Forward, exact.Time, d, left.Error)
	}

	// On the way from a pattern to its opposite, the chains fall into the other pattern.
	if o.To, err = rates.Pattern(m, -1); err != nil {
		t.Fatal(err)
	}
	if _, err := rates.Estimate(context.Background(), m, o); err == nil ||
		!strings.Contains(err.Error(), "in neither state") {
		t.Errorf("error %v, want one that says that shots end in neither state", err)
	}
}

func TestRefused(t *testing.T) {
	cold, _ := rbm.CurieWeiss(32, 1.2)
	warm, _ := rbm.CurieWeiss(32, 0.7)
	real, _ := rbm.New(unit.Spec{Type: unit.Gaussian, N: 3}, unit.Spec{Type: unit.Spin, N: 2})
	potts, _ := rbm.New(unit.Spec{Type: unit.Potts, N: 3, Q: 3}, unit.Spec{Type: unit.Spin, N: 2})
	for _, c := range []struct {
		m    *rbm.RBM
		o    rates.Options
		want string
	}{
		{warm, rates.Options{}, "expected the second well above the first"},
		{real, rates.Options{}, "rates need discrete ones"},
		{potts, rates.Options{}, "expected two configurations"},
		{cold, rates.Options{Chains: 5}, "expected at least 32"},
		{cold, rates.Options{Direction: []float64{1}}, "a direction of 1 numbers: expected 32"},
		{cold, rates.Options{Direction: make([]float64, 32)}, "all configurations are equal"},
		{cold, rates.Options{From: []float64{1}}, "a state of 1 units: the model has 32"},
	} {
		if _, err := rates.Estimate(context.Background(), c.m, c.o); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	if _, err := rates.Pattern(cold, 1); err == nil || !strings.Contains(err.Error(), "stores 0 patterns") {
		t.Errorf("error %v for a pattern that there is not", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := rates.Estimate(ctx, cold, rates.Options{}); err != context.Canceled {
		t.Errorf("error %v after the context ended", err)
	}
}
