package figure

import (
	"context"
	"testing"

	"instanton/paper/verdict"
)

// Each figure of Bars and Stripes runs on 4 × 4 pixels and its claims can be written; what does not need larger images
// is judged.
func TestBASFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("trains and samples models")
	}
	s := tiny()
	numbers := map[string]verdict.Measured{}
	for _, f := range []verdict.Figure{dynamicsBASFigure(), weightsBASFigure(), basFigure(), flipsBASFigure(),
		unitsBASFigure(), clustersFigure()} {
		r, err := f.Run(context.Background(), s)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if len(r.Drawings) == 0 || len(r.Claims) == 0 {
			t.Errorf("%s: %d drawings, %d claims", f.Name, len(r.Drawings), len(r.Claims))
		}
		for _, x := range r.Tables {
			if err := x.Check(); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
		for _, c := range r.Claims {
			if err := c.Check(); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
			t.Logf("%s/%s %s: %s", f.Name, c.Name, c.Verdict, c.Numbers())
			for _, m := range c.Measured {
				numbers[c.Name+": "+m.Name] = m
			}
		}
	}
	above := func(what, than string, times float64) {
		t.Helper()
		a, b := numbers[what], numbers[than]
		if a.Name == "" || b.Name == "" || !(a.Value-3*a.Error > times*(b.Value+3*b.Error)) {
			t.Errorf("%s is %v and %s is %v: want the first %g times larger, by three standard errors", what, a, than,
				b, times)
		}
	}
	above("sparse: changes of image per 1000 steps", "sparse: under AGS", 10)
	above("plain: L1", "plain: L1 and rotated", 2)
	above("plain: L1", "plain: changes of image per 1000 steps, no L1", 2)
	above("sparse-weights: share along the best line", "dense-weights: share along the best line", 1)
	above("short-training: share of images after long training",
		"short-training: largest share of images of those left within 100 steps", 1)
	above("weak-units: share of weak magnetizations, Gaussian", "weak-units: share of weak magnetizations, spin", 1)
	above("silent: mean |h| of units of the image's class", "silent: of units of the other class", 1.5)
}
