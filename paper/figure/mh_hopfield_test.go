package figure

import (
	"testing"

	"instanton/paper/experiment"
	"instanton/paper/verdict"
	"instanton/plot"
	"instanton/plot/plottest"
)

// The panels without chains.
func TestGoldenPairLandscapes(t *testing.T) {
	aligned, err := experiment.AlignedHopfield(pairWeight)
	if err != nil {
		t.Fatal(err)
	}
	rotated, err := experiment.RotatedHopfield(pairWeight, rotationSeed(verdict.Settings{Seed: 1}, 0))
	if err != nil {
		t.Fatal(err)
	}
	maps, err := pairLandscapes(aligned, rotated)
	if err != nil {
		t.Fatal(err)
	}
	plottest.Golden(t, "fig-mh-hopfields", plot.Figure{Columns: 3, Width: plot.TwoColumns, Panels: mhHopfieldPlot(maps,
		nil).Panels}, *update)
}
