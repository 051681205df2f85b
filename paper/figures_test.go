package paper

import (
	"flag"
	"testing"

	"instanton/lattice"
	"instanton/plot"
	"instanton/plot/plottest"
)

var update = flag.Bool("update", false, "write the golden images of testdata anew")

// verdicts are what the figures of given models come to, in their quick form with seed 1. The
// criteria of stochastic ones have their error bars in them.
var verdicts = map[string]map[string]Verdict{
	"fig-algo":    {"detailed-balance": Holds},
	"fig-dataset": {"structures": Corrected, "contacts": Holds, "bas-count": Corrected},
	"fig-model":   {"areas": Holds},
	"fig-curie-weiss": {"two-parts": Holds, "plateau": Holds, "barrier-sign": Corrected, "decay": Corrected, "maps": Holds,
		"as-slow-as-metropolis": Corrected},
	"fig-transition-hopfield": {"transitions": Holds, "readable": Holds, "codes": Holds, "superposition": Holds, "rotation-invariance": Holds, "barrier": Holds, "as-slow-as-metropolis": Holds},
	"fig-curie-weiss-2d": {"landscape": Holds, "asymmetric": Holds, "sum-of-barriers": Holds, "one-by-one": Holds, "in-1e5-steps": Fails,
		"fast-but-rare": Holds},
	"fig-perturbation":        {"first-order": Holds, "lower-cost": Corrected, "without-overlap": Corrected, "shorter-time": Fails},
	"fig-hidden-units-circle": {"overlap": Corrected, "order": Corrected, "number-of-paths": Corrected, "one-by-one": Corrected, "simulated-order": Corrected},
	"fig-mh":                  {"two-minima": Corrected, "lower-barrier": Holds, "direction": Corrected, "half": Holds},
	"fig-mh-hopfields": {"two-other-units": Holds, "four-minima": Holds, "single-unit": Holds, "other-unit-potential": Corrected, "aligned-mixes": Holds, "rotated-stuck": Corrected,
		"all-at-once": Holds, "one-minimum": Corrected},
}

// golden are the figures without random numbers.
var golden = map[string]bool{"fig-algo": true, "fig-model": true, "fig-curie-weiss": true, "fig-perturbation": true, "fig-mh": true}

func TestFiguresAndTheirClaims(t *testing.T) {
	if testing.Short() {
		t.Skip("makes figures")
	}
	for _, f := range All() {
		want, ok := verdicts[f.Name]
		if !ok {
			continue // tested beside its own file
		}
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			r, err := f.Run(t.Context(), Settings{Quick: true, Seed: 1, Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range r.Claims {
				if err := c.check(); err != nil {
					t.Error(err)
				}
				if c.Verdict != want[c.Name] {
					t.Errorf("%s: %s, want %q (%s)", c.Name, c.Verdict, want[c.Name], c.Numbers())
				}
				t.Logf("%s: %s: %s", c.Verdict, c.Name, c.Numbers())
			}
			if len(r.Claims) != len(want) {
				t.Errorf("%d claims, want %d", len(r.Claims), len(want))
			}
			for _, table := range r.Tables {
				if err := table.check(); err != nil || len(table.Rows) == 0 {
					t.Errorf("table %s: %v, %d rows", table.Name, err, len(table.Rows))
				}
			}
			if len(r.Drawings) == 0 {
				t.Fatal("nothing is drawn")
			}
			if golden[f.Name] {
				plottest.Golden(t, f.Name, r.Drawings[0].Plot, *update)
			}
		})
	}
}

// The parts of the data figure that need no files.
func TestGoldenData(t *testing.T) {
	bas, err := basExamples(1)
	if err != nil {
		t.Fatal(err)
	}
	proteins, err := structureExamples(lattice.Enumerate())
	if err != nil {
		t.Fatal(err)
	}
	plottest.Golden(t, "fig-dataset", plot.Figure{Width: plot.TwoColumns, Columns: 3, Panels: append([]plot.Panel{bas}, proteins...)}, *update)
}
