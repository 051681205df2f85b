package figure

import (
	"testing"

	"instanton/contest"
	"instanton/mixing"
	"instanton/paper/verdict"
)

// Jumps solve the rotated Hopfield model, and jumps that never move would solve nothing.
func TestBeyond(t *testing.T) {
	if testing.Short() {
		t.Skip("a fit and long runs")
	}
	f, err := rotatedFailure(t.Context(), tiny())
	if err != nil {
		t.Fatal(err)
	}
	var r verdict.Result
	table := r.Table("samplers", "Samplers.", "case", "sampler", "mixed", "R-hat", "ess", "changes", "weight", "error")
	panels, err := f.run(t.Context(), tiny(), &r, table)
	if err != nil {
		t.Fatal(err)
	}
	if len(panels) != 2 || len(table.Rows) != 2 {
		t.Errorf("%d panels and %d rows, want two of each", len(panels), len(table.Rows))
	}
	c := claimOf(t, &r, "solved-hopfield")
	if c.Verdict != verdict.Holds {
		t.Errorf("%s: %s", c.Verdict, c.Numbers())
	}
	if err := c.Check(); err != nil {
		t.Error(err)
	}
	stuck := &contest.Row{Sampler: "jump", RHat: 3, Occupancies: make([]mixing.Number, 12),
		OccupancyErrors: make([]mixing.Number, 12)}
	if c := f.claim(stuck, stuck); c.Verdict != verdict.Fails || c.Check() != nil {
		t.Errorf("jumps that do not move: %s, %v", c.Verdict, c.Check())
	}
}
