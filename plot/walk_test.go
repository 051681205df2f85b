package plot_test

import (
	"bytes"
	"strings"
	"testing"

	"instanton/plot"
)

// walk has a lattice protein: bonds in all directions, near ones over far ones.
func walk() plot.Figure {
	w := plot.Walk{Sites: [][3]int{
		{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {0, 1, 2}, {0, 2, 2}, {1, 2, 2}, {1, 1, 2}, {2, 1, 2}, {2, 2, 2},
		{2, 2, 1}, {1, 2, 1}, {1, 2, 0}, {2, 2, 0}, {2, 1, 0}, {2, 1, 1}, {2, 0, 1}, {2, 0, 0}, {1, 0, 0},
		{1, 1, 0}, {0, 1, 0}, {0, 2, 0}, {0, 2, 1}, {0, 1, 1}, {1, 1, 1}, {1, 0, 1}, {1, 0, 2}, {2, 0, 2},
	}}
	d := &plot.Diagram{Shapes: []plot.Shape{w}}
	d.Width, d.Height = w.Size()
	return plot.Figure{Panels: []plot.Panel{{Diagram: d}}}
}

func TestWalkRefuses(t *testing.T) {
	for want, sites := range map[string][][3]int{
		"has 1 sites, expected at least 2":        {{0, 0, 0}},
		"expected neighbouring sites":             {{0, 0, 0}, {1, 1, 0}},
		"is on site [0 0 0] at beads 1 and 3, ex": {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}},
	} {
		f := plot.Figure{Panels: []plot.Panel{{Diagram: &plot.Diagram{Width: 1, Height: 1,
			Shapes: []plot.Shape{plot.Walk{Sites: sites}}}}}}
		if err := f.Encode(&bytes.Buffer{}, "svg"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", sites, err, want)
		}
	}
}

// A walk in one plane has no depth to fade with.
func TestFlatWalk(t *testing.T) {
	w := plot.Walk{Sites: [][3]int{{5, 5, 5}, {6, 5, 5}, {6, 6, 5}}}
	width, height := w.Size()
	f := plot.Figure{Panels: []plot.Panel{{Diagram: &plot.Diagram{Width: width, Height: height,
		Shapes: []plot.Shape{w}}}}}
	var b bytes.Buffer
	if err := f.Encode(&b, "svg"); err != nil || strings.Contains(b.String(), "NaN") {
		t.Errorf("%v, or a coordinate is not a number", err)
	}
}
