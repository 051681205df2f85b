package figure

import (
	"flag"
	"os"
	"sync"
	"testing"

	"instanton/lattice"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/plot/plottest"
)

var update = flag.Bool("update", false, "write the golden images of testdata anew")

// verdicts are what the figures of given models come to, in their quick form with seed 1. The
// criteria of stochastic ones have their error bars in them.
var verdicts = map[string]map[string]verdict.Verdict{
	"fig-algo": {"detailed-balance": verdict.Holds},
	"text-formulas": {"finite-time": verdict.Holds, "gradient": verdict.Holds, "legendre": verdict.Holds,
		"hopfield-maps": verdict.Holds, "hopfield-motion": verdict.Holds, "mattis": verdict.Holds,
		"self-consistency": verdict.Holds, "diagonal": verdict.Corrected, "structured-maps": verdict.Holds,
		"structured-motion": verdict.Holds, "relu-cumulant": verdict.Corrected, "relu-transfer": verdict.Holds,
		"relu-law": verdict.Corrected, "spin": verdict.Holds, "bernoulli": verdict.Holds},
	"fig-dataset": {"structures": verdict.Corrected, "contacts": verdict.Holds, "bas-count": verdict.Corrected},
	"fig-model":   {"areas": verdict.Holds},
	"fig-curie-weiss": {"two-parts": verdict.Holds, "plateau": verdict.Holds, "barrier-sign": verdict.Corrected,
		"decay": verdict.Holds, "maps": verdict.Holds, "glauber": verdict.Holds,
		"as-slow-as-metropolis": verdict.Corrected},
	"fig-transition-hopfield": {"transitions": verdict.Holds, "readable": verdict.Holds, "codes": verdict.Holds,
		"superposition": verdict.Holds, "rotation-invariance": verdict.Holds, "barrier": verdict.Holds,
		"exponentially-rare": verdict.Holds, "as-slow-as-metropolis": verdict.Holds},
	"fig-curie-weiss-2d": {"landscape": verdict.Holds, "asymmetric": verdict.Holds, "sum-of-barriers": verdict.Holds,
		"one-by-one": verdict.Holds, "in-1e5-steps": verdict.Fails,
		"fast-but-rare": verdict.Holds},
	"fig-perturbation": {"first-order": verdict.Holds, "lower-cost": verdict.Corrected,
		"without-overlap": verdict.Corrected, "shorter-time": verdict.Fails},
	"fig-hidden-units-circle": {"overlap": verdict.Corrected, "order": verdict.Corrected,
		"number-of-paths": verdict.Holds, "one-by-one": verdict.Holds, "simulated-order": verdict.Corrected},
	"fig-mh": {"two-minima": verdict.Corrected, "lower-barrier": verdict.Corrected, "direction": verdict.Corrected,
		"half": verdict.Holds, "structured-flips": verdict.Holds},
	"fig-mh-hopfields": {"two-other-units": verdict.Holds, "four-minima": verdict.Holds, "single-unit": verdict.Holds,
		"other-unit-potential": verdict.Corrected, "aligned-mixes": verdict.Holds, "rotated-stuck": verdict.Corrected,
		"all-at-once": verdict.Corrected, "one-minimum": verdict.Corrected},
}

// golden are the figures without random numbers.
var golden = map[string]bool{"fig-algo": true, "fig-model": true, "fig-curie-weiss": true, "fig-perturbation": true,
	"fig-mh": true}

// tiny are settings whose folder the tests of this package share, so that each model is trained once.
var tiny = sync.OnceValue(func() verdict.Settings {
	return verdict.Settings{Quick: true, Seed: 1, Workers: 2, Tiny: true}.In(shared)
})

var shared string // a folder for all tests

func TestMain(m *testing.M) {
	var err error
	if shared, err = os.MkdirTemp("", "instanton-figure-*"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(shared)
	os.Exit(code)
}

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
			r, err := f.Run(t.Context(), verdict.Settings{Quick: true, Seed: 1, Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range r.Claims {
				if err := c.Check(); err != nil {
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
				if err := table.Check(); err != nil || len(table.Rows) == 0 {
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
	plottest.Golden(t, "fig-dataset", plot.Figure{Width: plot.TwoColumns, Columns: 3, Panels: append([]plot.Panel{bas},
		proteins...)}, *update)
}
