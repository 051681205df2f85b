package jump_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"instanton/batch"
	"instanton/internal/problem"
	"instanton/jump"
	"instanton/rbm"
	"instanton/unit"
)

// Every proposal is normalised, its draws follow its log q, and the log q of a draw is that of the configuration.
func TestProposals(t *testing.T) {
	for _, kind := range kinds {
		for _, of := range unit.Types() {
			l := problem.Tiny(of, unit.Spin).Visible
			q := rough(t, l, kind)
			space := problem.Space(l)
			n := space.Size()
			all, x := unit.NewStates(l.Spec(), n), make([]float64, l.Spec().N)
			for a := range n {
				space.State(x, a)
				all.SetValues(a, x)
			}
			logq := make([]float64, n)
			d := q.Drawer()
			d.Score(logq, all, 0)
			p := make([]float64, n)
			var sum float64
			for a := range p {
				p[a] = space.Weight(a) * math.Exp(logq[a])
				sum += p[a]
			}
			if math.Abs(sum-1) > 2e-5 {
				t.Errorf("%s, %s: probabilities sum to %g", kind, of, sum)
			}
			const draws = 20000
			drawn := unit.NewStates(l.Spec(), draws)
			got, again := make([]float64, draws), make([]float64, draws)
			d.Draw(drawn, 0, got, batch.Stream{Seed: 3, Sweep: 9})
			d.Score(again, drawn, 0)
			for k := range got {
				if got[k] != again[k] {
					t.Fatalf("%s, %s: log q of a draw is %g, of the same configuration %g", kind, of, got[k], again[k])
				}
			}
			if of.Discrete() {
				observed, expected := make([]float64, n), make([]float64, n)
				for k := range draws {
					drawn.Values(x, k)
					observed[space.Index(x)]++
				}
				for a := range expected {
					expected[a] = draws * p[a]
				}
				problem.ChiSquare(t, observed, expected)
				continue
			}
			compareCells(t, space, p, drawn)
		}
	}
}

// compareCells counts real units in the panels of the grid.
func compareCells(t *testing.T, space *rbm.Space, p []float64, drawn *unit.States) {
	t.Helper()
	cell := func(x float64) int { return min(max(int(math.Floor(x/1.25))+12, 0), 24) }
	observed, expected := make([]float64, 25), make([]float64, 25)
	x := make([]float64, 1)
	for a := range p {
		space.State(x, a)
		expected[cell(x[0])] += float64(drawn.Len) * p[a]
	}
	for k := range drawn.Len {
		observed[cell(drawn.Value(k, 0))]++
	}
	problem.ChiSquare(t, observed, expected)
}

// A network learns what a product cannot: that units are copies of each other.
func TestFitNetwork(t *testing.T) {
	spec := unit.Spec{Type: unit.Spin, N: 12}
	x := unit.NewStates(spec, 3000)
	random := rand.New(rand.NewPCG(1, 2))
	for k := range x.Len {
		for i := range 3 {
			bit := float64(2*random.IntN(2) - 1)
			for j := range 4 {
				x.Set(k, 4*i+j, bit)
			}
		}
	}
	n, err := jump.FitNetwork(context.Background(), x, jump.NetworkOptions{Steps: 800, Batch: 64, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	logq := make([]float64, x.Len)
	n.Drawer().Score(logq, x, 0)
	var mean float64
	for _, q := range logq {
		mean += q / float64(x.Len)
	}
	if mean < -3*math.Ln2-0.1 { // three bits
		t.Errorf("mean log q is %g: expected about %g", mean, -3*math.Ln2)
	}
}
