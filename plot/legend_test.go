package plot

import "testing"

// placed lays a figure of one panel out and returns the panel.
func placed(t *testing.T, p Panel) Panel {
	t.Helper()
	f := inksOf(t, p)
	f.layout()
	return f.Panels[0]
}

func TestLegendKeepsOffTheData(t *testing.T) {
	up, down := []float64{0, 1}, []float64{1, 0}
	for _, c := range []struct {
		name       string
		series     []Series
		above      bool
		across, up float64
	}{
		{"a falling line leaves the top right free", []Series{Line{Name: "f", X: up, Y: down}}, false, 1, 1},
		{"a rising line leaves the top left free", []Series{Line{Name: "f", X: up, Y: up}}, false, 0, 1},
		{"a cross leaves the middle of the right side free",
			[]Series{Line{Name: "f", X: up, Y: up}, Line{Name: "f", X: up, Y: down}}, false, 1, 0.5},
		{"a heat map leaves nothing free", []Series{Heatmap{Z: [][]float64{{1, 2}}}, Line{Name: "f", X: up, Y: up}},
			true, 0, 0},
	} {
		p := placed(t, Panel{Series: c.series})
		if p.legendAbove != c.above || p.legendAcross != c.across || p.legendUp != c.up {
			t.Errorf("%s, but the legend is at (%g, %g), above: %v", c.name, p.legendAcross, p.legendUp, p.legendAbove)
		}
	}
}

func TestLegendWhereAsked(t *testing.T) {
	series := []Series{Line{Name: "f", X: []float64{0, 1}, Y: []float64{0, 1}}}
	for place, want := range map[Legend][2]float64{
		LegendTopRight: {1, 1}, LegendTopLeft: {0, 1}, LegendBottomRight: {1, 0}, LegendBottomLeft: {0, 0},
	} {
		if p := placed(t, Panel{Series: series, Legend: place}); p.legendAbove || p.legendAcross != want[0] ||
			p.legendUp != want[1] {
			t.Errorf("legend %d is at (%g, %g), expected %v", place, p.legendAcross, p.legendUp, want)
		}
	}
	if !placed(t, Panel{Series: series, Legend: LegendAbove}).legendAbove {
		t.Error("the legend is not above the frame")
	}
}

func TestSeriesOfOneNameShareAnEntry(t *testing.T) {
	one := []float64{1}
	p := placed(t, Panel{Series: []Series{
		Band{Name: "AGS", X: one, Lo: one, Hi: one}, Line{Name: "AGS", X: one, Y: one}, Line{X: one, Y: one},
	}})
	if es := p.entries(8); len(es) != 1 || len(es[0].series) != 2 {
		t.Errorf("the legend has the entries %v, expected one with two series", es)
	}
}
