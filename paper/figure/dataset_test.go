package figure

import (
	"strings"
	"testing"

	"instanton/plot"
)

// The letters of the caption are those of the panels, also without the digits.
func TestDataCaption(t *testing.T) {
	bas, digits := plot.Panel{Label: "(a)"}, plot.Panel{Label: "(b)"}
	proteins := []plot.Panel{{Label: "(c)"}, {Label: plot.NoLabel}}
	for _, d := range []*plot.Panel{&digits, nil} {
		figure, caption := dataPlot(bas, d, proteins)
		shown := map[string]bool{}
		for _, p := range figure.Panels {
			shown[p.Label] = true
		}
		for letter, words := range map[string]string{"(a)": "(a) Bars", "(b)": "(b) MNIST: zeros",
			"(c)": "(c) The structures"} {
			if strings.Contains(caption, words) != shown[letter] {
				t.Errorf("the caption %q goes with the panels %v", caption, shown)
			}
		}
		if (d == nil) != strings.Contains(caption, "(b), hand-written zeros and ones, is left out") {
			t.Errorf("the caption does not say what is left out: %q", caption)
		}
	}
}
