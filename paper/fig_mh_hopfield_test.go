package paper

import (
	"testing"

	"instanton/plot"
	"instanton/plot/plottest"
)

// The panels without chains.
func TestGoldenPairLandscapes(t *testing.T) {
	aligned, err := alignedHopfield(pairWeight)
	if err != nil {
		t.Fatal(err)
	}
	rotated, err := rotatedHopfield(pairWeight, Settings{Seed: 1}.rotation(0))
	if err != nil {
		t.Fatal(err)
	}
	maps, err := pairLandscapes(aligned, rotated)
	if err != nil {
		t.Fatal(err)
	}
	plottest.Golden(t, "fig-mh-hopfields", plot.Figure{Columns: 3, Width: plot.TwoColumns, Panels: mhHopfieldPlot(maps, nil).Panels}, *update)
}
