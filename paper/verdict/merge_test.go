package verdict

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A verdict that changes with the seed is open; numbers are means with the errors of the mean.
func TestMakeSeeds(t *testing.T) {
	f := Figure{Name: "fig-seeds", Title: "t", Shows: "s", Version: 1,
		Run: func(_ context.Context, s Settings) (*Result, error) {
			var r Result
			claim := func(name string, v Verdict, numbers ...Measured) {
				r.Claim(Claim{Name: name, Where: "w", Statement: name, Criterion: "c", Measured: numbers, Verdict: v,
					Correction: "instead", Needs: "more"})
			}
			x := float64(s.Seed)
			claim("steady", Holds, Measured{Name: "x", Value: x, Error: 0.1}, Measured{Name: "y", Value: 7})
			claim("changing", Judge(s.Seed != 3), Measured{Name: "x", Value: x})
			claim("undecided", Open, Measured{Name: "x", Value: 1})
			return &r, nil
		}}
	dir := t.TempDir()
	o := Options{Dir: dir}
	s, err := MakeSeeds(t.Context(), []Figure{f}, o, []uint64{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	steady, changing := s.Claims[0], s.Claims[1]
	if steady.Verdict != Holds || steady.Measured[0].String() != "2.00 ± 0.58" || steady.Measured[1].Error != 0 {
		t.Errorf("%+v", steady)
	}
	if want := "holds with seed 1, 2; fails with seed 3"; changing.Verdict != Open ||
		!strings.Contains(changing.Needs, want) {
		t.Errorf("%+v", changing)
	}
	if c := s.Claims[2]; c.Verdict != Open || c.Needs != "more" {
		t.Errorf("%+v", c)
	}
	if s.Verdicts[Open] != 2 || s.Verdicts[Holds] != 1 || len(s.Of([]Figure{f}).Settings.Seeds) != 3 {
		t.Errorf("%v, seeds %v", s.Verdicts, s.Settings.Seeds)
	}
	for _, name := range []string{"claims.md", "report.html", "seeds.json", "seed-2/paper.json"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	_, err = MakeSeeds(t.Context(), []Figure{f}, Options{Dir: filepath.Join(dir, "seed-1")}, []uint64{1, 2})
	if err == nil || !strings.Contains(err.Error(), "one seed") {
		t.Errorf("the folder of one seed: %v", err)
	}
	if _, err := MakeSeeds(t.Context(), []Figure{f}, o, []uint64{1}); err == nil {
		t.Error("one seed was accepted")
	}
}
