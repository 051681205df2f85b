package demo

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"instanton/report"
)

// The tour as a user takes it with the default seed: the samplers agree with the exact
// sums, the warm Hopfield model moves, the cold one is stuck.
func TestTour(t *testing.T) {
	var said []string
	tour, err := Run(context.Background(), Options{Seed: 1, Say: func(m string) { said = append(said, m) }})
	if err != nil {
		t.Fatal(err)
	}
	if w := tour.Small.Worst(); !(w < 4) {
		t.Errorf("a mean is %.1f standard errors from the exact one", w)
	}
	if math.Abs(tour.Small.LogZ-14.580657255278437) > 1e-12 {
		t.Errorf("log Z = %.15g", tour.Small.LogZ)
	}
	warm, cold := tour.Trapped[0], tour.Trapped[1]
	if warm.Switches == 0 || warm.Left == 0 {
		t.Errorf("w = %g: no chain moved: %+v", warm.W, warm)
	}
	if cold.Switches != 0 || cold.Left != 0 || cold.Visited != 1 {
		t.Errorf("w = %g: switches %d, left %d, visited %d, want a stuck sampler", cold.W, cold.Switches, cold.Left, cold.Visited)
	}
	verdicts := []string{report.Holds, "moves", "stuck"}
	for k, f := range tour.Findings() {
		if f.Verdict != verdicts[k] {
			t.Errorf("finding %d: %s, want %s", k, f.Verdict, verdicts[k])
		}
	}
	if len(said) != 3 {
		t.Errorf("said %q", said)
	}

	var page bytes.Buffer
	if err := tour.Report(1).Write(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"14.580657", "stuck", "<svg", "instanton demo --seed 1"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	for name, f := range tour.Figures() {
		if err := f.Encode(&page, "png"); err != nil {
			t.Errorf("figure %s: %v", name, err)
		}
	}
}

func TestTourStopsWhenTold(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A chain on its way between two states still counts for the first.
func TestMattis(t *testing.T) {
	for _, c := range []struct {
		overlaps []float64
		state    int
		in       bool
	}{
		{[]float64{0.9, 0, 0}, 0, true}, {[]float64{0.1, -0.8, 0}, 4, true}, {[]float64{0.5, 0.5, 0}, 0, false},
	} {
		if s, in := mattis(c.overlaps); s != c.state && in || in != c.in {
			t.Errorf("%v: state %d, %v", c.overlaps, s, in)
		}
	}
}
