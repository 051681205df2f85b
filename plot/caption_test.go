package plot

import (
	"io"
	"testing"
)

// TestCaptionsKeepOffTheData puts a curve where the label of a reference line would go first.
func TestCaptionsKeepOffTheData(t *testing.T) {
	high := Line{X: []float64{0, 0.5, 1}, Y: []float64{0, 0, 1}} // rises at the right end of the line below
	free := placed(t, Panel{Series: []Series{HLine{At: 0.5, Label: "half"},
		Line{X: []float64{0, 1}, Y: []float64{0, 0.1}}}})
	if got := free.captionPlace[0]; got != 0 {
		t.Errorf("the label takes place %d, expected the first", got)
	}
	blocked := placed(t, Panel{Series: []Series{HLine{At: 0.85, Label: "a label"}, high}})
	if got := blocked.captionPlace[0]; got == 0 {
		t.Error("the label stands on the curve")
	}
}

// TestEncodeLeavesTheFigureAlone draws one figure twice at once, which the race detector watches.
func TestEncodeLeavesTheFigureAlone(t *testing.T) {
	f := Figure{Panels: []Panel{{Series: []Series{Line{Name: "m", X: []float64{0, 1}, Y: []float64{0, 1}}}},
		{Series: []Series{Line{X: []float64{0, 1}, Y: []float64{0, 1}}}}}}
	done := make(chan error)
	for range 2 {
		go func() { done <- f.Encode(io.Discard, "svg") }()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if f.Panels[0].Label != "" || f.Panels[0].inks != nil || f.Columns != 0 {
		t.Error("drawing changed the figure")
	}
}
