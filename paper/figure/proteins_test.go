package figure

import (
	"math"
	"testing"

	"instanton/evaluate"
	"instanton/lattice"
	"instanton/paper/experiment"
	"instanton/paper/verdict"
)

// A small model of two families of lattice proteins, from the design to the claims.
func TestProteinsFigure(t *testing.T) {
	if testing.Short() {
		t.Skip("makes figures")
	}
	s := verdict.Settings{Quick: true, Seed: 1, Workers: 2}.In(t.TempDir())
	p := experiment.ProteinPlan{
		Sequences: 60, Competitors: lattice.Choice{Count: 300, Seed: 1}, Chains: 10, Burn: 30, Every: 2,
		Hidden: "drelu:15", Epochs: 60, Report: 100, Annealing: 50,
		Bridge: evaluate.BridgeOptions{Chains: 20, Steps: 40, Burn: 50},
	}
	x, err := experiment.TrainProteins(t.Context(), s, p)
	if err != nil {
		t.Fatal(err)
	}
	all, err := lattice.Sequences(x.Data.States)
	if err != nil || len(all) != 120 {
		t.Fatalf("%d sequences, %v", len(all), err)
	}
	families, err := x.Family(x.Data.States)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range all {
		class := x.Data.Labels[k]
		fold := x.Pnat(v)
		if want := x.Competitors.Pnat(x.Natives[class], v); math.Abs(fold[class]-want) > 1e-9 ||
			fold[class] < experiment.MinPnat {
			t.Fatalf("sequence %d of family %d has P_nat %g, want %g above %g", k, class, fold[class], want,
				experiment.MinPnat)
		}
		if at, sure := evaluate.MostProbable(families[k]); at != class || sure < experiment.InFamily {
			t.Fatalf("sequence %d of family %d is taken for %d with %g", k, class, at, sure)
		}
	}
	r, err := proteinsResult(t.Context(), x, s, p.Bridge, proteinRuns{chains: 10, steps: 1000, every: 10,
		temperatures: experiment.TemperatureRun{MaxBeta: 2, Chains: 10, Steps: 200}})
	if err != nil {
		t.Fatal(err)
	}
	drawn(t, r)
	if c := claimOf(t, r, "quality"); !(c.Measured[0].Value > 0 && c.Measured[0].Value <= 1) {
		t.Errorf("%+v", c)
	}
	if c := claimOf(t, r, "diverse"); c.Measured[1].Value < 5 || c.Measured[1].Value > lattice.Length {
		t.Errorf("%+v", c)
	}
	if x.Likelihood.Train < x.Likelihood.Independent {
		t.Errorf("log-likelihood %g, %g of independent sites", x.Likelihood.Train, x.Likelihood.Independent)
	}
	// What was made is found again.
	again, err := experiment.TrainProteins(t.Context(), s, p)
	if err != nil || !again.Data.States.Equal(x.Data.States) {
		t.Errorf("another call: %v", err)
	}
}

func TestFoldingBeta(t *testing.T) {
	level := func(beta int, median float64) experiment.Temperature {
		return experiment.Temperature{Beta: beta, Pnat: []float64{0, 0, median, 1, 1}}
	}
	if got := experiment.FoldingBeta([]experiment.Temperature{level(1, 0.9), level(2, 0.995),
		level(3, 0.999)}); got != 2 {
		t.Errorf("β = %d, want 2", got)
	}
	if got := experiment.FoldingBeta([]experiment.Temperature{level(1, 0.9), level(2, 0.95)}); got != 2 {
		t.Errorf("β = %d, want the last", got)
	}
}
