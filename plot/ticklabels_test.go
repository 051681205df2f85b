package plot

import (
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestLabelsAlong(t *testing.T) {
	names := Categories("alternating Gibbs", "parallel tempering", "stacked tempering")
	for _, c := range []struct {
		name   string
		length vg.Length
		lines  int // of the first label
		turned bool
	}{
		{"side by side where they fit", 400, 1, false},
		{"one word per line if they do not", 140, 2, false},
		{"turned where words do not fit either", 40, 1, true},
	} {
		s := scale{lo: -0.5, hi: 2.5, to: c.length}
		got := labelsAlong(Axis{Ticks: names}.marks(s, 8), s, 8)
		if len(got.lines[0]) != c.lines || got.turned != c.turned {
			t.Errorf("%s: %d lines, turned %v", c.name, len(got.lines[0]), got.turned)
		}
	}
}
