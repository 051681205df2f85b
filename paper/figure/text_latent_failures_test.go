package figure

import (
	"fmt"
	"testing"

	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/unit"
)

// The claim that moves of few hidden units are no help is refuted where they are one, aligned Hopfield weights, and is
// open where nothing changes either way, deep states and rotated weights.
func TestComparison(t *testing.T) {
	if testing.Short() {
		t.Skip("long runs of several samplers")
	}
	for _, c := range []struct {
		name   string
		weight float64
		rotate uint64
		want   verdict.Verdict
	}{{"aligned", pairWeight, 0, verdict.Fails}, {"rotated", 2.2, 3, verdict.Open}} {
		t.Run(c.name, func(t *testing.T) {
			m, err := hopfieldMachine(c.weight, c.rotate)
			if err != nil {
				t.Fatal(err)
			}
			states := make([]string, 2*experiment.HopfieldPatterns)
			for k := range states {
				states[k] = fmt.Sprint(k)
			}
			judge := func(v *unit.States) ([][]float64, error) {
				p := make([][]float64, v.Len)
				overlaps := make([]float64, experiment.HopfieldPatterns)
				for k := range p {
					p[k] = make([]float64, len(states))
					experiment.Overlaps(overlaps, m.Patterns, v, k)
					if state, in := experiment.MattisState(overlaps); in {
						p[k][state] = 1
					}
				}
				return p, nil
			}
			var r verdict.Result
			table := r.Table("rates", "Rates.", "model", "sampler", "chains", "steps", "changes", "per 1000 steps",
				"error", "mixed")
			x := comparison{model: "MNIST 0/1", dir: t.TempDir(), machine: m, beta: 1,
				from:    m.PatternsAndOpposites(),
				classes: experiment.Classes{Names: states, Classify: judge, Threshold: 0.5},
				runs:    failureRuns{chains: 12, plain: 2000, latent: 400, every: 1}}
			if err := x.run(t.Context(), verdict.Settings{Seed: 1, Workers: 2}, &r, table); err != nil {
				t.Fatal(err)
			}
			if got := claimOf(t, &r, "no-help-mnist"); got.Verdict != c.want {
				t.Errorf("%s, want %s: %s", got.Verdict, c.want, got.Numbers())
			}
			if len(table.Rows) != 3 {
				t.Errorf("%d samplers, want 3", len(table.Rows))
			}
		})
	}
}
